package cache

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestShown(t *testing.T) {
	t.Parallel()
	for mode, want := range map[fs.FileMode]fs.FileMode{0o600: 0o644, 0o444: 0o444, 0o640: 0o644, 0o700: 0o755, fs.ModeDir | 0o600: fs.ModeDir | 0o755} {
		if got := shown(mode); got != want {
			t.Errorf("%v becomes %v, want %v", mode, got, want)
		}
	}
}

// TestFolder checks that Sound and Seal find damage in a folder that another program manages, and
// do not mistake the program's own changes for damage.
func TestFolder(t *testing.T) {
	t.Parallel()
	c := open(t, t.TempDir(), 0)
	f, err := c.Folder("packages")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	sound := func(name string, sum [sha256.Size]byte) bool { // a file NAME-d is named by its hash, as in Go's cache
		hash, ok := strings.CutSuffix(filepath.Base(name), "-d")
		return !ok || hash == hex.EncodeToString(sum[:])
	}
	write := func(text string) string {
		t.Helper()
		sum := sha256.Sum256([]byte(text))
		path := filepath.Join(f.Dir, "aa", hex.EncodeToString(sum[:])+"-d")
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
		return path
	}
	one, other := write("one"), write("other")
	index := filepath.Join(f.Dir, "aa", "index-a") // not named by its hash
	os.WriteFile(index, []byte("1"), 0o600)
	if f.Sound("list", sound) {
		t.Error("Sound without a list: true")
	}
	if ok, err := f.Seal("list", sound); !ok || err != nil || !f.Sound("list", sound) {
		t.Fatalf("Seal: %v, %v", ok, err)
	}
	write("more")
	if !f.Sound("list", sound) {
		t.Error("Sound after a file was added: false")
	}
	os.WriteFile(index, []byte("2"), 0o600)
	if f.Sound("list", sound) || len(c.Damaged()) > 0 {
		t.Error("a file that the other program rewrote must not count as damage, but needs a new list")
	}
	if ok, err := f.Seal("list", sound); !ok || err != nil {
		t.Fatalf("Seal: %v, %v", ok, err)
	}
	os.WriteFile(one, []byte("on"), 0o600)
	if f.Sound("list", sound) || len(c.Damaged()) != 1 {
		t.Error("Sound does not find, or does not report, a damaged file")
	}
	if _, err := os.Stat(one); err == nil {
		t.Error("Sound does not remove a damaged file")
	}
	if _, err := os.Stat(other); err != nil {
		t.Errorf("Sound removed a sound file: %v", err)
	}
	os.WriteFile(other, nil, 0o600)
	if ok, err := f.Seal("list", sound); ok || err != nil || len(c.Damaged()) != 1 {
		t.Errorf("Seal accepts, or does not report, a damaged file (%v)", err)
	}
	if ok, err := f.Seal("list", sound); !ok || err != nil {
		t.Fatalf("Seal after it removed the damaged file: %v, %v", ok, err)
	}
	list := filepath.Join(f.Dir, "list")
	text, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}

	// An earlier judge listed a file that only its owner can read.
	more := write("more")
	hidden := strings.ReplaceAll(string(text[:bytes.Index(text, []byte("sum "))]), "file 644", "file 600")
	if err := errors.Join(os.Chmod(more, 0o600), os.Chmod(index, 0o600), os.WriteFile(list, []byte(hidden+ending(hidden)), 0o600)); err != nil {
		t.Fatal(err)
	}
	if f.Sound("list", sound) {
		t.Error("Sound accepts a file that other accounts cannot read")
	}
	if ok, err := f.Seal("list", sound); !ok || err != nil || !f.Sound("list", sound) {
		t.Errorf("Seal of a file that other accounts cannot read: %v, %v", ok, err)
	}
	for i := range text {
		for _, bad := range [][]byte{append(bytes.Clone(text[:i]), text[i]^1), bytes.Clone(text[:i])} {
			if len(bad) == i+1 {
				bad = append(bad, text[i+1:]...)
			}
			os.WriteFile(list, bad, 0o600)
			if f.Sound("list", sound) {
				t.Fatalf("Sound accepts a list whose byte %d is wrong, or that ends before it", i)
			}
		}
	}
}

// TestTrimFolders checks that Trim counts the folders beside the entries, and removes one as a
// whole if it is the least recently used and not in use.
func TestTrimFolders(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why   string
		held  bool
		older bool // the last use of the folder was before that of the entry
		want  []string
	}{
		{"the folder is the least recently used", false, true, []string{"entry"}},
		{"the entry is the least recently used", false, false, []string{"folder"}},
		{"the folder is the least recently used, but in use", true, true, []string{"folder"}},
	} {
		c := open(t, t.TempDir(), 1500)
		f, err := c.Folder("packages")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(f.Dir, "large"), make([]byte, 1000), 0o600); err != nil {
			t.Fatal(err)
		}
		e, err := c.Put(key("k"), fill(strings.Repeat("x", 1000)))
		if err != nil {
			t.Fatal(err)
		}
		e.Close()
		if !tt.held {
			f.Close()
		}
		at := time.Now().Add(time.Hour)
		if tt.older {
			at = time.Now().Add(-2 * largeAges)
		}
		if err := os.Chtimes(f.Dir, at, at); err != nil {
			t.Fatal(err)
		}
		if err := c.Trim(); err != nil {
			t.Fatal(err)
		}
		var left []string
		if _, err := os.Stat(f.Dir); err == nil {
			left = append(left, "folder")
		}
		if e, err := c.Get(key("k")); err != nil {
			t.Fatal(err)
		} else if e != nil {
			left = append(left, "entry")
			e.Close()
		}
		if strings.Join(left, " ") != strings.Join(tt.want, " ") {
			t.Errorf("%s: Trim leaves %q, want %q", tt.why, left, tt.want)
		}
	}
}
