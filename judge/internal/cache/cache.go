// Package cache stores files under the hash of everything that produced them.
//
// An entry is a folder of files that never changes, with a manifest of their sizes and hashes. Get
// checks the manifest, so that after a crash, a disk error or manual changes an entry is either
// what was stored or does not exist. Several judges may share a cache: an entry appears by one
// rename, and an entry in use is locked (flock) against removal.
//
// Nothing is synced to disk. After a power cut, Get finds the entries damaged that the kernel had
// not written, and the judge makes them again: the work of the last half minute is lost. Syncing
// each entry would cost at least 1.5 ms on a fast disk, for thousands of entries of a few bytes in
// every run. A file system may write in any order, because the manifest covers every byte.
//
// Begin with this file; manifest.go checks entries, trim.go removes them, and folder.go keeps
// folders that other programs manage.
package cache

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"tribunal/judge/internal/content"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/system"
)

// Key names an entry: the hexadecimal hash of everything that determines its files.
type Key string

// Hasher makes a Key from parts. Parts are framed, so that moving bytes from one to the next
// changes the key. It is not safe for concurrent use.
type Hasher struct{ h hash.Hash }

// NewHasher starts a key of the given kind, such as "build 1". Keys of different kinds never
// collide.
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

// Content adds one part, as Bytes does. It fails only if the content cannot be read.
func (h *Hasher) Content(part content.Content) error {
	if data, ok := part.Held(); ok {
		h.Bytes(data)
		return nil
	}
	var size [8]byte
	binary.LittleEndian.PutUint64(size[:], uint64(part.Size()))
	h.h.Write(size[:])
	_, err := io.Copy(h.h, part.Reader())
	return err
}

// Text adds each text as one part.
func (h *Hasher) Text(parts ...string) {
	for _, p := range parts {
		h.Bytes([]byte(p))
	}
}

// Key returns the key of the parts so far.
func (h *Hasher) Key() Key { return Key(hex.EncodeToString(h.h.Sum(nil)[:20])) }

// Error reports that the cache's folder cannot be written or that its disk is full, which the user
// can mend.
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
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		hint = "make room on its disk, or set cache in runner.yaml, or TRIBUNAL_CACHE, to another folder"
	}
	return fmt.Sprintf("cache %s: %v (hint: %s)", e.Dir, err, hint)
}

func (e *Error) Unwrap() error { return e.Err }

// Full returns an [*Error] if the disk of the cache has no room for another entry. Callers check it
// before they blame a program that could not write there.
func (c *Cache) Full() error {
	free, err := system.Free(c.dir)
	if err != nil {
		return c.fail(err)
	}
	if limits.Bytes(free) < leastRoom {
		return c.fail(syscall.ENOSPC)
	}
	return nil
}

// leastRoom is the free space below which the disk counts as full, because a build needs as much.
const leastRoom = 4 * limits.MiB

func (c *Cache) fail(err error) error {
	if _, done := errors.AsType[*Error](err); done {
		return err
	}
	if errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) || errors.Is(err, syscall.ENOMEM) {
		return fmt.Errorf("cache: %w", err) // an Error would suggest another folder, which would not help
	}
	return &Error{c.dir, err}
}

// Cache is a folder of entries, whose size Trim keeps close to a cap. It is safe for concurrent use,
// also by several processes.
type Cache struct {
	dir   string
	size  limits.Bytes
	grown atomic.Int64 // bytes that were stored since the last Trim
	now   func() time.Time

	mu      sync.Mutex
	hashes  map[identity]sum // hashes of large files that were read in full
	damaged []string         // damage that Damaged has not returned yet
}

// Open opens or creates the cache in dir. If it holds more than size bytes (0: no cap), Trim
// removes the least recently used entries.
func Open(dir string, size limits.Bytes) (*Cache, error) {
	c := &Cache{dir: dir, size: size, now: time.Now}
	for _, sub := range []string{c.entries(), c.making()} {
		if err := os.MkdirAll(sub, 0o700); err != nil {
			return nil, c.fail(err)
		}
	}
	// A folder that exists may still be on a read-only or full file system.
	if err := system.Writable(c.making()); err != nil {
		return nil, c.fail(err)
	}
	c.sweep()
	return c, nil
}

// sweep removes unfinished entries of judges that died. The kernel releases a lock when its holder
// dies.
func (c *Cache) sweep() {
	left, _ := os.ReadDir(c.making())
	for _, l := range left {
		remove(filepath.Join(c.making(), l.Name()))
	}
}

// Cap returns the size to which [Cache.Trim] trims the cache; 0 if there is none.
func (c *Cache) Cap() limits.Bytes { return c.size }

// Dir returns the folder of the cache. Callers may keep files of their own in it.
func (c *Cache) Dir() string { return c.dir }

func (c *Cache) entries() string { return filepath.Join(c.dir, "entries") }
func (c *Cache) making() string  { return filepath.Join(c.dir, "making") }

// path returns the folder of an entry. The suffix names the version of the layout: judges of
// another version that share the cache use other folders, which Trim removes in time.
func (c *Cache) path(key Key) string { return filepath.Join(c.entries(), string(key)+"-2") }

// Entry is a stored folder. It cannot be removed until it is closed. Its files must not be changed.
type Entry struct {
	dir  string
	lock *os.File
	sums map[string]sum // the hash of each file, by its path in the entry
}

// Path returns the host path of a file of the entry; "." names the folder of all its files.
func (e *Entry) Path(name string) string { return filepath.Join(e.dir, filesName, name) }

// Read returns the content of a file of the entry. It fails if the file has changed since Get.
func (e *Entry) Read(name string) ([]byte, error) {
	data, err := readRegular(e.Path(name))
	if err == nil && sha256.Sum256(data) != e.sums[name] {
		err = fmt.Errorf("%s: changed while it was in use", e.Path(name))
	}
	return data, err
}

// Content returns the content of a file of the entry. A file larger than [content.InMemory] is not
// loaded but read on demand, so the entry must stay open.
func (e *Entry) Content(name string) (content.Content, error) {
	info, err := os.Stat(e.Path(name))
	if err == nil && info.Size() > content.InMemory {
		path := e.Path(name)
		return content.File(path, func() (*os.File, error) { return openRegular(path) })
	}
	data, err := e.Read(name)
	return content.Of(data), err
}

// Names returns the paths of the entry's files, sorted.
func (e *Entry) Names() []string { return slices.Sorted(maps.Keys(e.sums)) }

// Sum returns the SHA-256 of a file of the entry.
func (e *Entry) Sum(name string) [sha256.Size]byte { return e.sums[name] }

// Close releases the entry. Closing twice is harmless.
func (e *Entry) Close() error {
	if e.lock == nil {
		return nil
	}
	err := e.lock.Close()
	e.lock = nil
	return err
}

// Get returns the entry of that key, or nil if there is none. A damaged entry counts as none: Get
// removes it, and [Cache.Damaged] reports it.
func (c *Cache) Get(key Key) (*Entry, error) {
	e, damaged, err := c.get(key)
	if damaged {
		c.Drop(key)
	}
	return e, err
}

// get is Get, but does not remove a damaged entry.
func (c *Cache) get(key Key) (e *Entry, damaged bool, err error) {
	if e, err = c.hold(key); e == nil || err != nil {
		return nil, false, err
	}
	damage, err := c.check(key, e)
	switch {
	case err != nil:
		err = c.fail(err)
	case !system.Stays(e.lock): // another judge removed or replaced it during the check
	case damage != "":
		c.Report(fmt.Sprintf("entry %s: %s", key, damage))
		damaged = true
	default:
		return e, false, nil
	}
	e.Close()
	return nil, damaged, err
}

// hold locks the entry of that key and returns it unchecked, or nil if there is none.
func (c *Cache) hold(key Key) (*Entry, error) {
	dir := c.path(key)
	lock, err := system.LockFolder(dir, system.Shared)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if errors.Is(err, syscall.ENOTDIR) && os.Remove(dir) == nil {
		c.Report(fmt.Sprintf("entry %s: not a folder", key))
		return nil, nil
	}
	if err != nil {
		return nil, c.fail(err)
	}
	touch(lock)
	return &Entry{dir: dir, lock: lock}, nil
}

// touch sets the modification time of a folder to now. Trim removes the folders with the oldest
// times first; the time is not part of any key.
func touch(folder *os.File) {
	system.Touch(folder)
}

// stage creates a folder for an unfinished entry and locks it, so that other judges do not sweep
// it.
func (c *Cache) stage(prefix string) (string, *os.File, error) {
	for range 100 {
		dir, err := os.MkdirTemp(c.making(), prefix)
		if err != nil {
			return "", nil, err
		}
		lock, err := system.LockFolder(dir, system.Shared)
		if errors.Is(err, fs.ErrNotExist) {
			continue // another judge swept it before it was locked
		}
		if err != nil {
			return "", nil, errors.Join(err, os.Remove(dir))
		}
		return dir, lock, nil
	}
	return "", nil, errors.New("other processes remove every new folder before it can be locked")
}

// Scratch returns a new file on the disk of the cache. It has no name; closing it deletes it.
func (c *Cache) Scratch() (*os.File, error) {
	f, err := os.CreateTemp(c.making(), "scratch-")
	if err != nil {
		return nil, c.fail(err)
	}
	// The file may be gone already: other judges sweep it.
	if err := os.Remove(f.Name()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		f.Close()
		return nil, c.fail(err)
	}
	return f, nil
}

// Put calls fill with an empty folder, stores the files that fill writes there, and returns the
// entry. If fill fails, Put stores nothing and returns fill's error unchanged, or an [*Error] if
// the disk is full. If another judge has stored the key meanwhile, Put returns that entry. An entry
// holds files and folders, with their permissions, and symbolic links; Put omits everything else.
func (c *Cache) Put(key Key, fill func(dir string) error) (*Entry, error) {
	return c.put(key, fill, false)
}

// Replace is Put, but replaces an entry that exists, even while it is in use: holders of the old
// entry find the new files at its paths from then on. It is for callers that distrust the stored
// entry; [Cache.Drop] does not remove an entry in use.
func (c *Cache) Replace(key Key, fill func(dir string) error) (*Entry, error) {
	return c.put(key, fill, true)
}

func (c *Cache) put(key Key, fill func(dir string) error, replace bool) (*Entry, error) {
	dir, lock, err := c.stage(string(key[:8]) + "-")
	if err != nil {
		return nil, c.fail(err)
	}
	e := &Entry{dir: c.path(key), lock: lock}
	stored := false
	defer func() {
		if !stored {
			lock.Close()
			os.RemoveAll(dir)
		}
	}()
	if err := os.Mkdir(filepath.Join(dir, filesName), 0o700); err != nil {
		return nil, c.fail(err)
	}
	if err := fill(filepath.Join(dir, filesName)); err != nil {
		if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
			return nil, c.fail(err)
		}
		return nil, err
	}
	if e.sums, err = c.seal(key, dir); err != nil {
		return nil, c.fail(err)
	}
	c.grown.Add(1 + int64(treeSize(dir)))
	for range 10 {
		// The lock is already held, so no Trim can remove the entry in between.
		err := os.Rename(dir, e.dir)
		if stored = err == nil; stored {
			return e, nil
		}
		if !errors.Is(err, fs.ErrExist) && !errors.Is(err, syscall.ENOTEMPTY) {
			return nil, c.fail(err)
		}
		if !replace {
			other, damaged, err := c.get(key)
			if other != nil || err != nil {
				return other, err
			}
			if !damaged { // another judge has just removed it
				continue
			}
		}
		if c.exchange(dir, e.dir) {
			stored = true
			return e, nil
		}
	}
	return nil, fmt.Errorf("cache: other processes keep removing entry %s", key)
}

// Drop removes an entry that is no longer needed, but not one in use. An entry that was just closed
// may still be in use by a child process: between fork and exec, the child shares the lock. To
// store other files in any case, call [Cache.Replace].
func (c *Cache) Drop(key Key) { c.drop(c.path(key)) }
