package cache

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/system"
)

// largeAges is by how much an entry of the size of the cap counts as older than it is; a smaller one by its part of the
// cap. In the room of a large entry many others can stay.
const largeAges = 14 * 24 * time.Hour

// Trim removes entries and folders that are not in use, the least recently used first and, of
// those of about the same age, the largest, until the rest fits the cap with some room. It does nothing if nothing was
// stored through this Cache since its last Trim: if the cache has grown, other judges trim it. Nor does it if what was
// stored since the cache was counted leaves room, because counting looks at every file.
func (c *Cache) Trim() error {
	grown := c.grown.Swap(0)
	if grown == 0 || c.size <= 0 || c.hasRoom(grown) {
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
				continue // removed by another judge, or neither an entry nor a Folder
			}
			s.used, s.size = info.ModTime(), treeSize(s.dir)
			if above == c.entries() {
				s.used = s.used.Add(-time.Duration(float64(largeAges) * float64(s.size) / float64(c.size)))
			}
			total += s.size
			all = append(all, s)
		}
	}
	slices.SortFunc(all, func(a, b stored) int {
		return cmp.Or(a.used.Compare(b.used), cmp.Compare(a.dir, b.dir))
	})
	if total > c.size {
		for _, s := range all {
			if total <= c.size-c.size/spareRoom {
				break
			}
			if c.drop(s.dir) {
				total -= s.size
			}
		}
	}
	c.recordSize(total)
	return nil
}

// A cache that was too large gets this part of the cap as room, so that it is not counted again at once.
const spareRoom = 8

// folderGrowth is the part of the cap by which a Folder counts as grown whenever it is opened: its size is known only
// after counting.
const folderGrowth = 32

// countAgain is how long a count holds at most.
const countAgain = time.Hour

// counted is a file whose lines are when the cache was counted, its size then, and what judges have stored since, a
// line each. If it is gone, damaged or of another form, the cache is counted again.
func (c *Cache) counted() string { return filepath.Join(c.dir, "counted") }

// hasRoom records that the cache has grown, and reports whether it is known to fit the cap still.
func (c *Cache) hasRoom(grown int64) bool {
	f, err := os.OpenFile(c.counted(), os.O_RDWR|os.O_APPEND|system.NoFollow|syscall.O_NONBLOCK, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() > int64(limits.MiB) {
		return false
	}
	text, err := io.ReadAll(f)
	if err != nil {
		return false
	}
	fields := strings.Fields(string(text))
	if len(fields) == 0 {
		return false
	}
	at, err := strconv.ParseInt(fields[0], 10, 64)
	if age := c.now().Sub(time.Unix(at, 0)); err != nil || age < 0 || age > countAgain {
		return false
	}
	total := grown
	for _, field := range fields[1:] {
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil || n < 0 || n > 1<<50 {
			return false
		}
		total += n
	}
	if total > int64(c.size) {
		return false
	}
	_, err = fmt.Fprintln(f, grown)
	return err == nil
}

// recordSize records the size of the cache, which was counted now. If that fails, such as on a full disk, the next
// Trim counts again.
func (c *Cache) recordSize(total limits.Bytes) {
	_ = system.WriteFile(c.counted(), fmt.Appendf(nil, "%d\n%d\n", c.now().Unix(), int64(total)), 0o600)
}

// treeSize returns the total size of the regular files below a folder.
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

// drop removes an entry or Folder unless a process holds its lock, and reports whether it did. It
// first moves the folder to where unfinished entries are: if the judge is killed during the
// removal, the next sweep finishes it.
func (c *Cache) drop(dir string) bool {
	lock, err := system.LockFolder(dir, system.Exclusive|system.NoWait)
	if err != nil {
		return false
	}
	defer lock.Close()
	gone := c.goneName()
	return os.Rename(dir, gone) == nil && os.RemoveAll(gone) == nil
}

// exchange replaces the entry at place with the one in dir, and reports whether it did. The old
// entry may be in use: its holders find the new files at its paths from then on. A later sweep
// removes the old files once the last holder has closed them.
func (c *Cache) exchange(dir, place string) bool {
	err := system.Exchange(dir, place)
	if err == nil {
		remove(dir)
		return true
	}
	if errors.Is(err, fs.ErrNotExist) {
		return false // the old entry is gone; the caller renames dir instead
	}
	// Some file systems cannot exchange two folders. Then the place is empty for a moment.
	gone := c.goneName()
	if os.Rename(place, gone) != nil || os.Rename(dir, place) != nil {
		return false
	}
	remove(gone)
	return true
}

func (c *Cache) goneName() string { return filepath.Join(c.making(), "gone-"+rand.Text()) }

// remove deletes a folder, without moving it first, unless a process holds its lock.
func remove(dir string) {
	if lock, err := system.LockFolder(dir, system.Exclusive|system.NoWait); err == nil {
		defer lock.Close()
		_ = os.RemoveAll(dir) // the next sweep removes the rest
	}
}
