package scaffold

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"syscall"

	"tribunal/judge/internal/flock"
)

// A stage is a folder in which a problem is made. It is locked as long as somebody makes it,
// and the kernel unlocks it when that process is killed.
const stagePrefix = ".new-"

// stageName matches the names that newStage gives.
var stageName = regexp.MustCompile(`^\.new-.+-[0-9]+$`)

// newStage makes a stage and locks it until held is closed.
func newStage(root, id string) (dir string, held *os.File, err error) {
	for range 100 {
		if dir, err = os.MkdirTemp(root, stagePrefix+id+"-"); err != nil {
			return "", nil, err
		}
		dir = filepath.Clean(dir) // as errors show what is below
		if held, err = flock.PlainFolder(dir, syscall.LOCK_EX|syscall.LOCK_NB); err == nil {
			return dir, held, nil
		}
		// Another import may have swept it before it was locked.
	}
	return "", nil, err
}

// sweep removes the stages below root that nobody makes any more. What cannot be removed
// stays for the next one.
func sweep(root string) {
	entries, err := os.ReadDir(root)
	if err != nil {
		return
	}
	for _, e := range entries {
		if !e.IsDir() || !stageName.MatchString(e.Name()) {
			continue
		}
		dir := filepath.Join(root, e.Name())
		held, err := flock.PlainFolder(dir, syscall.LOCK_EX|syscall.LOCK_NB)
		if err != nil {
			continue
		}
		if isStage(dir) {
			_ = os.RemoveAll(dir)
		}
		held.Close()
	}
}

// isStage reports whether a folder holds nothing but what a stage does.
func isStage(dir string) bool {
	entries, err := os.ReadDir(dir)
	return err == nil && !slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		return !slices.ContainsFunc(parts("x"), func(p string) bool { return filepath.Dir(p) == e.Name() })
	})
}
