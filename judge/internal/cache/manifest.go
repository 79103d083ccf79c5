package cache

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"tribunal/judge/internal/system"
)

// An entry is a folder that contains the folder of its files and a manifest: a text with the key
// and a line for each file, folder and symbolic link. To check an entry, check describes the files
// anew and compares the texts: any difference, even in the manifest itself, is damage.
const (
	filesName    = "files"
	manifestName = "manifest"
)

// sum is the hash of a file's content.
type sum [sha256.Size]byte

// identity identifies a file and its state: any write through the file system changes it.
type identity = system.Identity

const (
	// largeFile is the size in bytes above which a file is not read again while its identity stays
	// the same.
	largeFile = 64 << 10

	// racy is how long a file must be unchanged before its identity can be relied on: file systems
	// count time in steps, and a second write within one step would not change the identity.
	racy = 2 * time.Second
)

// Report adds a line about damage in the cache to those that [Cache.Damaged] returns.
func (c *Cache) Report(damage string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !slices.Contains(c.damaged, damage) {
		c.damaged = append(c.damaged, damage)
	}
}

// Damaged returns one line for each damaged entry or file found since its last call. They have been
// removed, and are made again when needed.
func (c *Cache) Damaged() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := c.damaged
	c.damaged = nil
	return list
}

// seal writes the manifest of the entry in dir, and returns the hashes of its files.
func (c *Cache) seal(key Key, dir string) (map[string]sum, error) {
	if err := tidy(filepath.Join(dir, filesName)); err != nil {
		return nil, err
	}
	text, sums, err := c.describe(key, filepath.Join(dir, filesName))
	if err != nil {
		return nil, err
	}
	return sums, os.WriteFile(filepath.Join(dir, manifestName), text, 0o600)
}

// tidy removes everything that cannot be stored, such as sockets, and makes all files readable,
// because compilers may write files that their owner may not read.
func tidy(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Type()&fs.ModeSymlink != 0 {
			return err
		}
		if !d.Type().IsRegular() {
			return os.Remove(path)
		}
		info, err := d.Info()
		if err == nil && info.Mode().Perm()&0o400 == 0 {
			err = os.Chmod(path, info.Mode().Perm()|0o400)
		}
		return err
	})
}

// check compares an entry with its manifest and sets e.sums. It returns the first damage found, or
// "". An error is a problem of this process, such as too few descriptors, and not damage.
func (c *Cache) check(key Key, e *Entry) (damage string, err error) {
	stored, err := readRegular(filepath.Join(e.dir, manifestName))
	if err == nil {
		var now []byte
		if now, e.sums, err = c.describe(key, e.Path(".")); err == nil && !bytes.Equal(stored, now) {
			return difference(string(stored), string(now)), nil
		}
	}
	switch {
	case err == nil:
		return "", nil
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE), errors.Is(err, syscall.ENOMEM):
		return "", err
	case errors.Is(err, fs.ErrNotExist):
		return "incomplete", nil
	}
	return err.Error(), nil // damage: the disk, or this account, cannot read the entry
}

// difference names the first file of the stored manifest that is missing or has changed.
func difference(stored, now string) string {
	lines := map[string]bool{}
	for line := range strings.Lines(now) {
		lines[line] = true
	}
	for line := range strings.Lines(stored) {
		if name := described(line); name != "" && !lines[line] {
			return fmt.Sprintf("%q is missing or has changed", name)
		}
	}
	return "does not match its manifest"
}

// describe returns the manifest of the files below a folder, and their hashes by path.
func (c *Cache) describe(key Key, dir string) ([]byte, map[string]sum, error) {
	text, sums := fmt.Appendf(nil, "entry %s\n", key), map[string]sum{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		name, perm := strings.TrimPrefix(path[len(dir):], "/"), info.Mode().Perm()
		switch mode := info.Mode(); {
		case name == "":
			return nil
		case mode.IsRegular():
			if sums[name], err = c.hash(path); err == nil {
				text = fmt.Appendf(text, "file %o %d %x %q\n", perm, info.Size(), sums[name], name)
			}
		case mode.IsDir():
			text = fmt.Appendf(text, "folder %o %q\n", perm, name)
		case mode&fs.ModeSymlink != 0:
			var target string
			if target, err = os.Readlink(path); err == nil {
				text = fmt.Appendf(text, "link %q to %q\n", target, name)
			}
		default:
			text = fmt.Appendf(text, "neither %q\n", name)
		}
		return err
	})
	return text, sums, err
}

// blocks holds buffers for reading files.
var blocks = sync.Pool{New: func() any { b := make([]byte, largeFile); return &b }}

// hash returns the hash of a file. It reads a large file only once while the file does not change.
func (c *Cache) hash(path string) (s sum, err error) {
	f, err := openRegular(path)
	if err != nil {
		return s, err
	}
	defer f.Close()
	id, err := system.Identify(f)
	if err != nil {
		return s, err
	}
	large := id.Size > largeFile
	if large {
		c.mu.Lock()
		s, known := c.hashes[id]
		c.mu.Unlock()
		if known {
			return s, nil
		}
	}
	block := blocks.Get().(*[]byte)
	defer blocks.Put(block)
	h := sha256.New()
	if _, err := io.CopyBuffer(h, struct{ io.Reader }{f}, *block); err != nil {
		return s, err
	}
	h.Sum(s[:0])
	if after, err := system.Identify(f); large && err == nil && after == id && c.now().Sub(time.Unix(0, id.Changed)) > racy {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.hashes == nil {
			c.hashes = map[identity]sum{}
		}
		c.hashes[id] = s
	}
	return s, nil
}
