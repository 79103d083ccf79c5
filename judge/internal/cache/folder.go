package cache

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"tribunal/judge/internal/system"
)

// Folder is a folder beside the entries whose files another program manages, such as the go
// command. Every account may read its files, whatever the judge's umask, because programs in the jail
// do. No judge removes it until it is closed.
type Folder struct {
	Dir   string
	cache *Cache
	lock  *os.File
}

func (f *Folder) Close() error { return f.lock.Close() }

// lockName names the file that Lock locks. Other accounts cannot open it, and so not lock it.
const lockName = "tribunal.lock"

// Folder opens the folder of that name beside the entries, creates it if it is missing, and lets
// every account enter it. Its files count towards the size of the cache; Trim removes it as a whole,
// if it is the least recently used.
func (c *Cache) Folder(name string) (*Folder, error) {
	dir := filepath.Join(c.dir, name)
	for range 10 {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, c.fail(err)
		}
		lock, err := system.LockFolder(dir, system.Shared)
		if errors.Is(err, fs.ErrNotExist) {
			continue // another judge trimmed it
		}
		if err != nil {
			return nil, c.fail(err)
		}
		if err := show(lock.Stat, lock.Chmod); err != nil {
			lock.Close()
			return nil, c.fail(err)
		}
		touch(lock)
		c.grown.Add(1 + int64(c.size/folderGrowth)) // the program that manages the folder may add files
		return &Folder{dir, c, lock}, nil
	}
	return nil, c.fail(fmt.Errorf("other processes keep removing %s", name))
}

// shown adds the permissions that let every account read a file, enter it if it is a folder, and
// execute it if its owner can.
func shown(mode fs.FileMode) fs.FileMode {
	mode |= 0o444
	if mode.IsDir() || mode&0o100 != 0 {
		mode |= 0o111
	}
	return mode
}

// show lets every account read a file or enter a folder.
func show(stat func() (fs.FileInfo, error), chmod func(fs.FileMode) error) error {
	info, err := stat()
	if err != nil || shown(info.Mode()) == info.Mode() {
		return err
	}
	return chmod(shown(info.Mode()))
}

// showAll lets every account read what is in the folder, which may be a symbolic link, except for
// the file of Lock.
func (f *Folder) showAll() error {
	return filepath.WalkDir(f.Dir+"/.", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Type()&^fs.ModeDir != 0 || d.Name() == lockName {
			return err
		}
		return show(d.Info, func(mode fs.FileMode) error { return os.Chmod(path, mode) })
	})
}

// Lock waits until no other judge works in the folder, and keeps others out until release is
// called.
func (f *Folder) Lock(ctx context.Context) (release func() error, err error) {
	lock, err := os.OpenFile(filepath.Join(f.Dir, lockName), os.O_RDONLY|os.O_CREATE|system.NoFollow|syscall.O_NONBLOCK, 0o600)
	if err != nil {
		return nil, f.cache.fail(err)
	}
	for {
		err := system.Flock(lock, system.Exclusive|system.NoWait)
		if err == nil {
			return lock.Close, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			lock.Close()
			return nil, f.cache.fail(err)
		}
		select {
		case <-ctx.Done():
			lock.Close()
			return nil, ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// Seal lets every account read all files, and calls sound for each in the subfolders, with its path
// in f and its hash. If all files are sound, Seal writes their paths and hashes to the file list in
// f and returns true. Otherwise it removes the unsound files, which the other program must make
// again, and returns false. The caller holds Lock.
func (f *Folder) Seal(list string, sound func(name string, sum [sha256.Size]byte) bool) (bool, error) {
	if err := f.showAll(); err != nil {
		return false, f.cache.fail(err)
	}
	text, sums, err := f.cache.describe(Key(list), f.Dir)
	if err != nil {
		return false, f.cache.fail(err)
	}
	whole := true
	for name, sum := range sums {
		if strings.Contains(name, "/") && !sound(name, sum) {
			f.discard(name)
			whole = false
		}
	}
	if !whole {
		return false, nil
	}
	var kept strings.Builder
	for line := range strings.Lines(string(text)) {
		if strings.Contains(described(line), "/") {
			kept.WriteString(line)
		}
	}
	file := filepath.Join(f.Dir, list)
	if err := os.WriteFile(file+".new", []byte(kept.String()+ending(kept.String())), 0o600); err != nil {
		return false, f.cache.fail(err)
	}
	return true, os.Rename(file+".new", file)
}

// ending returns the last line of a list: the hash of the other lines.
func ending(text string) string { return fmt.Sprintf("sum %x\n", sha256.Sum256([]byte(text))) }

// Sound reports whether the file list exists, every file listed there is unchanged, and every
// account can read it. It removes a changed file unless sound accepts its new hash.
func (f *Folder) Sound(list string, sound func(name string, sum [sha256.Size]byte) bool) bool {
	stored, err := readRegular(filepath.Join(f.Dir, list))
	if err != nil {
		return false
	}
	text, sum, _ := strings.Cut(string(stored), "sum ")
	if "sum "+sum != ending(text) {
		f.discard(list)
		return false
	}
	now, sums, err := f.cache.describe(Key(list), f.Dir)
	if err != nil {
		return false
	}
	lines := map[string]bool{}
	for line := range strings.Lines(string(now)) {
		if strings.HasPrefix(line, "folder ") && hidden(line) {
			return false
		}
		lines[line] = true
	}
	whole := true
	for line := range strings.Lines(text) {
		if lines[line] {
			whole = whole && !hidden(line)
			continue
		}
		whole = false
		if sum, there := sums[described(line)]; there && !sound(described(line), sum) {
			f.discard(described(line))
		}
	}
	return whole
}

// discard records a damaged file for Damaged, and removes it.
func (f *Folder) discard(name string) {
	f.cache.Report(fmt.Sprintf("%s: %q is damaged", filepath.Base(f.Dir), name))
	_ = os.Remove(filepath.Join(f.Dir, name)) // another judge may have removed it
}

// hidden reports whether a line of a manifest describes a file or a folder that some account cannot
// read.
func hidden(line string) bool {
	kind, rest, _ := strings.Cut(line, " ")
	text, _, _ := strings.Cut(rest, " ")
	perm, err := strconv.ParseUint(text, 8, 32)
	mode := fs.FileMode(perm)
	if kind == "folder" {
		mode |= fs.ModeDir
	}
	return err == nil && shown(mode) != mode
}

// described returns the path in a line of a manifest; "" if there is none.
func described(line string) string {
	name, _ := strconv.Unquote(strings.TrimSpace(line[max(strings.LastIndex(line, ` "`), 0):]))
	return name
}
