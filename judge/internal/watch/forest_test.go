package watch

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
)

// TestTimesCannotTell writes two versions of the same length within one step of file times. It
// checks that an event distinguishes them, or the hash of their content if there is no event.
func TestTimesCannotTell(t *testing.T) {
	t.Parallel()
	d := newTestFolder(t)
	d.do("mkdir r; echo one >r/f")
	f := &forest{kernel: &kernel{}, watched: map[string]fileID{}, names: map[fileID]string{}}
	f.kernel.add = func(string) error { return nil }
	if err := f.setRoots(d.paths("r")); err != nil {
		t.Fatal(err)
	}
	f.drain()
	path := filepath.Join(d.dir, "r/f")
	for _, op := range []fsnotify.Op{fsnotify.Write, fsnotify.Create, fsnotify.Chmod} {
		f.handle(fsnotify.Event{Name: path, Op: op})
		reported := slices.Contains(f.drain().changes, change{path, true, true})
		if reported != (op != fsnotify.Chmod) {
			t.Errorf("%v of a file that looks the same: reported is %v", op, reported)
		}
	}

	old, _ := stampOf(path, stamp{}, true)
	d.do("echo two >r/f")
	now, _ := stampOf(path, old, true)
	now.mtime, now.ctime = old.mtime, old.ctime
	if now.same(old) {
		t.Error("a different content of the same length counts as unchanged")
	}
	if old = old.aged(time.Now().Add(coarseStep)); old.sum != 0 {
		t.Error("the hash is kept although the times are reliable")
	}
	if !now.same(old) {
		t.Error("a content without a hash counts as changed")
	}
}

// TestReaderSawAnotherFolder creates a file again after its removal was reported, and removes it
// again before the watcher scans its folder. The file must be reported once more, because the
// reader may have read it in between.
func TestReaderSawAnotherFolder(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, root string
		polled    bool
		after     string // commands that run after the second r/d/f was created
	}{
		{"the folder is new", "r", false, "rm r/d/f"},
		{"the folder is gone", "r", false, "rm -r r/d"},
		{"a file is in its place", "r", false, "rm -r r/d; echo >r/d"},
		{"the root is new", "r/d", false, "rm r/d/f"},
		{"the root is gone", "r/d", false, "rm -r r/d"},
		{"a file is in place of the root", "r/d", false, "rm -r r/d; echo >r/d"},
		{"polled", "r", true, "rm r/d/f"},
		{"polled, a file is in its place", "r", true, "rm -r r/d; echo >r/d"},
		{"polled, the root is new", "r/d", true, "rm r/d/f"},
		{"polled, a file is in place of the root", "r/d", true, "rm -r r/d; echo >r/d"},
	} {
		d := newTestFolder(t)
		d.do("mkdir -p r/d; echo >r/d/f")
		f := &forest{watched: map[string]fileID{}, names: map[fileID]string{}}
		if !tt.polled {
			nothing := func(string) error { return nil }
			f.kernel = &kernel{add: nothing, remove: nothing}
		}
		if err := f.setRoots(d.paths(tt.root)); err != nil {
			t.Fatal(err)
		}
		f.drain()
		look := func(op fsnotify.Op) {
			if tt.polled {
				f.scanAll()
			} else {
				f.handle(fsnotify.Event{Name: d.paths("r/d")[0], Op: op})
			}
		}
		b := &batcher{next: map[string]change{}, gone: map[string]bool{}}

		d.do("rm -r r/d")
		look(fsnotify.Remove)
		b.add(f.drain(), time.Now())
		b.received()
		d.do("mkdir r/d; echo >r/d/f; " + tt.after)
		look(fsnotify.Create)
		b.add(f.drain(), time.Now())
		if _, reported := b.next[d.paths("r/d/f")[0]]; !reported {
			t.Errorf("%s: the file that the reader may have read is not reported, only %v", tt.why, b.next)
		}
	}
}

// TestFolderIsWatchedBeforeItIsRead creates a file in a new folder before the kernel watches the
// folder. It checks that the file is reported although there is no event.
func TestFolderIsWatchedBeforeItIsRead(t *testing.T) {
	t.Parallel()
	d := newTestFolder(t)
	d.do("mkdir r")
	d.watchWith(func(k *kernel) {
		add := k.add
		k.add = func(dir string) error {
			if filepath.Base(dir) == "new" {
				d.do("echo >r/new/early")
			}
			return add(dir)
		}
	}, "r")
	d.do("mkdir r/new")
	d.until("r/new/early", false)
}

// TestRootCameAndWentBetweenLooks checks that a root that existed only between two scans is
// reported as a possible change, because the reader may have read it.
func TestRootCameAndWentBetweenLooks(t *testing.T) {
	t.Parallel()
	d := newTestFolder(t)
	d.do("touch -d yesterday .") // so that the folder's times are reliable
	f := &forest{}
	if err := f.setRoots(d.paths("f")); err != nil {
		t.Fatal(err)
	}
	for _, want := range []int{0, 1} {
		if want > 0 {
			d.do("echo >f; rm f")
		}
		f.scanAll()
		if got := len(f.drain().changes); got != want {
			t.Errorf("%d changes, want %d", got, want)
		}
	}
}
