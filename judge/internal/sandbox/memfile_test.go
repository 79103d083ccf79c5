//go:build linux

package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"

	"golang.org/x/sys/unix"
)

func TestMemCopy(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("0123456789abcdef", 10_000)
	f, err := MemCopy(iotest.OneByteReader(strings.NewReader(text)))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got, err := io.ReadAll(f); err != nil || string(got) != text {
		t.Errorf("it holds %d other bytes (%v)", len(got), err)
	}
	if w, err := os.OpenFile(fmt.Sprintf("/proc/self/fd/%d", f.Fd()), os.O_RDWR, 0); err == nil {
		defer w.Close()
		if n, err := w.WriteAt([]byte("x"), 0); err == nil {
			t.Errorf("%d bytes of it were changed", n)
		}
	}
	broken := errors.New("broken disk")
	if _, err := MemCopy(iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Errorf("a reader that fails: got %v", err)
	}
}

// TestMemFileRuns executes a program from memory on a system where files in memory are not
// executable by default. That is a setting of a PID namespace, so the test runs itself in a new
// one.
func TestMemFileRuns(t *testing.T) {
	const setting = "/proc/sys/vm/memfd_noexec"
	if os.Getenv("MEMFD_NOEXEC") == "" {
		if _, err := os.Stat(setting); errors.Is(err, fs.ErrNotExist) {
			t.Skip("not checked: programs in memory under vm.memfd_noexec (this kernel has no such setting)")
		}
		cmd := exec.Command("/proc/self/exe", "-test.run=^TestMemFileRuns$", "-test.v")
		cmd.Env = append(os.Environ(), "MEMFD_NOEXEC=1")
		cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWPID}
		out, err := cmd.CombinedOutput()
		switch {
		case errors.Is(err, syscall.EPERM), bytes.Contains(out, []byte("--- SKIP")):
			t.Skipf("not checked: programs in memory under vm.memfd_noexec (cannot set it: %v)", err)
		case err != nil:
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	if err := os.WriteFile(setting, []byte("1"), 0); err != nil {
		t.Skip(err)
	}
	text, err := os.ReadFile("/bin/true")
	if err != nil {
		t.Fatal(err)
	}
	f, err := MemFile(text)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	cmd := exec.Command("/proc/self/fd/3")
	cmd.Args, cmd.ExtraFiles = []string{"true"}, []*os.File{f}
	if err := cmd.Run(); err != nil {
		t.Error(err)
	}
}

// TestBusySeal seals a file that is busy for a moment, here because it is mapped writable.
func TestBusySeal(t *testing.T) {
	t.Parallel()
	fd, err := unix.MemfdCreate("busy", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	if err := unix.Ftruncate(fd, 4096); err != nil {
		t.Fatal(err)
	}
	page, err := unix.Mmap(fd, 0, 4096, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := unix.FcntlInt(uintptr(fd), unix.F_ADD_SEALS, unix.F_SEAL_WRITE); err != unix.EBUSY {
		t.Fatalf("it is not busy: %v", err)
	}
	released := make(chan error, 1)
	go func() { released <- unix.Munmap(page) }()
	if err := addSeals(fd, unix.F_SEAL_WRITE); err != nil {
		t.Errorf("the file is given up: %v", err)
	}
	if err := <-released; err != nil {
		t.Error(err)
	}
}
