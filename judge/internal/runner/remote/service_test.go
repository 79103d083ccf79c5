//go:build linux

package remote

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"tribunal/internal/tier"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/runner/runnertest"
	"tribunal/judge/internal/sandbox"
)

// caller names the environment variable with the service's socket; if it is set, TestCaller calls
// that service.
const caller = "TRIBUNAL_TEST_CALLER"

// The account and the group of a caller in tests.
const (
	account = 54321
	members = 54399
)

// plenty is a quota that tests reach only on purpose.
var plenty = Quota{Connections: 16, Runs: 4, Memory: 8 * limits.GiB}

// serve starts a service for the group on a socket in a folder that everyone can enter. It ends
// when end is called, at the latest when the test ends.
func serve(t *testing.T, quota Quota) (path string, s *Service, end func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("not checked: the service (not root)")
	}
	dir, err := os.MkdirTemp("", "tribunal-service-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	host, err := sandbox.Open(sandbox.Container)
	if err != nil {
		t.Skipf("not checked: %v", err)
	}
	path = filepath.Join(dir, "runner.sock")
	l, err := Listen(path, members)
	if err = errors.Join(err, os.Chmod(dir, 0o755)); err != nil {
		t.Fatal(err)
	}
	s = NewService(host, members, quota, DefaultShown)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- s.Serve(ctx, l) }()
	end = func() {
		if host == nil {
			return
		}
		cancel()
		if err := errors.Join(<-done, host.Close()); err != nil {
			t.Error(err)
		}
		host = nil
	}
	t.Cleanup(end)
	return path, s, end
}

// TestRemote runs the conformance suite on a runner that uses a service.
func TestRemote(t *testing.T) {
	tier.T2(t, "the contract of runners with real programs, through a service")
	path, s, end := serve(t, plenty)
	r, err := Dial(path)
	if err != nil {
		t.Fatal(err)
	}
	if f := r.Facts(); f.Mechanisms.Service != path || f.Mechanisms.CPU != s.host.Mechanisms().CPU || f.Runs == 0 {
		t.Errorf("the facts are %+v", f)
	}
	runnertest.Suite(t, runnertest.Subject{Runner: r, Kill: runnertest.KillInits})
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	end()
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "tribunal-host-*", "shown-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestAnother repeats TestCaller in a process of another account, which is in the group.
func TestAnother(t *testing.T) {
	tier.T2(t, "another account that uses the service")
	path, _, _ := serve(t, plenty)
	out, err := asAnother(t, path, "TestCaller", members)
	if err != nil || !strings.Contains(out, "--- PASS: TestCaller") {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestStranger checks that the socket refuses an account outside the group, and that the service
// does if the socket lets it in.
func TestStranger(t *testing.T) {
	path, _, _ := serve(t, plenty)
	if out, err := asAnother(t, path, "TestCaller"); err == nil || !strings.Contains(out, "permission denied") {
		t.Errorf("not refused by the socket: %v\n%s", err, out)
	}
	if err := os.Chmod(path, 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := asAnother(t, path, "TestCaller"); err == nil || !strings.Contains(out, "account 54321 is not in its group") {
		t.Errorf("not refused by the service: %v\n%s", err, out)
	}
}

// asAnother runs a test of this program as another account with these groups.
func asAnother(t *testing.T, socket, test string, groups ...uint32) (string, error) {
	t.Helper()
	dir, err := os.MkdirTemp("", "tribunal-caller-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "caller")
	err = errors.Join(os.Chmod(dir, 0o755), copyFile("/proc/self/exe", program), os.Chmod(program, 0o755), os.Mkdir(dir+"/tmp", 0o777), os.Chmod(dir+"/tmp", 0o777))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, "-test.run", "^"+test+"$", "-test.v")
	cmd.Dir, cmd.Env = "/", append(os.Environ(), caller+"="+socket, "TMPDIR="+dir+"/tmp", "HOME="+dir+"/tmp")
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: account, Gid: account, Groups: groups}}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o755)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// TestCaller runs in a process of another account, started by the tests above.
func TestCaller(t *testing.T) {
	path := os.Getenv(caller)
	if path == "" {
		t.Skip("run by others")
	}
	r, err := Dial(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	runnertest.Suite(t, runnertest.Subject{Runner: r})
}

// connect returns a connection to a service, after its hello.
func connect(t *testing.T, path string) *net.UnixConn {
	t.Helper()
	c, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if f, err := read(c, maxReply, 0); err != nil || f.kind != kindHello {
		t.Fatalf("no hello, but %q %s (%v)", f.kind, f.text, err)
	}
	return c
}

// soon waits until is returns true, for longer than a busy host takes.
func soon(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(5 * time.Minute); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("never: %s", what)
		}
	}
}
