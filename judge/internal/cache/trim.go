package cache

import (
	"cmp"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/flock"
	"tribunal/judge/internal/limits"
)

// Trim removes entries and folders until the rest fits the cap, beginning with those not used for
// the longest time. Those in use stay. A Cache through which nothing was stored since its last Trim
// does nothing: the ones that stored something trim.
func (c *Cache) Trim() error {
	if !c.grown.Swap(false) {
		return nil
	}
	if c.size <= 0 {
		return nil
	}
	type stored struct {
		dir  string
		size limits.Bytes
		used time.Time
	}
	var all []stored
	var total limits.Bytes
	for _, above := range []string{c.entries(), c.dir} {
		list, err := os.ReadDir(above)
		if err != nil {
			return c.fail(err)
		}
		for _, l := range list {
			s := stored{dir: filepath.Join(above, l.Name())}
			info, err := l.Info()
			if err != nil || !info.IsDir() || s.dir == c.entries() || s.dir == c.making() {
				continue // another judge removed it, or it is not an entry or folder
			}
			s.used, s.size = info.ModTime(), treeSize(s.dir)
			total += s.size
			all = append(all, s)
		}
	}
	slices.SortFunc(all, func(a, b stored) int {
		return cmp.Or(a.used.Compare(b.used), cmp.Compare(a.dir, b.dir))
	})
	for _, s := range all {
		if total <= c.size {
			break
		}
		if c.drop(s.dir) {
			total -= s.size
		}
	}
	return nil
}

// treeSize returns the size of the files below a folder.
func treeSize(dir string) (total limits.Bytes) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				total += limits.Bytes(info.Size())
			}
		}
		return nil
	})
	return total
}

// drop removes an entry unless a process holds its lock, and reports whether it did. It first moves the whole
// entry out of its place, because a judge may be killed at any moment; the next sweep then finishes
// the removal.
func (c *Cache) drop(dir string) bool {
	lock, err := flock.Folder(dir, unix.LOCK_EX|unix.LOCK_NB)
	if err != nil {
		return false
	}
	defer lock.Close()
	gone := c.goneName()
	return os.Rename(dir, gone) == nil && os.RemoveAll(gone) == nil
}

// exchange replaces the entry at place with the one in dir. The old entry may be in use: its
// holders find the new files at its paths from then on. A sweep removes the old files when nobody
// holds them.
func (c *Cache) exchange(dir, place string) bool {
	err := unix.Renameat2(unix.AT_FDCWD, dir, unix.AT_FDCWD, place, unix.RENAME_EXCHANGE)
	if err == nil {
		remove(dir)
		return true
	}
	if errors.Is(err, fs.ErrNotExist) {
		return false // the old entry is gone; a rename will do
	}
	// Some file systems cannot exchange. Then the place is empty for a moment.
	gone := c.goneName()
	if os.Rename(place, gone) != nil || os.Rename(dir, place) != nil {
		return false
	}
	remove(gone)
	return true
}

func (c *Cache) goneName() string { return filepath.Join(c.making(), "gone-"+rand.Text()) }

// remove deletes a folder in its place if nobody holds it.
func remove(dir string) {
	if lock, err := flock.Folder(dir, unix.LOCK_EX|unix.LOCK_NB); err == nil {
		defer lock.Close()
		_ = os.RemoveAll(dir) // the next sweep removes the rest
	}
}
