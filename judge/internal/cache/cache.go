// Package cache keeps bytes under the hash of everything that produced them.
//
// An entry is a folder of files that never changes once it is there, with a manifest of
// their sizes and hashes, which Get checks: after a crash, on a failing disk or in careless
// hands an entry is what was stored or it is none. Several judges may share a cache: an
// entry appears by one rename, and one in use is locked (flock) against removal.
//
// Nothing is synced to disk. After a power cut what the kernel had not written is found
// to be damaged and is made anew, which costs the work of the last half minute. To sync
// each entry would cost 1.5 ms and more on a fast disk, for thousands of entries of a few
// bytes, in every run; the order in which a file system writes does not matter either,
// because the manifest vouches for each byte and not for an order.
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
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/content"
	"tribunal/judge/internal/flock"
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

// Content adds one part, as Bytes does.
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
	now   func() time.Time

	mu      sync.Mutex
	hashes  map[identity]sum // of large files that were read whole
	damaged []string         // see Damaged
}

// Open opens or makes the cache in dir. When more than size is stored (0 means no
// cap), Trim drops the entries that were used longest ago.
func Open(dir string, size limits.Bytes) (*Cache, error) {
	c := &Cache{dir: dir, size: size, now: time.Now}
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

func (c *Cache) entries() string { return filepath.Join(c.dir, "entries") }
func (c *Cache) making() string  { return filepath.Join(c.dir, "making") }

// path returns the place of an entry. Its ending is that of the layout: judges that know
// another one, and share the cache, have places of their own, which Trim clears in time.
func (c *Cache) path(key Key) string { return filepath.Join(c.entries(), string(key)+"-2") }

// Entry is a stored folder, held against removal until it is closed. Its files
// must not be changed.
type Entry struct {
	dir  string
	lock *os.File
	sums map[string]sum // of its files
}

// Path returns the place of a file of the entry; "." is the folder that holds them all.
func (e *Entry) Path(name string) string { return filepath.Join(e.dir, filesName, name) }

// Read returns the content of a file of the entry. One that has changed under the holder's
// hands is an error.
func (e *Entry) Read(name string) ([]byte, error) {
	data, err := readRegular(e.Path(name))
	if err == nil && sha256.Sum256(data) != e.sums[name] {
		err = fmt.Errorf("%s: changed while it was in use", e.Path(name))
	}
	return data, err
}

// Content returns the content of a file of the entry. A large one is read from there as it
// is needed, until the entry is closed.
func (e *Entry) Content(name string) (content.Content, error) {
	info, err := os.Stat(e.Path(name))
	if err == nil && info.Size() > content.InMemory {
		path := e.Path(name)
		return content.File(path, func() (*os.File, error) { return openRegular(path) })
	}
	data, err := e.Read(name)
	return content.Of(data), err
}

// Sum returns the SHA-256 of a file of the entry.
func (e *Entry) Sum(name string) [sha256.Size]byte { return e.sums[name] }

// Close lets go of the entry; closing twice is harmless.
func (e *Entry) Close() error {
	if e.lock == nil {
		return nil
	}
	err := e.lock.Close()
	e.lock = nil
	return err
}

// Get returns the entry of that key, or nil when there is none. One that is not as it was
// stored counts as none: it is dropped, and [Cache.Damaged] tells of it.
func (c *Cache) Get(key Key) (*Entry, error) {
	e, damaged, err := c.get(key)
	if damaged {
		c.Drop(key)
	}
	return e, err
}

// get is Get, and says why there is no entry.
func (c *Cache) get(key Key) (e *Entry, damaged bool, err error) {
	if e, err = c.hold(key); e == nil || err != nil {
		return nil, false, err
	}
	damage, err := c.check(key, e)
	switch {
	case err != nil:
		err = c.fail(err)
	case !flock.Stays(e.lock): // what was checked may not be what is held
	case damage != "":
		c.Report(fmt.Sprintf("entry %s: %s", key, damage))
		damaged = true
	default:
		return e, false, nil
	}
	e.Close()
	return nil, damaged, err
}

// hold returns the entry of that key, unchecked, or nil when there is none.
func (c *Cache) hold(key Key) (*Entry, error) {
	dir := c.path(key)
	lock, err := flock.Folder(dir, unix.LOCK_SH)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if errors.Is(err, unix.ENOTDIR) && os.Remove(dir) == nil {
		c.Report(fmt.Sprintf("entry %s: not a folder", key))
		return nil, nil
	}
	if err != nil {
		return nil, c.fail(err)
	}
	use(lock)
	return &Entry{dir: dir, lock: lock}, nil
}

// use notes that a folder is used now. The time orders removal; it is no part of any key.
func use(folder *os.File) {
	now := unix.NsecToTimeval(time.Now().UnixNano())
	_ = unix.Futimes(int(folder.Fd()), []unix.Timeval{now, now})
}

// stage makes a folder to make an entry in, locked against the sweep of others.
func (c *Cache) stage(prefix string) (string, *os.File, error) {
	for range 100 {
		dir, err := os.MkdirTemp(c.making(), prefix)
		if err != nil {
			return "", nil, err
		}
		lock, err := flock.Folder(dir, unix.LOCK_SH)
		if errors.Is(err, fs.ErrNotExist) {
			continue // another judge swept it before it was locked
		}
		if err != nil {
			return "", nil, errors.Join(err, os.Remove(dir))
		}
		return dir, lock, nil
	}
	return "", nil, errors.New("folders do not stay")
}

// Scratch returns a new file on the disk of the cache, which has no name and is gone when
// it is closed.
func (c *Cache) Scratch() (*os.File, error) {
	f, err := os.CreateTemp(c.making(), "scratch-")
	if err != nil {
		return nil, c.fail(err)
	}
	if err := os.Remove(f.Name()); err != nil && !errors.Is(err, fs.ErrNotExist) { // or another judge has swept it
		f.Close()
		return nil, c.fail(err)
	}
	return f, nil
}

// Put stores what fill writes into the empty folder it is given, and returns the
// entry. If fill fails nothing is stored and its error is returned as it is,
// but for a full disk. If another judge stored the key meanwhile, its entry is returned.
// Files and folders are kept with their permissions, and links as links; nothing else is.
func (c *Cache) Put(key Key, fill func(dir string) error) (*Entry, error) {
	return c.put(key, fill, false)
}

// Replace is Put, but what fill writes takes the place of whatever was stored, even while
// that is in use: who uses it by its path finds the new one there from then on. It is for
// those who do not believe what was stored; [Cache.Drop] may have to leave it.
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
		if errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT) {
			return nil, c.fail(err)
		}
		return nil, err
	}
	if e.sums, err = c.seal(key, dir); err != nil {
		return nil, c.fail(err)
	}
	c.grown.Store(true)
	for range 10 {
		// The lock is held from before the entry has its place: no Trim comes between.
		err := os.Rename(dir, e.dir)
		if stored = err == nil; stored {
			return e, nil
		}
		if !errors.Is(err, fs.ErrExist) && !errors.Is(err, unix.ENOTEMPTY) {
			return nil, c.fail(err)
		}
		if !replace {
			other, damaged, err := c.get(key)
			if other != nil || err != nil {
				return other, err
			}
			if !damaged { // a Trim has removed it just now
				continue
			}
		}
		if c.exchange(dir, e.dir) {
			stored = true
			return e, nil
		}
	}
	return nil, fmt.Errorf("cache: entry %s does not stay", key)
}

// Drop removes an entry that is no longer needed. One that is in use stays, be it by a
// program that this process is about to start, which has inherited its lock for a moment:
// see [Cache.Replace].
func (c *Cache) Drop(key Key) { c.drop(c.path(key)) }
