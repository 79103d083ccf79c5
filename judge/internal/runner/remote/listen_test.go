//go:build linux

package remote

import (
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// activated is an environment variable. If it is set, this test plays a service that systemd has
// started.
const activated = "TRIBUNAL_TEST_ACTIVATED"

// TestInherited starts a process the way systemd starts a service with a socket.
func TestInherited(t *testing.T) {
	if os.Getenv(activated) != "" {
		serveOnce(t)
		return
	}
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	f, err := l.File()
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, tt := range []struct{ set, want string }{
		{"LISTEN_PID=$$ LISTEN_FDS=1", "--- PASS"},
		{"LISTEN_PID=$$ LISTEN_FDS=2", "2 sockets were passed"},
		{"LISTEN_PID=1 LISTEN_FDS=1", "nothing was handed over"},
	} {
		cmd := exec.CommandContext(t.Context(), "sh", "-c", tt.set+` exec /proc/self/exe -test.run '^TestInherited$' -test.v`)
		exe, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		cmd.Args[2] = strings.Replace(cmd.Args[2], "/proc/self/exe", "'"+exe+"'", 1)
		cmd.Env, cmd.ExtraFiles = append(os.Environ(), activated+"=1"), []*os.File{f}
		done := make(chan string, 1)
		if strings.Contains(tt.want, "PASS") {
			go func() {
				c, err := net.Dial("unix", path)
				if err != nil {
					done <- err.Error()
					return
				}
				text, _ := io.ReadAll(c)
				done <- string(text)
			}()
		} else {
			done <- "served"
		}
		out, _ := cmd.CombinedOutput()
		if !strings.Contains(string(out), tt.want) {
			t.Errorf("%s: %s\nwant %q", tt.set, out, tt.want)
			return
		}
		if got := <-done; got != "served" {
			t.Errorf("%s: it says %q", tt.set, got)
		}
	}
}

func serveOnce(t *testing.T) {
	l, err := Inherited()
	if err != nil {
		t.Fatal(err)
	}
	if l == nil {
		t.Fatal("nothing was handed over")
	}
	c, err := l.Accept()
	if err == nil {
		_, err = io.WriteString(c, "served")
		err = errors.Join(err, c.Close())
	}
	if err != nil {
		t.Error(err)
	}
	if os.Getenv("LISTEN_FDS") != "" {
		t.Error("children would think that systemd had passed them a socket")
	}
}

// TestListen checks that Listen replaces a socket that no process listens to, and nothing else.
func TestListen(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "s")
	dead, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	dead.SetUnlinkOnClose(false)
	dead.Close()
	l, err := Listen(path, -1)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(path); err != nil || info.Mode().Perm() != 0o660 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if _, err := Listen(path, -1); err == nil || !strings.Contains(err.Error(), "another service") {
		t.Errorf("beside another: %v", err)
	}
	l.Close()
	if _, err := os.Lstat(path); err == nil {
		t.Error("the socket is still there")
	}
	if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Listen(path, -1); err == nil {
		t.Error("a socket in place of a regular file")
	}
}
