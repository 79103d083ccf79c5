package watch

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"

	"tribunal/internal/tier"
)

// watchWith watches roots with a kernel that change has modified.
func (d *testFolder) watchWith(change func(*kernel), roots ...string) {
	d.t.Helper()
	w, err := start(d.paths(roots...), Options{Quiet: 30 * time.Millisecond}, func() (*kernel, error) {
		k, err := inotify()
		if err == nil {
			change(k)
		}
		return k, err
	})
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { w.Close() })
	d.w = w
}

// until receives batches until one has the path or, with lost, reports lost events.
func (d *testFolder) until(path string, lost bool) {
	d.t.Helper()
	for {
		select {
		case b := <-d.w.Batches():
			if lost && b.Lost || slices.Contains(b.Paths, filepath.Join(d.dir, path)) {
				return
			}
		case <-tier.Late(d.t):
			d.t.Fatalf("%s (lost: %v) was not reported", path, lost)
		}
	}
}

// TestSharedFileSystem checks that files are polled if the kernel does not learn of all changes in a
// folder, also in one that is made later.
func TestSharedFileSystem(t *testing.T) {
	t.Parallel()
	for _, shared := range []string{".", "later"} {
		d := newTestFolder(t)
		d.watchWith(func(k *kernel) {
			add := k.add
			k.add = func(dir string) error {
				if dir == filepath.Join(d.dir, shared) {
					return &silentError{dir, "FUSE"}
				}
				return add(dir)
			}
		}, ".")
		d.do("mkdir -p later; echo 1 >later/a")
		d.until("later/a", false)
		want := "files are polled: " + filepath.Join(d.dir, shared) + " is on a file system (FUSE) that does not report what others save there"
		if notes := d.w.Notes(); !slices.Equal(notes, []string{want}) {
			t.Errorf("%s: notes %q, want %q", shared, notes, want)
		}
		d.do("echo 22 >later/a")
		d.until("later/a", false)
	}
}

// TestWatchesRunOut checks that files are polled when the kernel has no watches left.
func TestWatchesRunOut(t *testing.T) {
	t.Parallel()
	const note = `^files are polled: all \d+ inotify watches of this account are in use \(hint: sysctl (fs\.inotify\.max_user_watches|user\.max_inotify_watches)=\d+\)$`
	for _, tt := range []struct {
		why   string
		left  int  // number of watches that the kernel has left
		later bool // only folders that are created later need more
	}{
		{"no watch is left", 0, false},
		{"enough watches for some folders", 2, false},
		{"enough watches for the folders at the start", 4, true},
	} {
		t.Run(tt.why, func(t *testing.T) {
			t.Parallel()
			d := newTestFolder(t)
			d.do("mkdir -p a/b; echo >a/b/f")
			left, before := tt.left, 0
			d.watchWith(func(k *kernel) {
				add := k.add
				k.add = func(dir string) error {
					if before++; left == 0 {
						return syscall.ENOSPC
					}
					left--
					return add(dir)
				}
			}, "a")
			if polled := len(d.w.Notes()) > 0; polled == tt.later {
				t.Errorf("after %d folders the notes are %q", before, d.w.Notes())
			}
			d.do("echo new >a/b/f")
			d.until("a/b/f", false)
			if tt.later {
				d.do("mkdir -p a/c/d/e")
				d.until("", true)
			}
			d.do("echo new >a/b/f; mkdir -p a/c/d/e; echo >a/c/d/e/g")
			d.until("a/c/d/e/g", false)
			if notes := d.w.Notes(); len(notes) != 1 || !regexp.MustCompile(note).MatchString(notes[0]) {
				t.Errorf("notes %q", notes)
			}
		})
	}
}

// TestOverflow overflows the kernel's queue of events before the watcher reads from it, and checks
// that the watcher reports lost events and continues.
func TestOverflow(t *testing.T) {
	t.Parallel()
	d := newTestFolder(t)
	d.do("mkdir -p r/a; echo >r/a/f; echo >r/a/g; echo >r/stop")
	stopped, resume := make(chan bool, 1), make(chan bool)
	stop := filepath.Join(d.dir, "r/stop")
	first := true // the first call comes from New
	w, err := New(d.paths("r"), Options{Quiet: 30 * time.Millisecond, Ignore: func(path string) bool {
		if path != stop {
			return false
		}
		if !first {
			select {
			case stopped <- true:
				<-resume
			default:
			}
		}
		first = false
		return false
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	d.w = w
	d.do("echo >r/stop")
	<-stopped
	most := 16384
	if text, err := os.ReadFile("/proc/sys/fs/inotify/max_queued_events"); err == nil {
		_, _ = fmt.Sscan(string(text), &most)
	}
	if most > 100_000 {
		close(resume)
		t.Skipf("not checked: lost events (the kernel keeps %d)", most)
	}
	for range most { // two files in turn, because the kernel merges equal events in a row
		for _, name := range []string{"r/a/f", "r/a/g"} {
			if err := os.Chmod(filepath.Join(d.dir, name), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	d.do("mkdir -p r/b/c; echo >r/b/c/f; rm -r r/a; mkdir r/a; echo >r/a/h")
	close(resume)
	d.until("", true)
	d.do("echo >r/b/c/g")
	d.until("r/b/c/g", false)
	d.do("echo >r/a/i")
	d.until("r/a/i", false)
}

// TestMovedAndRemovedIsNotLost checks that no events count as lost if a watch cannot be removed
// because its folder was moved and removed.
func TestMovedAndRemovedIsNotLost(t *testing.T) {
	t.Parallel()
	d := newTestFolder(t)
	d.do("mkdir a")
	k, err := inotify()
	if err != nil {
		t.Fatal(err)
	}
	if err := k.add(d.paths("a")[0]); err != nil {
		t.Fatal(err)
	}
	// fsnotify blocks until the loop below receives the creation of a/b. So it handles the move of a
	// when that folder is already gone.
	d.do("mkdir a/b; rmdir a/b; mv a c; rmdir c")
	for {
		e := <-k.events
		if e.Has(fsnotify.Rename) {
			break
		}
	}
	if err := k.close(); err != nil {
		t.Error(err)
	}
	if _, lost := <-k.lost; lost {
		t.Error("lost events are reported")
	}
}

// TestAccountLimits runs TestInAccount in a user namespace that allows few inotify watches, or no
// inotify instance. A user namespace has limits of its own for each account.
func TestAccountLimits(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ sysctl, note string }{
		{"max_inotify_watches", "files are polled: all 2 inotify watches of this account are in use (hint: sysctl user.max_inotify_watches=524288)"},
		{"max_inotify_instances", "files are polled: all 0 inotify instances of this account are in use (hint: sysctl user.max_inotify_instances=512)"},
	} {
		t.Run(tt.sysctl, func(t *testing.T) {
			t.Parallel()
			exe, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(exe, "-test.run=^TestInAccount$")
			cmd.Env = append(os.Environ(), "WATCH_TEST_SYSCTL="+tt.sysctl, "WATCH_TEST_NOTE="+tt.note)
			cmd.SysProcAttr = &syscall.SysProcAttr{
				Cloneflags:  syscall.CLONE_NEWUSER,
				UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
				GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
			}
			out, err := cmd.CombinedOutput()
			var failed *exec.ExitError
			switch {
			case err != nil && !errors.As(err, &failed):
				t.Skipf("not checked: limits of an account (no user namespace: %v)", err)
			case strings.Contains(string(out), "cannot be set"):
				t.Skipf("not checked: limits of an account (%s)", out)
			case err != nil:
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// TestInAccount checks that a watcher polls, and why, if the limit in WATCH_TEST_SYSCTL is too low.
func TestInAccount(t *testing.T) {
	sysctl := os.Getenv("WATCH_TEST_SYSCTL")
	if sysctl == "" {
		t.Skip("run by TestAccountLimits")
	}
	few := "2"
	if sysctl == instancesLimit {
		few = "0"
	}
	if err := os.WriteFile("/proc/sys/user/"+sysctl, []byte(few), 0o644); err != nil {
		t.Fatalf("the limit cannot be set: %v", err)
	}
	d := newTestFolder(t)
	d.do("mkdir -p a/b/c; echo >a/b/c/f")
	d.watch(Options{Quiet: 30 * time.Millisecond}, "a")
	d.scans = 3
	d.do("echo new >a/b/c/f")
	if got := d.changes(); len(got) != 1 || got[0] != "a/b/c/f" {
		t.Errorf("got %q", got)
	}
	if want, got := os.Getenv("WATCH_TEST_NOTE"), d.w.Notes(); len(got) != 1 || got[0] != want {
		t.Errorf("notes %q, want %q", got, want)
	}
}

const instancesLimit = "max_inotify_instances"

func TestClosed(t *testing.T) {
	t.Parallel()
	for _, mode := range modes {
		t.Run(mode.name, func(t *testing.T) {
			t.Parallel()
			d := newTestFolder(t)
			d.do("mkdir r")
			d.watch(Options{Poll: mode.poll}, "r")
			d.do("echo >r/f")
			for range 2 {
				if err := d.w.Close(); err != nil {
					t.Error(err)
				}
			}
			if b, more := <-d.w.Batches(); more {
				t.Errorf("a batch comes after Close: %q", b.Paths)
			}
			if err := d.w.Set(d.paths("r")); !errors.Is(err, os.ErrClosed) {
				t.Errorf("Set after Close: %v", err)
			}
		})
	}
}
