//go:build linux

package scripttest

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"tribunal/judge/internal/cache/cachetest"
	"tribunal/judge/internal/system"
)

// covers is the environment variable that names the folder for the coverage of the commands, which are then built with
// -cover. GOCOVERDIR itself belongs to go test -cover, which sets it.
const covers = "TRIBUNAL_COVERDIR"

// programs builds commands of this module as they are released, without cgo, and returns the folder that holds them.
// All packages of scripts share one folder for the same sources, which stays until done is called. A later
// build of other sources removes it.
func programs(commands []string) (dir string, done func(), err error) {
	shared, err := cachetest.Folder()
	if err == nil {
		shared = filepath.Join(shared, "programs")
		err = os.MkdirAll(shared, 0o755)
	}
	if err != nil { // an account without a home folder
		if dir, err = os.MkdirTemp("", "judge-"); err != nil {
			return "", nil, err
		}
		return dir, func() { os.RemoveAll(dir) }, compile(dir, commands)
	}
	key, err := sourcesKey(commands)
	if err != nil {
		return "", nil, err
	}
	dir = filepath.Join(shared, key)
	one, err := system.LockFolder(shared, system.Exclusive)
	if err != nil {
		return "", nil, err
	}
	defer one.Close()
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		if err := removeUnused(shared); err != nil {
			return "", nil, err
		}
		making := filepath.Join(shared, "making")
		if err := os.Mkdir(making, 0o755); err != nil {
			return "", nil, err
		}
		if err := compile(making, commands); err != nil {
			return "", nil, err
		}
		if err := os.Rename(making, dir); err != nil {
			return "", nil, err
		}
	}
	used, err := system.LockFolder(dir, system.Shared)
	if err != nil {
		return "", nil, err
	}
	return dir, func() { used.Close() }, nil
}

// removeUnused removes the folders below shared that no test uses.
func removeUnused(shared string) error {
	folders, err := os.ReadDir(shared)
	if err != nil {
		return err
	}
	for _, folder := range folders {
		path := filepath.Join(shared, folder.Name())
		if held, err := system.LockFolder(path, system.Exclusive|system.NoWait); err == nil {
			err = os.RemoveAll(path)
			held.Close()
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// compile builds commands into dir, which must exist. The settings of this user's Go, such as -buildvcs, must not
// change what the commands print.
func compile(dir string, commands []string) error {
	args := append([]string{"build", "-buildvcs=false", "-ldflags=-s -w", "-o", dir + string(filepath.Separator)}, commands...)
	if os.Getenv(covers) != "" {
		args = slices.Insert(args, 1, "-cover", "-covermode=set", "-coverpkg=tribunal/...")
	}
	cmd := exec.Command("go", args...)
	cmd.Env = append(cmd.Environ(), "CGO_ENABLED=0", "GOFLAGS=")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}

// sourcesKey returns a hash of everything that changes what compile makes: the commands, the toolchain, and all files
// below judge and internal but those for tests.
func sourcesKey(commands []string) (string, error) {
	here, err := os.Getwd()
	if err != nil {
		return "", err
	}
	top, err := above(here)
	if err != nil {
		return "", err
	}
	hash := sha256.New()
	fmt.Fprintln(hash, runtime.Version(), runtime.GOARCH, os.Getenv(covers) != "", commands)
	add := func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == "testdata":
			return fs.SkipDir
		case !entry.Type().IsRegular() || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		fmt.Fprintln(hash, strings.TrimPrefix(path, top))
		_, err = io.Copy(hash, f)
		return err
	}
	for _, part := range []string{"go.mod", "go.sum", "internal", "judge"} {
		if err := filepath.WalkDir(filepath.Join(top, part), add); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("%x", hash.Sum(nil)[:16]), nil
}
