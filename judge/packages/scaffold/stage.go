package scaffold

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"tribunal/judge/internal/system"
)

// stagePrefix begins the name of a stage, the folder in which a problem is built. A stage is locked
// while it is in use; the kernel releases the lock if the process is killed.
const stagePrefix = ".new-"

// stageName matches the names of the stages that newStage creates.
var stageName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\.new-.+-[0-9]+$`) })

// newStage creates a stage, which is locked until held is closed.
func newStage(root, id string) (dir string, held *os.File, err error) {
	for range 100 {
		if dir, err = os.MkdirTemp(root, stagePrefix+id+"-"); err != nil {
			return "", nil, err
		}
		dir = filepath.Clean(dir) // errors about files in the stage contain the clean path
		if held, err = system.LockPlainFolder(dir, system.Exclusive|system.NoWait); err == nil {
			return dir, held, nil
		}
		// Another process may have removed the stage before it was locked.
	}
	return "", nil, err
}

// sweep removes the stages below root that no process has locked. It ignores errors; the next sweep
// tries again.
func sweep(root string) {
	entries, err := os.ReadDir(root)
	if err != nil {
		return
	}
	for _, e := range entries {
		if !e.IsDir() || !stageName().MatchString(e.Name()) {
			continue
		}
		dir := filepath.Join(root, e.Name())
		held, err := system.LockPlainFolder(dir, system.Exclusive|system.NoWait)
		if err != nil {
			continue
		}
		if isStage(dir) {
			_ = os.RemoveAll(dir)
		}
		held.Close()
	}
}

// isStage reports whether a folder contains only what a stage may contain.
func isStage(dir string) bool {
	entries, err := os.ReadDir(dir)
	may := map[string]bool{}
	for _, p := range append(parts("x"), repositoryFiles()...) {
		top, _, _ := strings.Cut(filepath.ToSlash(p), "/")
		may[top] = true
	}
	return err == nil && !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return !may[e.Name()] })
}
