package cache

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"tribunal/judge/internal/limits"
)

func open(t *testing.T, dir string, size limits.Bytes) *Cache {
	t.Helper()
	c, err := Open(dir, size)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func key(text string) Key {
	h := NewHasher("test")
	h.Text(text)
	return h.Key()
}

func fill(text string) func(string) error {
	return func(dir string) error { return os.WriteFile(filepath.Join(dir, "f"), []byte(text), 0o600) }
}

func read(t *testing.T, e *Entry) string {
	t.Helper()
	text, err := os.ReadFile(e.Path("f"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestHasherFramesParts(t *testing.T) {
	t.Parallel()
	a, b := NewHasher("k"), NewHasher("k")
	a.Text("ab", "c")
	b.Text("a", "bc")
	if a.Key() == b.Key() {
		t.Error("bytes moved from one part to the next must change the key")
	}
	a, b = NewHasher("k"), NewHasher("k")
	a.Text("a", "b")
	b.Text("a" + strings.Repeat("\x00", 8) + "b")
	if a.Key() == b.Key() {
		t.Error("a part with zeros must differ from two parts")
	}
	if NewHasher("k").Key() == NewHasher("l").Key() {
		t.Error("keys of different kinds must differ")
	}
}

func TestPutAndGet(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := open(t, dir, 0)
	if e, err := c.Get(key("a")); e != nil || err != nil {
		t.Fatalf("Get of an empty cache: %v %v", e, err)
	}
	e, err := c.Put(key("a"), fill("one"))
	if err != nil || read(t, e) != "one" {
		t.Fatalf("Put: %v", err)
	}
	e.Close()
	// Another judge opens the same cache later.
	e, err = open(t, dir, 0).Get(key("a"))
	if err != nil || e == nil || read(t, e) != "one" {
		t.Fatalf("Get: %v %v", e, err)
	}
	e.Close()
	if err := e.Close(); err != nil {
		t.Errorf("closing twice: %v", err)
	}
}

func TestPutFailing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := open(t, dir, 0)
	mine := errors.New("mine")
	if _, err := c.Put(key("a"), func(d string) error {
		os.WriteFile(filepath.Join(d, "half"), nil, 0o600)
		return mine
	}); err != mine {
		t.Fatalf("Put must return the error of fill unchanged, got %v", err)
	}
	if e, _ := c.Get(key("a")); e != nil {
		t.Error("a failed Put left an entry")
	}
	left, _ := os.ReadDir(filepath.Join(dir, "making"))
	if len(left) != 0 {
		t.Errorf("a failed Put left %v", left)
	}
}

// TestManyJudges opens one cache in many goroutines, as many judges would. They put the same keys
// while half of them trim: each must see only complete entries.
func TestManyJudges(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var all sync.WaitGroup
	for judge := range 8 {
		all.Go(func() {
			c := open(t, dir, 1) // every entry exceeds the cap of 1 byte
			for i := range 50 {
				text := fmt.Sprint(i % 5)
				e, err := c.Put(key(text), fill(text))
				if err != nil {
					t.Errorf("Put: %v", err)
					continue
				}
				if got, err := os.ReadFile(e.Path("f")); err != nil || string(got) != text {
					t.Errorf("an entry in use changed: %q, %v", got, err)
				}
				e.Close()
				if judge%2 == 0 {
					if err := c.Trim(); err != nil {
						t.Errorf("Trim: %v", err)
					}
				}
			}
		})
	}
	all.Wait()
}

func TestDrop(t *testing.T) {
	t.Parallel()
	c := open(t, t.TempDir(), 0)
	c.Drop(key("k")) // no such entry: nothing happens
	held, err := c.Put(key("k"), fill("first"))
	if err != nil {
		t.Fatal(err)
	}
	c.Drop(key("k"))
	if got := read(t, held); got != "first" {
		t.Errorf("an entry in use holds %q after it was dropped", got)
	}
	held.Close()
	c.Drop(key("k"))
	e, err := c.Put(key("k"), fill("second"))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if got := read(t, e); got != "second" {
		t.Errorf("after Drop and Put the entry still holds %q", got)
	}
}

func TestTrim(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := open(t, dir, 2700)
	text := strings.Repeat("x", 1000)
	for i, name := range []string{"oldest", "held", "used", "new"} {
		e, err := c.Put(key(name), fill(text))
		if err != nil {
			t.Fatal(err)
		}
		e.Close()
		at := time.Now().Add(time.Duration(i-10) * time.Hour)
		os.Chtimes(c.path(key(name)), at, at)
	}
	held, _ := c.Get(key("held"))
	at := time.Now().Add(-9 * time.Hour)
	os.Chtimes(c.path(key("held")), at, at)
	used, _ := c.Get(key("used")) // counts as a use now
	used.Close()
	if err := c.Trim(); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{
		"oldest": false, // the least recently used
		"held":   true,  // old, but in use
		"used":   true,  // the Get above was its last use
		"new":    false, // removed instead of "held"
	} {
		e, err := c.Get(key(name))
		if err != nil || (e != nil) != want {
			t.Errorf("after Trim %s is there: %v, want %v (%v)", name, e != nil, want, err)
		}
	}
	held.Close()
}

// TestTrimCounts checks when Trim counts the cache: entries that appear without a record are found only then.
func TestTrimCounts(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why    string
		grow   int // bytes of an entry that is stored after the first count
		later  time.Duration
		damage func(file string) error
		counts bool
	}{
		{"there is room", 100, time.Minute, nil, false},
		{"what was stored leaves no room", 6000, time.Minute, nil, true},
		{"the count is old", 100, 2 * time.Hour, nil, true},
		{"the clock went back", 100, -time.Hour, nil, true},
		{"the record is gone", 100, time.Minute, os.Remove, true},
		{"the record is empty", 100, time.Minute, func(f string) error { return os.Truncate(f, 0) }, true},
		{"the record is damaged", 100, time.Minute, func(f string) error { return os.WriteFile(f, []byte("soon\n1\n"), 0o600) }, true},
		{"a size is negative", 100, time.Minute, func(f string) error {
			return os.WriteFile(f, fmt.Appendf(nil, "%d\n-5000\n", time.Now().Unix()), 0o600)
		}, true},
		{"the record is a folder", 100, time.Minute, func(f string) error { return errors.Join(os.Remove(f), os.Mkdir(f, 0o700)) }, true},
	} {
		c := open(t, t.TempDir(), 10_000)
		put := func(name string, size int) {
			e, err := c.Put(key(name), fill(strings.Repeat("x", size)))
			if err != nil {
				t.Fatal(err)
			}
			e.Close()
		}
		put("first", 1000)
		if err := c.Trim(); err != nil {
			t.Fatal(err)
		}
		if tt.damage != nil {
			if err := tt.damage(c.counted()); err != nil {
				t.Fatal(err)
			}
		}
		// No judge recorded this one, which is older than all.
		put("unrecorded", 20_000)
		c.grown.Store(0)
		at := time.Now().Add(-100 * 24 * time.Hour)
		if err := os.Chtimes(c.path(key("unrecorded")), at, at); err != nil {
			t.Fatal(err)
		}
		put("second", tt.grow)
		put("third", tt.grow/2)
		c.now = func() time.Time { return time.Now().Add(tt.later) }
		err := c.Trim()
		e, getErr := c.Get(key("unrecorded"))
		if getErr != nil {
			t.Fatal(getErr)
		}
		if e != nil {
			e.Close()
		}
		if counted := e == nil; counted != tt.counts {
			t.Errorf("%s: counted: %v, want %v (%v)", tt.why, counted, tt.counts, err)
		}
	}
}

// TestTrimLarge checks that a large entry goes before small ones that were used about as long ago.
func TestTrimLarge(t *testing.T) {
	t.Parallel()
	c := open(t, t.TempDir(), 10_000)
	for i, size := range []int{100, 6000, 4000} {
		e, err := c.Put(key(fmt.Sprint(size)), fill(strings.Repeat("x", size)))
		if err != nil {
			t.Fatal(err)
		}
		e.Close()
		at := time.Now().Add(time.Duration(i-3) * time.Hour)
		os.Chtimes(c.path(key(fmt.Sprint(size))), at, at)
	}
	if err := c.Trim(); err != nil {
		t.Fatal(err)
	}
	for size, want := range map[int]bool{100: true, 6000: false, 4000: true} {
		if e, err := c.Get(key(fmt.Sprint(size))); err != nil || (e != nil) != want {
			t.Errorf("after Trim the entry of %d bytes is there: %v, want %v (%v)", size, e != nil, want, err)
		}
	}
}

// trimVariable is set for a child process of TestTrimIsKilled: the folder of the cache to trim.
const trimVariable = "TRIBUNAL_TEST_TRIM"

// TestTrimIsKilled kills a judge while it removes an entry: Get must not return the remains.
func TestTrimIsKilled(t *testing.T) {
	if dir := os.Getenv(trimVariable); dir != "" {
		c := open(t, dir, 1)
		c.grown.Store(1) // as if this process had stored the entry
		c.Trim()
		return
	}
	// Not beside other tests: until its execve, a child holds all locks of its parent, and so keeps entries from removal.
	const files = 5000
	dir := t.TempDir()
	c := open(t, dir, 0)
	e, err := c.Put(key("large"), func(dir string) error {
		for i := range files {
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), []byte("x"), 0o600); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	e.Close()
	judge := exec.Command(os.Args[0], "-test.run=^TestTrimIsKilled$")
	judge.Env = append(os.Environ(), trimVariable+"="+dir)
	if err := judge.Start(); err != nil {
		t.Fatal(err)
	}
	left := func() int {
		list, _ := os.ReadDir(filepath.Join(c.path(key("large")), filesName))
		return len(list)
	}
	for deadline := time.Now().Add(time.Minute); left() == files && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	judge.Process.Kill()
	judge.Wait()
	if e, err := c.Get(key("large")); e != nil || err != nil {
		t.Errorf("Get returns an entry of which %d of %d files are left (%v)", left(), files, err)
	}
	open(t, dir, 0)
	if left, err := os.ReadDir(c.making()); len(left) > 0 || err != nil {
		t.Errorf("the next judge has not swept %d folders, %v", len(left), err)
	}
}

// TestOpenSweeps checks that Open removes unfinished entries of dead judges, and keeps those that
// living judges are making.
func TestOpenSweeps(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := open(t, dir, 0)
	dead := filepath.Join(dir, "making", "dead")
	if err := os.MkdirAll(filepath.Join(dead, "some", "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	e, err := c.Put(key("living"), func(making string) error {
		open(t, dir, 0) // another judge starts
		if _, err := os.Stat(dead); err == nil {
			t.Error("the unfinished entry of a dead judge is still there")
		}
		return fill("text")(making)
	})
	if err != nil {
		t.Fatalf("Put while another judge starts: %v", err)
	}
	e.Close()
}

func TestOpenRefused(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	os.WriteFile(file, nil, 0o600)
	if _, err := Open(file, 0); err == nil || !strings.Contains(err.Error(), "hint:") {
		t.Errorf("Open on a file: %v, want an error with a hint", err)
	}
}

// TestReplaceInUse replaces an entry that an open descriptor locks, as a child process does between
// its fork and its exec.
func TestReplaceInUse(t *testing.T) {
	t.Parallel()
	c := open(t, t.TempDir(), 0)
	held, err := c.Put(key("k"), fill("old"))
	if err != nil {
		t.Fatal(err)
	}
	c.Drop(key("k"))
	for _, tt := range []struct {
		put  func(Key, func(string) error) (*Entry, error)
		text string
		want string
	}{{c.Put, "new", "old"}, {c.Replace, "new", "new"}, {c.Put, "newer", "new"}} {
		e, err := tt.put(key("k"), fill(tt.text))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := e.Read("f"); string(got) != tt.want || err != nil {
			t.Errorf("after storing %q the entry holds %q (%v), want %q", tt.text, got, err, tt.want)
		}
		e.Close()
	}
	held.Close()
	e, err := c.Replace(key("other"), fill("first"))
	if err != nil {
		t.Fatalf("Replace without an entry: %v", err)
	}
	e.Close()
	open(t, c.dir, 0)
	if left := paths(t, c.making()); len(left) > 0 {
		t.Errorf("not swept, though no process holds them: %q", left)
	}
}
