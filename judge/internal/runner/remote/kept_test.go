//go:build linux

package remote

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sync/semaphore"
	"golang.org/x/sys/unix"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
)

// TestTree sends a folder and checks that it is shown as long as the connection lasts.
func TestTree(t *testing.T) {
	path, s, _ := serve(t, plenty)
	dir := t.TempDir()
	if err := errors.Join(os.Mkdir(filepath.Join(dir, "in"), 0o700), os.WriteFile(filepath.Join(dir, "in", "a.sh"), []byte("echo from a folder of $1"), 0o600)); err != nil {
		t.Fatal(err)
	}
	r, err := Dial(path)
	if err != nil {
		t.Fatal(err)
	}
	p := runner.Program{
		Box:  sandbox.Spec{Mounts: []sandbox.Mount{{Source: dir, Target: "/build"}, {Source: "/bin", Target: "/bin"}, {Source: "/usr", Target: "/usr"}}},
		Args: []string{"/bin/sh", sandbox.Anywhere.Path("/build") + "/in/a.sh", "mine"}, Limits: limits.Limits{CPU: time.Minute, Wall: time.Minute, Memory: 64 * limits.MiB, Output: limits.MiB, Processes: 16},
	}
	for range 2 {
		var out bytes.Buffer
		if reply, err := r.Run(t.Context(), runner.Request{Program: p}, &out); err != nil || out.String() != "from a folder of mine\n" {
			t.Errorf("%+v, %q, %v", reply, out.String(), err)
		}
	}
	// Send more trees than are kept, one after the other, and the first one again.
	for i := range 2*keptTrees + 1 {
		name := filepath.Join(dir, "in", "a.sh")
		if err := os.WriteFile(name, []byte("echo number "+strconv.Itoa(i%(2*keptTrees))), 0o600); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if _, err := r.Run(t.Context(), runner.Request{Program: p}, &out); err != nil || out.String() != "number "+strconv.Itoa(i%(2*keptTrees))+"\n" {
			t.Errorf("folder %d: %q, %v", i, out.String(), err)
		}
	}
	left := func() int {
		list, _ := filepath.Glob(filepath.Join(s.host.Temp(), "shown-*"))
		return len(list)
	}
	if n := left(); n != keptTrees {
		t.Errorf("there are %d folders", n)
	}
	r.Close()
	soon(t, "the folder is gone", func() bool { return left() == 0 })
}

// TestExecutables checks that a connection keeps only a few executables, none of them large, and
// recognizes those that it has kept.
func TestExecutables(t *testing.T) {
	t.Parallel()
	var kept executables
	defer kept.close()
	take := func(f *os.File) *os.File {
		t.Helper()
		fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0)
		if err != nil {
			t.Fatal(err)
		}
		own, err := kept.get(&fd)
		if err != nil {
			t.Fatal(err)
		}
		if fd >= 0 {
			unix.Close(fd)
		}
		return own
	}
	first := blob(t, "first")
	own := take(first)
	for range 3 {
		take(blob(t, "another"))
	}
	if kept.trim(); take(first) != own || len(kept) != 4 {
		t.Errorf("%d executables are kept, or the first is not among them", len(kept))
	}
	take(blob(t, "one more"))
	if kept.trim(); len(kept) != 4 || take(first) != own {
		t.Errorf("%d executables are kept, or the last used is not among them", len(kept))
	}
	take(blob(t, strings.Repeat("large", keptBytes/5+1)))
	if kept.trim(); len(kept) != 0 {
		t.Errorf("%d executables are kept, want none because of the large one", len(kept))
	}
}

// TestShare checks that a user's runs and their memory are bounded, and that a cancelled request
// gives up its place in the queue.
func TestShare(t *testing.T) {
	t.Parallel()
	quota := Quota{Connections: 1, Runs: 2, Memory: 100}
	synctest.Test(t, func(t *testing.T) {
		u := &user{runs: semaphore.NewWeighted(int64(quota.Runs)), memory: semaphore.NewWeighted(int64(quota.Memory))}
		if _, err := u.share(t.Context(), quota, 101); err == nil || !strings.Contains(err.Error(), "one user may have") {
			t.Errorf("of too much: %v", err)
		}
		// share reports whether the user gets a run at once, and otherwise gives up.
		share := func(memory int64) (release func()) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			done := make(chan struct{})
			go func() {
				defer close(done)
				release, _ = u.share(ctx, quota, memory)
			}()
			synctest.Wait()
			select {
			case <-done:
				return release
			default:
			}
			cancel()
			<-done
			return nil
		}
		first := share(60)
		if share(60) != nil {
			t.Error("a run beyond the memory quota was admitted")
		}
		second := share(30)
		if first == nil || second == nil || share(1) != nil {
			t.Error("a run beyond the quota was admitted")
		}
		second()
		if share(40) == nil {
			t.Error("the released memory cannot be used again")
		}
	})
}

// TestLeft lets runs with different boxes leave large files behind. The service must remove them
// when the run ends, not only before the next run.
func TestLeft(t *testing.T) {
	path, _, _ := serve(t, plenty)
	c := connect(t, path)
	for i := range limits.Bytes(3) {
		r := sleeping("head -c 20000000 /dev/zero > /tmp/large; stat -f -c '%b %f' /tmp; sleep 12321")
		r.Program.Temp = (64 + i) * limits.MiB
		if err := write(c, kindRequest, encoded(t, r), blob(t, "")); err != nil {
			t.Fatal(err)
		}
		if f, err := read(c, maxReply, 0); err != nil || f.kind != kindOutput {
			t.Fatalf("%q %s (%v)", f.kind, f.text, err)
		}
		if err := write(c, kindCancel, nil); err != nil {
			t.Fatal(err)
		}
		if f, err := read(c, maxReply, 0); err != nil || f.kind != kindReply {
			t.Fatalf("%q %s (%v)", f.kind, f.text, err)
		}
	}
	inits, err := filepath.Glob("/proc/self/task/*/children")
	if err != nil {
		t.Fatal(err)
	}
	looked := 0
	for _, file := range inits {
		list, _ := os.ReadFile(file)
		for pid := range strings.FieldsSeq(string(list)) {
			var s unix.Statfs_t
			if unix.Statfs("/proc/"+pid+"/root/tmp", &s) != nil || s.Type != unix.TMPFS_MAGIC {
				continue
			}
			looked++
			if used := (s.Blocks - s.Bfree) * uint64(s.Bsize); used > 1e6 {
				t.Errorf("%d bytes are left in an idle box", used)
			}
		}
	}
	if looked < 3 {
		t.Errorf("looked at %d boxes", looked)
	}
}

// TestRestart replaces a service by another while a judge waits: one run is lost, as if its box had
// died, and the next succeeds, however many connections there were.
func TestRestart(t *testing.T) {
	path, s, end := serve(t, plenty)
	r, err := Dial(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for range 3 {
		c, _, err := r.dial()
		if err != nil {
			t.Fatal(err)
		}
		r.idle = append(r.idle, c)
	}
	end()
	host, err := sandbox.Open(sandbox.Container)
	if err != nil {
		t.Fatal(err)
	}
	defer host.Close()
	l, err := Listen(path, members)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- NewService(host, members, s.users.quota, DefaultShown).Serve(ctx, l) }()
	ask := func() (string, error) {
		p := runner.Program{
			Box:  sandbox.Spec{Mounts: []sandbox.Mount{{Source: "/bin", Target: "/bin"}, {Source: "/usr", Target: "/usr"}}},
			Args: []string{"/bin/echo", "here"}, Limits: sleeping("").Program.Limits,
		}
		var out bytes.Buffer
		_, err := r.Run(t.Context(), runner.Request{Program: p}, &out)
		return out.String(), err
	}
	if _, err := ask(); !errors.Is(err, sandbox.ErrDied) {
		t.Errorf("the run that is lost: %v", err)
	}
	if out, err := ask(); err != nil || out != "here\n" {
		t.Errorf("the next: %q, %v", out, err)
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
