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

// tree fills an entry with one thing of each kind.
func tree(dir string) error {
	return errors.Join(
		os.WriteFile(filepath.Join(dir, "small"), []byte("a line\n"), 0o600),
		os.WriteFile(filepath.Join(dir, "program"), bytes.Repeat([]byte("0123456789abcdef"), largeFile/16+1), 0o755),
		os.WriteFile(filepath.Join(dir, "empty"), nil, 0o600),
		os.MkdirAll(filepath.Join(dir, "folder", "below"), 0o755),
		os.WriteFile(filepath.Join(dir, "folder", "it is \"called\" this\n"), []byte("b"), 0o600),
		os.Symlink("small", filepath.Join(dir, "link")),
	)
}

// damage is one thing that can happen to a file of a cache.
type damage struct {
	why string
	do  func(path string, info fs.FileInfo) error // nil for what cannot happen to such a file
}

func flip(at func(size int64) int64) func(string, fs.FileInfo) error {
	return func(path string, info fs.FileInfo) error {
		if !info.Mode().IsRegular() || info.Size() == 0 {
			return errImpossible
		}
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			return err
		}
		b := make([]byte, 1)
		_, err = f.ReadAt(b, at(info.Size()))
		b[0] ^= 4
		_, again := f.WriteAt(b, at(info.Size()))
		return errors.Join(err, again, f.Close())
	}
}

func cut(to func(size int64) int64) func(string, fs.FileInfo) error {
	return func(path string, info fs.FileInfo) error {
		if !info.Mode().IsRegular() || info.Size() == 0 {
			return errImpossible
		}
		return os.Truncate(path, to(info.Size()))
	}
}

var errImpossible = errors.New("cannot happen to such a file")

var damages = []damage{
	{"it is gone", func(path string, _ fs.FileInfo) error { return os.RemoveAll(path) }},
	{"it is empty, as after a crash", cut(func(int64) int64 { return 0 })},
	{"half of it is missing", cut(func(size int64) int64 { return size / 2 })},
	{"a block was never written", func(path string, info fs.FileInfo) error {
		if !info.Mode().IsRegular() || info.Size() == 0 {
			return errImpossible
		}
		return errors.Join(os.Truncate(path, 0), os.Truncate(path, info.Size()))
	}},
	{"its first byte fell over", flip(func(int64) int64 { return 0 })},
	{"one in the middle did", flip(func(size int64) int64 { return size / 2 })},
	{"the last did", flip(func(size int64) int64 { return size - 1 })},
	{"something was added", func(path string, info fs.FileInfo) error {
		if info.IsDir() {
			return os.WriteFile(filepath.Join(path, "more"), nil, 0o600)
		}
		if !info.Mode().IsRegular() {
			return errImpossible
		}
		return os.WriteFile(path, bytes.Repeat([]byte("0"), int(info.Size()+1)), 0)
	}},
	{"others may do more with it", func(path string, info fs.FileInfo) error {
		if info.Mode()&fs.ModeSymlink != 0 || filepath.Base(path) == manifestName {
			return errImpossible // or it says nothing about the content
		}
		return os.Chmod(path, info.Mode().Perm()^0o050)
	}},
	{"it is another thing now", func(path string, info fs.FileInfo) error {
		if err := os.RemoveAll(path); err != nil {
			return err
		}
		if info.IsDir() {
			return os.WriteFile(path, nil, 0o600)
		}
		return os.Mkdir(path, 0o700)
	}},
	{"it leads elsewhere", func(path string, info fs.FileInfo) error {
		return errors.Join(os.RemoveAll(path), os.Symlink("/etc/passwd", path))
	}},
}

// parts returns everything that is below a folder, by its path there.
func parts(t *testing.T, dir string) (list []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if path != dir {
			list = append(list, path[len(dir)+1:])
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestDamage damages each file of an entry in every possible way: the entry must be there as it was
// stored or not at all, be reported once, and make room for a new one.
func TestDamage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := open(t, dir, 0)
	place := c.path(key("k"))
	store := func() {
		t.Helper()
		e, err := c.Put(key("k"), tree)
		if err != nil {
			t.Fatal(err)
		}
		e.Close()
	}
	store()
	tried := 0
	for _, name := range parts(t, place) {
		if name == filesName {
			continue // its permissions and what else is beside it are no part of the content
		}
		for _, d := range damages {
			path := filepath.Join(place, name)
			info, err := os.Lstat(path)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if err := d.do(path, info); errors.Is(err, errImpossible) {
				continue
			} else if err != nil {
				t.Fatal(err)
			}
			tried++
			for _, judge := range []*Cache{c, open(t, dir, 0)} { // the one that stored it, and another
				if e, err := judge.Get(key("k")); e != nil || err != nil {
					t.Fatalf("%s: %s: and it passes for the entry (%v)", name, d.why, err)
				}
				list := judge.Damaged()
				if judge == c && (len(list) != 1 || !strings.HasPrefix(list[0], "entry "+string(key("k"))+": ")) || judge != c && len(list) > 0 {
					t.Errorf("%s: %s: told are %q, want one line by the first to find it", name, d.why, list)
				}
			}
			store()
			e, err := c.Get(key("k"))
			if err != nil || e == nil {
				t.Fatalf("%s: %s: it cannot be made anew (%v)", name, d.why, err)
			}
			if text, err := e.Read("small"); err != nil || string(text) != "a line\n" {
				t.Errorf("%s: %s: made anew it is %q (%v)", name, d.why, text, err)
			}
			e.Close()
		}
	}
	if tried < 40 {
		t.Errorf("%d kinds of damage were tried", tried)
	}
	if left := parts(t, c.making()); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

// TestManifestBits flips every bit of a manifest.
func TestManifestBits(t *testing.T) {
	t.Parallel()
	c := open(t, t.TempDir(), 0)
	e, err := c.Put(key("k"), func(string) error { return nil }) // as a note that something is so
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
		// It is held, so that it is still there for the next one.
		if e, err := c.Get(key("k")); e != nil || err != nil {
			t.Fatalf("with bit %d another it passes for the entry (%v)", i, err)
		}
	}
	// A valid entry of another key is not an entry of this one.
	if err := os.WriteFile(manifest, text, 0o600); err != nil {
		t.Fatal(err)
	}
	e.Close()
	if err := os.Rename(c.path(key("k")), c.path(key("l"))); err != nil {
		t.Fatal(err)
	}
	if e, err := c.Get(key("l")); e != nil || err != nil {
		t.Errorf("an entry under another key passes for its own (%v)", err)
	}
}

// TestDamageInUse damages an entry while others hold it and makes it again: they must find a sound
// one at its paths.
func TestDamageInUse(t *testing.T) {
	t.Parallel()
	c := open(t, t.TempDir(), 0)
	held, err := c.Put(key("k"), tree)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(held.Path("small"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if text, err := held.Read("small"); err == nil {
		t.Errorf("its holder reads %q from it", text)
	}
	if e, err := c.Get(key("k")); e != nil || err != nil {
		t.Fatalf("a damaged entry passes for one (%v)", err)
	}
	e, err := c.Put(key("k"), tree)
	if err != nil {
		t.Fatalf("it cannot be made anew while it is held: %v", err)
	}
	defer e.Close()
	for who, e := range map[string]*Entry{"the other": held, "the new one": e} {
		if text, err := e.Read("small"); err != nil || string(text) != "a line\n" {
			t.Errorf("%s reads %q (%v)", who, text, err)
		}
	}
	held.Close()
	open(t, c.dir, 0)
	if left := parts(t, c.making()); len(left) > 0 {
		t.Errorf("nobody holds what is left behind: %q", left)
	}
}

// TestReplaceInUse replaces an entry that a descriptor holds, as in a child process between its
// fork and its exec.
func TestReplaceInUse(t *testing.T) {
	t.Parallel()
	c := open(t, t.TempDir(), 0)
	text := func(said string) func(string) error {
		return func(dir string) error { return os.WriteFile(filepath.Join(dir, "text"), []byte(said), 0o600) }
	}
	held, err := c.Put(key("k"), text("old"))
	if err != nil {
		t.Fatal(err)
	}
	c.Drop(key("k"))
	for _, tt := range []struct {
		put  func(Key, func(string) error) (*Entry, error)
		said string
		want string
	}{{c.Put, "new", "old"}, {c.Replace, "new", "new"}, {c.Put, "newer", "new"}} {
		e, err := tt.put(key("k"), text(tt.said))
		if err != nil {
			t.Fatal(err)
		}
		if said, err := e.Read("text"); string(said) != tt.want || err != nil {
			t.Errorf("%q is stored after %q was written (%v)", said, tt.said, err)
		}
		e.Close()
	}
	held.Close()
	e, err := c.Replace(key("other"), text("first"))
	if err != nil {
		t.Fatalf("there is nothing to replace: %v", err)
	}
	e.Close()
	open(t, c.dir, 0)
	if left := parts(t, c.making()); len(left) > 0 {
		t.Errorf("nobody holds what is left behind: %q", left)
	}
}

// TestLargeFilesAreReadOnce checks that the hash of a large file is remembered while the file does
// not change.
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
		t.Fatalf("of a file that was written just now %d hashes are relied on", len(c.hashes))
	}
	c.now = func() time.Time { return time.Now().Add(time.Hour) }
	if !get() || len(c.hashes) != 1 {
		t.Fatalf("the hashes of %d files are remembered, want that of the large one", len(c.hashes))
	}
	for id := range c.hashes {
		c.hashes[id] = sum{} // shows whether it is relied on
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
		t.Fatal("the entry is not there")
	}
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	for now := before; now.ModTime().Equal(before.ModTime()); { // until the clock of the file system goes on
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
		t.Error("a large file that was changed passes for what it was")
	}
}

// TestFolder checks that damage to a folder of another program is found, and that the program's own
// changes are not taken for damage.
func TestFolder(t *testing.T) {
	t.Parallel()
	c := open(t, t.TempDir(), 0)
	f, err := c.Folder("packages")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	sound := func(name string, sum [sha256.Size]byte) bool { // a file is called by its hash, as in Go's cache
		hash, ok := strings.CutSuffix(filepath.Base(name), "-d")
		return !ok || hash == hex.EncodeToString(sum[:])
	}
	make := func(text string) string {
		t.Helper()
		sum := sha256.Sum256([]byte(text))
		path := filepath.Join(f.Dir, "aa", hex.EncodeToString(sum[:])+"-d")
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
		return path
	}
	one, other := make("one"), make("other")
	note := filepath.Join(f.Dir, "aa", "note-a")
	os.WriteFile(note, []byte("1"), 0o600)
	if f.Sound("list", sound) {
		t.Error("it is sound before there is a list")
	}
	if ok, err := f.Seal("list", sound); !ok || err != nil || !f.Sound("list", sound) {
		t.Fatalf("Seal: %v, %v", ok, err)
	}
	make("more")
	if !f.Sound("list", sound) {
		t.Error("what was added since makes it unsound")
	}
	os.WriteFile(note, []byte("2"), 0o600)
	if f.Sound("list", sound) || len(c.Damaged()) > 0 {
		t.Error("what its owner wrote anew is no damage, and yet another list is needed")
	}
	if ok, err := f.Seal("list", sound); !ok || err != nil {
		t.Fatalf("Seal: %v, %v", ok, err)
	}
	os.WriteFile(one, []byte("on"), 0o600)
	if f.Sound("list", sound) || len(c.Damaged()) != 1 {
		t.Error("a damaged file is not found, or not told of")
	}
	if _, err := os.Stat(one); err == nil {
		t.Error("a damaged file is left where it was")
	}
	if _, err := os.Stat(other); err != nil {
		t.Errorf("a sound file is gone: %v", err)
	}
	os.WriteFile(other, nil, 0o600)
	if ok, err := f.Seal("list", sound); ok || err != nil || len(c.Damaged()) != 1 {
		t.Errorf("a damaged file is sealed (%v)", err)
	}
	if ok, err := f.Seal("list", sound); !ok || err != nil {
		t.Fatalf("Seal without it: %v, %v", ok, err)
	}
	list := filepath.Join(f.Dir, "list")
	text, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	for i := range text {
		for _, bad := range [][]byte{append(bytes.Clone(text[:i]), text[i]^1), bytes.Clone(text[:i])} {
			if len(bad) == i+1 {
				bad = append(bad, text[i+1:]...)
			}
			os.WriteFile(list, bad, 0o600)
			if f.Sound("list", sound) {
				t.Fatalf("a list of which byte %d is wrong, or the end from there is missing, passes", i)
			}
		}
	}
}

// TestTrimFolders checks that folders beside the entries count, and are removed as a whole if they
// are not in use and were not used for the longest time.
func TestTrimFolders(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why   string
		held  bool
		older bool // than the entry
		want  []string
	}{
		{"it was used longest ago", false, true, []string{"entry"}},
		{"the entry was", false, false, []string{"folder"}},
		{"it was, and is in use", true, true, []string{"folder"}},
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
			at = time.Now().Add(-time.Hour)
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
			t.Errorf("%s: left are %q, want %q", tt.why, left, tt.want)
		}
	}
}
