//go:build linux

package sandbox

import (
	"errors"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"testing"

	"golang.org/x/sys/unix"
)

// TestStartInitFails checks that an init that cannot be started is an error of the kernel, and that
// no process and no descriptor is left of it.
func TestStartInitFails(t *testing.T) {
	h, err := Open(Container)
	if err != nil {
		t.Skipf("not checked: %v", err)
	}
	h.Close()
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	socket, other, null := os.NewFile(uintptr(pair[0]), "socket"), os.NewFile(uintptr(pair[1]), "socket"), input(t, "")
	defer socket.Close()
	defer other.Close()
	closed, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	accounts := idMaps{"0 " + strconv.Itoa(os.Geteuid()) + " 1\n", "0 " + strconv.Itoa(os.Getegid()) + " 1\n"}
	for _, tt := range []struct {
		why      string
		flags    uintptr
		accounts idMaps
		words    *os.File
		want     error
	}{
		{"namespaces that exclude each other", ownNamespaces | unix.CLONE_FS, accounts, null, unix.EINVAL},
		{"a step of the child fails", ownNamespaces, accounts, closed, unix.EBADF},
		{"no such account", ownNamespaces, idMaps{"0 0 0\n", accounts.gids}, null, unix.EINVAL},
		{"no such group", ownNamespaces, idMaps{accounts.uids, "0 0 0\n"}, null, unix.EINVAL},
	} {
		processes, descriptors := childrenOf(t), descriptorsOpen(t)
		_, err := startInit(tt.flags, tt.accounts, socket, tt.words)
		if _, ok := errors.AsType[*os.PathError](err); !ok || !errors.Is(err, tt.want) {
			t.Errorf("%s: got %v, want %v", tt.why, err, tt.want)
		}
		// Meanwhile, what earlier tests have left may end, and the collector may close it.
		for pid := range childrenOf(t) {
			if !processes[pid] {
				t.Errorf("%s: process %d remains", tt.why, pid)
			}
		}
		for file, n := range descriptorsOpen(t) {
			if n > descriptors[file] {
				t.Errorf("%s: %d descriptors of %s became %d", tt.why, descriptors[file], file, n)
			}
		}
	}
}

// TestStartInitSignals checks that the judge takes the signals that arrive while it starts inits, and
// that these start with no signal blocked.
func TestStartInitSignals(t *testing.T) {
	h, err := Open(Container)
	if err != nil {
		t.Skipf("not checked: %v", err)
	}
	defer h.Close()
	exe := compileC(t, `#include <signal.h>
int main(void) { sigset_t s; return sigprocmask(SIG_SETMASK, 0, &s) || !sigisemptyset(&s); }`)
	got := make(chan os.Signal, 1)
	signal.Notify(got, unix.SIGUSR1)
	defer signal.Stop(got)
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
				_ = unix.Kill(os.Getpid(), unix.SIGUSR1)
				<-got
			}
		}
	}()
	for range 8 {
		b, err := h.newContainer(Spec{})
		if err != nil {
			t.Error(err)
			break
		}
		if r, err := b.Run(t.Context(), Command{Args: []string{"/w/p"}, Exe: exe, Limits: usual}); err != nil || r.Stop != Exited || r.ExitCode != 0 {
			t.Errorf("signals are blocked: %+v %v", r, err)
		}
		b.Close()
	}
	close(stop)
	<-stopped
}

// descriptorsOpen returns how many descriptors this process has of each file, by what
// /proc/self/fd names it.
func descriptorsOpen(t *testing.T) map[string]int {
	t.Helper()
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	open := map[string]int{}
	for _, entry := range list {
		if file, err := os.Readlink(filepath.Join("/proc/self/fd", entry.Name())); err == nil {
			open[file]++
		}
	}
	return open
}

// childrenOf returns the numbers of this process's children, also of those that have ended and were
// not waited for.
func childrenOf(t *testing.T) map[int]bool {
	t.Helper()
	children := map[int]bool{}
	list, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range list {
		pid, _ := strconv.Atoi(filepath.Base(dir))
		if stat, err := readStat(pid); err == nil && stat.parent == os.Getpid() {
			children[pid] = true
		}
	}
	return children
}
