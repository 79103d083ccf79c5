package scaffold

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSweep checks that sweep removes the stages of killed processes, but neither a stage in use
// nor files of the user.
func TestSweep(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	var err error
	for _, dir := range []string{
		".new-sums-1/cases/sums", ".new-a-b-22", ".new-mine-7/work", ".new-sums/cases", ".old-sums-1", "elsewhere/cases",
	} {
		err = errors.Join(err, os.MkdirAll(filepath.Join(root, dir), 0o755))
	}
	if err := errors.Join(err, os.Symlink("elsewhere", filepath.Join(root, ".new-link-1"))); err != nil {
		t.Fatal(err)
	}
	var at string
	_, err = Build(root, "other", func(stage string) error {
		at = filepath.Base(stage)
		sweep(root) // as another process may do meanwhile
		return errors.New("enough")
	})
	if err == nil || err.Error() != "enough" {
		t.Errorf("%v", err)
	}
	live, held, err := newStage(root, "live")
	if err != nil {
		t.Fatal(err)
	}
	sweep(root)
	if _, err := os.Stat(live); err != nil {
		t.Errorf("sweep removed a stage in use: %v", err)
	}
	held.Close() // as the kernel does when the process is killed
	sweep(root)
	entries, err := os.ReadDir(root)
	var left []string
	for _, e := range entries {
		left = append(left, e.Name())
	}
	if want := ".new-link-1 .new-mine-7 .new-sums .old-sums-1 elsewhere"; err != nil || strings.Join(left, " ") != want {
		t.Errorf("left %v, %v, want %s (the stage of Build was %s)", left, err, want, at)
	}
	if _, err := os.Stat(filepath.Join(root, "elsewhere", "cases")); err != nil {
		t.Errorf("sweep removed the target of a symbolic link: %v", err)
	}
}
