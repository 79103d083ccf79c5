package cache

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestManifestBits flips every bit of a manifest: Get must find no entry.
func TestManifestBits(t *testing.T) {
	t.Parallel()
	c := open(t, t.TempDir(), 0)
	e, err := c.Put(key("k"), func(string) error { return nil }) // an entry without files, such as a record of a success
	if err != nil {
		t.Fatal(err)
	}
	manifest := filepath.Join(e.dir, manifestName)
	text, err := os.ReadFile(manifest)
	if err != nil || len(text) == 0 {
		t.Fatalf("the manifest of an entry without files is %q (%v)", text, err)
	}
	for i := range 8 * len(text) {
		bad := bytes.Clone(text)
		bad[i/8] ^= 1 << (i % 8)
		if err := os.WriteFile(manifest, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		// Get cannot remove the damaged entry, because e is open.
		if e, err := c.Get(key("k")); e != nil || err != nil {
			t.Fatalf("bit %d flipped: Get returns the entry (%v)", i, err)
		}
	}
	// A valid entry that is renamed to another key is not an entry of that key.
	if err := os.WriteFile(manifest, text, 0o600); err != nil {
		t.Fatal(err)
	}
	e.Close()
	if err := os.Rename(c.path(key("k")), c.path(key("l"))); err != nil {
		t.Fatal(err)
	}
	if e, err := c.Get(key("l")); e != nil || err != nil {
		t.Errorf("Get returns the entry of another key (%v)", err)
	}
}

// TestLargeFilesAreReadOnce checks that the cache keeps the hash of a large file and does not read
// the file again until it changes.
func TestLargeFilesAreReadOnce(t *testing.T) {
	t.Parallel()
	c := open(t, t.TempDir(), 0)
	e, err := c.Put(key("k"), tree)
	if err != nil {
		t.Fatal(err)
	}
	e.Close()
	get := func() bool {
		t.Helper()
		e, err := c.Get(key("k"))
		if err != nil {
			t.Fatal(err)
		}
		if e == nil {
			return false
		}
		e.Close()
		return true
	}
	if !get() || len(c.hashes) > 0 {
		t.Fatalf("%d hashes are kept, want 0, because the file was written just now", len(c.hashes))
	}
	c.now = func() time.Time { return time.Now().Add(time.Hour) }
	if !get() || len(c.hashes) != 1 {
		t.Fatalf("%d hashes are kept, want 1, that of the large file", len(c.hashes))
	}
	for id := range c.hashes {
		c.hashes[id] = sum{} // wrong, so that Get finds damage if it uses the kept hash
	}
	if get() {
		t.Error("the large file was read again")
	}
	e, err = c.Put(key("k"), tree)
	if err != nil {
		t.Fatal(err)
	}
	path := e.Path("program")
	e.Close()
	if !get() {
		t.Fatal("Get finds no entry after Put")
	}
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	for now := before; now.ModTime().Equal(before.ModTime()); { // until the file system's clock has advanced
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text[7] = 'x'
		if err := os.WriteFile(path, text, 0); err != nil {
			t.Fatal(err)
		}
		if now, err = os.Stat(path); err != nil {
			t.Fatal(err)
		}
	}
	if get() {
		t.Error("Get returns an entry whose large file has changed")
	}
}
