//go:build linux

package sandbox

import (
	"errors"
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// TestSafeDescriptor checks that the executable gets a number that go-sandbox's child does not
// overwrite, and the error if no number below the limit is free.
func TestSafeDescriptor(t *testing.T) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	fd, err := unix.FcntlInt(null.Fd(), unix.F_DUPFD_CLOEXEC, 500)
	if err != nil {
		t.Skipf("not checked: descriptors of high numbers: %v", err)
	}
	exe := os.NewFile(uintptr(fd), "exe")
	defer exe.Close()
	last := uintptr(fd) - 1
	if got, release, err := safeDescriptor([]uintptr{0, 1, 2}, exe); err != nil || got != exe.Fd() {
		t.Errorf("out of the way: got %d, %v", got, err)
	} else {
		release()
	}
	if got, release, err := safeDescriptor([]uintptr{0, 1, last}, exe); err != nil || got <= exe.Fd() {
		t.Errorf("in the way: got %d, %v", got, err)
	} else {
		release()
	}
	var old unix.Rlimit
	if err := unix.Prlimit(0, unix.RLIMIT_NOFILE, nil, &old); err != nil {
		t.Fatal(err)
	}
	if err := unix.Prlimit(0, unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: uint64(fd) + 1, Max: old.Max}, nil); err != nil {
		t.Fatal(err)
	}
	_, _, err = safeDescriptor([]uintptr{0, 1, last}, exe)
	if err := unix.Prlimit(0, unix.RLIMIT_NOFILE, &old, nil); err != nil {
		t.Error(err)
	}
	if !errors.Is(err, unix.EMFILE) || !Exhausted(err) {
		t.Errorf("at the limit: got %v, want EMFILE", err)
	}
}
