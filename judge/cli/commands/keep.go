package commands

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"tribunal/judge/cli"
	"tribunal/judge/internal/grade"
)

// keepDefault is the value of --keep without a folder. PROBLEM is replaced by the problem's id.
const keepDefault = keptFolder + "/PROBLEM"

const keptFolder = "kept"

// makeKept creates the default folder of --keep unless it exists. It adds a .gitignore, because the
// working folder may be part of a git repository.
func makeKept() error {
	err := os.Mkdir(keptFolder, 0o755)
	if err == nil {
		return os.WriteFile(filepath.Join(keptFolder, ".gitignore"), []byte("# made by judge grade --keep\n*\n"), 0o644)
	}
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// setKeep applies --all, --repeat and --keep to a task, and creates the folder of --keep.
func (g *gradeOptions) setKeep(t *grade.Task, id string) error {
	t.All, t.Repeat = g.all, g.repeat
	if t.Keep = g.keep; g.keep == keepDefault {
		t.Keep = filepath.Join(keptFolder, id)
		// The working folder, and a symbolic link in it, may belong to another account.
		for _, dir := range []string{keptFolder, t.Keep} {
			if info, err := os.Lstat(dir); err == nil && info.Mode().Type() == os.ModeSymlink {
				return cli.Usage(fmt.Errorf("--keep: %s is a symbolic link (hint: name its target, as in --keep=DIR)", dir))
			}
		}
		if err := makeKept(); err != nil {
			return cli.Usage(fmt.Errorf("--keep: %w (hint: name another folder)", err))
		}
	}
	if t.Keep == "" {
		return nil
	}
	if err := os.MkdirAll(t.Keep, 0o755); err != nil {
		return cli.Usage(fmt.Errorf("--keep: %w (hint: name a folder that you may write to)", err))
	}
	return nil
}
