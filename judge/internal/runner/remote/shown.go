//go:build linux

package remote

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// DefaultShown are patterns of the host's files and folders that toolchains need and jails may
// show.
var DefaultShown = []string{
	"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/opt", "/nix/store", "/gnu/store",
	"/etc/alternatives", "/etc/java-*", "/etc/mono", "/etc/perl", "/etc/fpc*.cfg", "/var/lib/ghc", "/var/lib/gems",
}

// shown returns an error for a path of the host that a jail must not show to a caller. Both as it
// is written and with its symbolic links resolved, the path must match a pattern or lie below a
// match.
// Every account must be able to read it, and to search all folders on the way. The path
// and all folders on the way must belong to root, and only root may write to them. So the jail
// shows only files that every account can read, and no other account can replace them between
// this check and the mount.
func shown(name string, patterns []string) error {
	within := func(name string) bool {
		parts := strings.Split(name, "/")
		return slices.ContainsFunc(patterns, func(pattern string) bool {
			n := strings.Count(pattern, "/") + 1
			if len(parts) < n {
				return false
			}
			ok, err := path.Match(pattern, strings.Join(parts[:n], "/"))
			return ok && err == nil
		})
	}
	if !path.IsAbs(name) || path.Clean(name) != name || !within(name) {
		return refusal("to show %s (it shows %s)", name, strings.Join(patterns, ", "))
	}
	real, err := walk(name)
	if err != nil {
		return err
	}
	if !within(real) {
		return refusal("to show %s, which is %s", name, real)
	}
	return nil
}

// maxLinks is how many links the kernel follows on one path.
const maxLinks = 40

// walk resolves a path as the kernel does, checks everything on the way with trusted, and returns
// the path without symbolic links.
func walk(name string) (string, error) {
	at, rest := "/", name
	for links := 0; ; {
		if err := trusted(at, rest == ""); err != nil {
			return "", err
		}
		if rest = strings.TrimLeft(rest, "/"); rest == "" {
			return at, nil
		}
		part, more, _ := strings.Cut(rest, "/")
		next := path.Join(at, part)
		info, err := os.Lstat(next)
		if err != nil {
			return "", err
		}
		if info.Mode()&os.ModeSymlink == 0 {
			at, rest = next, more
			continue
		}
		if links++; links > maxLinks {
			return "", refusal("to show %s: too many links", name)
		}
		target, err := os.Readlink(next)
		if err != nil {
			return "", err
		}
		if !path.IsAbs(target) {
			target = at + "/" + target
		}
		at, rest = "/", path.Clean(target)+"/"+more
	}
}

// trusted returns an error for a file or folder that an account other than root can change, or that
// some account cannot search or, at the end of the path, read.
func trusted(name string, last bool) error {
	var s unix.Stat_t
	if err := unix.Lstat(name, &s); err != nil {
		return &os.PathError{Op: "stat", Path: name, Err: err}
	}
	need := uint32(0o001)
	switch s.Mode & unix.S_IFMT {
	case unix.S_IFDIR:
		if last {
			need = 0o005
		}
	case unix.S_IFREG:
		need = 0o004
	default:
		return refusal("to show %s, which is neither a file nor a folder", name)
	}
	switch {
	case s.Uid != 0 || s.Mode&0o002 != 0 || s.Mode&0o020 != 0 && s.Gid != 0:
		return refusal("to show %s, which accounts other than root can change", name)
	case s.Mode&need != need:
		return refusal("to show %s, which some accounts cannot read", name)
	}
	return nil
}

// writeTree creates a folder with files below parent, for jails to show.
func writeTree(parent string, files []file, contents func(size int64) ([]byte, error)) (dir string, err error) {
	dir, err = os.MkdirTemp(parent, "shown-")
	if err != nil {
		return "", err
	}
	root, err := os.OpenRoot(dir)
	if err == nil {
		err = os.Chmod(dir, 0o755)
		for _, f := range files {
			if err == nil {
				err = writeFile(root, f, contents)
			}
		}
		root.Close()
	}
	if err != nil {
		os.RemoveAll(dir)
		return "", fmt.Errorf("files: %w", err)
	}
	return dir, nil
}

func writeFile(root *os.Root, f file, contents func(size int64) ([]byte, error)) error {
	name := filepath.FromSlash(string(f.Name))
	if f.Mode.IsDir() {
		return makeFolder(root, name)
	}
	if err := makeFolder(root, filepath.Dir(name)); err != nil {
		return err
	}
	data, err := contents(f.Size)
	if err != nil {
		return err
	}
	to, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	defer to.Close()
	if _, err := to.Write(data); err != nil {
		return err
	}
	return to.Chmod(0o444 | f.Mode.Perm()&0o111)
}

// makeFolder creates a folder, and those around it, that every account can enter, whatever the umask
// is. It leaves what exists as it is.
func makeFolder(root *os.Root, name string) error {
	err := root.Mkdir(name, 0o755)
	if errors.Is(err, fs.ErrNotExist) {
		if err = makeFolder(root, filepath.Dir(name)); err == nil {
			err = root.Mkdir(name, 0o755)
		}
	}
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return root.Chmod(name, 0o755)
}
