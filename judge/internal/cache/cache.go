// Package cache keeps bytes under the hash of everything that produced them.
//
// An entry is a folder of files that never changes once it is there. Several
// judges may share a cache: an entry appears by one rename, and one in use is
// locked (flock) against removal.
package cache

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/limits"
)

// Key names an entry: the hexadecimal hash of everything that can change it.
type Key string

// A Hasher makes a Key from parts. Parts are framed, so that moving bytes from
// one to the next changes the key. It is not safe for concurrent use.
type Hasher struct{ h hash.Hash }

// NewHasher starts a key of the given kind, such as "build 1"; keys of different
// kinds never meet.
func NewHasher(kind string) *Hasher {
	h := &Hasher{sha256.New()}
	h.Text(kind)
	return h
}

// Bytes adds one part.
func (h *Hasher) Bytes(part []byte) {
	var size [8]byte
	binary.LittleEndian.PutUint64(size[:], uint64(len(part)))
	h.h.Write(size[:])
	h.h.Write(part)
}

// Text adds parts.
func (h *Hasher) Text(parts ...string) {
	for _, p := range parts {
		h.Bytes([]byte(p))
	}
}

// Key returns the key of the parts so far.
func (h *Hasher) Key() Key { return Key(hex.EncodeToString(h.h.Sum(nil)[:20])) }

// Error reports that the cache cannot be used as it is: its folder cannot be
// written, or its disk is full. It is a matter of configuration.
type Error struct {
	Dir string
	Err error
}

func (e *Error) Error() string {
	err := e.Err
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		err = p.Err
	}
	hint := "set cache in runner.yaml, or TRIBUNAL_CACHE, to a folder that can be written"
	if errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT) {
		hint = "make room on its disk, or set cache in runner.yaml, or TRIBUNAL_CACHE, to another folder"
	}
	return fmt.Sprintf("cache %s: %v (hint: %s)", e.Dir, err, hint)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Full reports whether the disk of the cache has no room for another entry, so
// that whoever fails to write there is not to blame.
func (c *Cache) Full() error {
	var s unix.Statfs_t
	if err := unix.Statfs(c.dir, &s); err != nil {
		return c.fail(err)
	}
	if limits.Bytes(s.Bavail)*limits.Bytes(s.Bsize) < leastRoom || s.Files > 0 && s.Ffree == 0 {
		return c.fail(unix.ENOSPC)
	}
	return nil
}

// leastRoom is what a build needs at the least.
const leastRoom = 4 * limits.MiB

func (c *Cache) fail(err error) error {
	if _, done := errors.AsType[*Error](err); done {
		return err
	}
	if errors.Is(err, unix.EMFILE) || errors.Is(err, unix.ENFILE) || errors.Is(err, unix.ENOMEM) {
		return fmt.Errorf("cache: %w", err) // no other folder would help
	}
	return &Error{c.dir, err}
}

// Cache is a folder of entries, kept below a size. It is safe for concurrent use,
// also by several processes.
type Cache struct {
	dir   string
	size  limits.Bytes
	grown atomic.Bool // something was stored since the last Trim
}

// Open opens or makes the cache in dir. When more than size is stored (0 means no
// cap), Trim drops the entries that were used longest ago.
func Open(dir string, size limits.Bytes) (*Cache, error) {
	c := &Cache{dir: dir, size: size}
	for _, sub := range []string{c.entries(), c.making()} {
		if err := os.MkdirAll(sub, 0o700); err != nil {
			return nil, c.fail(err)
		}
	}
	// A folder that exists may still be on a read-only or full file system.
	if err := unix.Access(c.making(), unix.W_OK); err != nil {
		return nil, c.fail(err)
	}
	c.sweep()
	return c, nil
}

// sweep removes what judges that died were making. The kernel lets go of a lock
// when its holder dies.
func (c *Cache) sweep() {
	left, _ := os.ReadDir(c.making())
	for _, l := range left {
		remove(filepath.Join(c.making(), l.Name()))
	}
}

// Dir returns the folder that the cache lives in; what is put beside the entries
// is the caller's business.
func (c *Cache) Dir() string { return c.dir }

func (c *Cache) entries() string         { return filepath.Join(c.dir, "entries") }
func (c *Cache) making() string          { return filepath.Join(c.dir, "making") }
func (c *Cache) path(key Key) string     { return filepath.Join(c.entries(), string(key)) }
func (e *Entry) Path(name string) string { return filepath.Join(e.dir, name) }

// Entry is a stored folder, held against removal until it is closed. Its files
// must not be changed.
type Entry struct {
	dir  string
	lock *os.File
}

// Close lets go of the entry; closing twice is harmless.
func (e *Entry) Close() error {
	if e.lock == nil {
		return nil
	}
	err := e.lock.Close()
	e.lock = nil
	return err
}

// Get returns the entry of that key, or nil when there is none.
func (c *Cache) Get(key Key) (*Entry, error) {
	dir := c.path(key)
	lock, err := os.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, c.fail(err)
	}
	if err := unix.Flock(int(lock.Fd()), unix.LOCK_SH); err != nil {
		lock.Close()
		return nil, c.fail(fmt.Errorf("lock: %w", err))
	}
	// Between the open and the lock it may have been removed.
	if !same(lock, dir) {
		lock.Close()
		return nil, nil
	}
	// The time of last use orders removal; it is no part of any key.
	now := unix.NsecToTimeval(time.Now().UnixNano())
	_ = unix.Futimes(int(lock.Fd()), []unix.Timeval{now, now})
	return &Entry{dir: dir, lock: lock}, nil
}

// stage makes a folder to make an entry in, locked against the sweep of others.
func (c *Cache) stage(prefix string) (string, *os.File, error) {
	for range 100 {
		dir, err := os.MkdirTemp(c.making(), prefix)
		if err != nil {
			return "", nil, err
		}
		lock, err := os.Open(dir)
		if errors.Is(err, fs.ErrNotExist) {
			continue // another judge swept it before it was locked
		}
		if err == nil {
			if err = unix.Flock(int(lock.Fd()), unix.LOCK_SH); err == nil && same(lock, dir) {
				return dir, lock, nil
			}
			lock.Close()
		}
		if err != nil {
			return "", nil, errors.Join(err, os.Remove(dir))
		}
	}
	return "", nil, errors.New("folders do not stay")
}

// same reports whether an open folder is still at that path.
func same(open *os.File, dir string) bool {
	held, err := open.Stat()
	if err != nil {
		return false
	}
	now, err := os.Stat(dir)
	return err == nil && os.SameFile(held, now)
}

// Put stores what fill writes into the empty folder it is given, and returns the
// entry. If fill fails nothing is stored and its error is returned as it is,
// but for a full disk. If another judge stored the key meanwhile, its entry is returned.
func (c *Cache) Put(key Key, fill func(dir string) error) (*Entry, error) {
	dir, lock, err := c.stage(string(key[:8]) + "-")
	if err != nil {
		return nil, c.fail(err)
	}
	defer os.RemoveAll(dir)
	defer lock.Close()
	if err := fill(dir); err != nil {
		if errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT) {
			return nil, c.fail(err)
		}
		return nil, err
	}
	c.grown.Store(true)
	for range 10 {
		err = os.Rename(dir, c.path(key))
		if err != nil && !errors.Is(err, fs.ErrExist) && !errors.Is(err, unix.ENOTEMPTY) {
			return nil, c.fail(err)
		}
		entry, err := c.Get(key)
		if entry != nil || err != nil {
			return entry, err
		}
		// Removed by a Trim between the rename and the lock: nothing is left to rename
		// if it was ours, and room for ours if it was not.
		if _, err := os.Stat(dir); err != nil {
			break
		}
	}
	return nil, fmt.Errorf("cache: entry %s does not stay (hint: is the cache larger than a few MiB?)", key)
}

// Drop removes an entry, so that another can be put in its place. One that is in use
// stays.
func (c *Cache) Drop(key Key) { c.drop(c.path(key)) }

// Trim removes the entries used longest ago until the rest fits the cap. Entries in
// use stay. A Cache through which nothing was stored since its last Trim leaves it
// to those that did store.
func (c *Cache) Trim() error {
	if !c.grown.Swap(false) {
		return nil
	}
	if c.size <= 0 {
		return nil
	}
	list, err := os.ReadDir(c.entries())
	if err != nil {
		return c.fail(err)
	}
	type stored struct {
		dir  string
		size limits.Bytes
		used time.Time
	}
	var all []stored
	var total limits.Bytes
	for _, l := range list {
		info, err := l.Info()
		if err != nil {
			continue // another judge removed it
		}
		s := stored{dir: filepath.Join(c.entries(), l.Name()), used: info.ModTime()}
		_ = filepath.WalkDir(s.dir, func(_ string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				if info, err := d.Info(); err == nil {
					s.size += limits.Bytes(info.Size())
				}
			}
			return nil
		})
		total += s.size
		all = append(all, s)
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

// drop removes an entry that nobody holds. It leaves its place as a whole before
// any of its files goes: a judge may be killed at any moment, and what is under a
// key is taken for all there was. The next sweep finishes what was begun.
func (c *Cache) drop(dir string) bool {
	lock := seize(dir)
	if lock == nil {
		return false
	}
	defer lock.Close()
	gone := filepath.Join(c.making(), "gone-"+rand.Text())
	return os.Rename(dir, gone) == nil && os.RemoveAll(gone) == nil
}

// remove deletes a folder that nobody holds, in its place.
func remove(dir string) {
	if lock := seize(dir); lock != nil {
		defer lock.Close()
		_ = os.RemoveAll(dir) // what stays is there for the next sweep
	}
}

// seize locks a folder against everybody else, or returns nil when somebody holds
// it. Between the open and the lock another one may have taken its place.
func seize(dir string) *os.File {
	lock, err := os.Open(dir)
	if err != nil {
		return nil
	}
	if unix.Flock(int(lock.Fd()), unix.LOCK_EX|unix.LOCK_NB) != nil || !same(lock, dir) {
		lock.Close()
		return nil
	}
	return lock
}
