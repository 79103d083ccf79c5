//go:build linux

package sandbox

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"golang.org/x/sys/unix"
)

// TestInputFile makes small and large files and tries to change them: through their descriptor, and
// after opening them again.
func TestInputFile(t *testing.T) {
	t.Parallel()
	for _, size := range []int{0, 1, hugePage - 1, hugePage, 2*hugePage + 5} {
		text := strings.Repeat("0123456789\n", size/11+1)[:size]
		f, err := InputFile(strings.NewReader(text), int64(size), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		fd := int(f.Fd())
		again := fmt.Sprintf("/proc/self/fd/%d", fd)
		if name, err := os.Readlink(again); err != nil || !strings.HasSuffix(name, "input (deleted)") {
			t.Errorf("%d bytes: its name is %q (%v)", size, name, err)
		}
		written := func(f *os.File, err error) error {
			if err != nil {
				return err
			}
			defer f.Close()
			_, err = f.WriteAt([]byte("x"), 0)
			return err
		}
		tries := map[string]error{
			"written":        written(os.OpenFile(again, os.O_RDWR, 0)),
			"written by fd":  func() error { _, err := unix.Pwrite(fd, []byte("x"), 0); return err }(),
			"cut short":      os.Truncate(again, 0),
			"made longer":    os.Truncate(again, int64(size)+1),
			"mapped":         func() error { _, err := unix.Mmap(fd, 0, 1, unix.PROT_WRITE, unix.MAP_SHARED); return err }(),
			"given a name":   unix.Linkat(unix.AT_FDCWD, again, unix.AT_FDCWD, t.TempDir()+"/f", unix.AT_SYMLINK_FOLLOW),
			"filled by hole": unix.Fallocate(fd, unix.FALLOC_FL_PUNCH_HOLE|unix.FALLOC_FL_KEEP_SIZE, 0, 1),
		}
		for how, err := range tries {
			if err == nil && (size > 0 || how == "written" || how == "made longer") {
				t.Errorf("%d bytes: %s", size, how)
			}
		}
		if _, err := memoryFiles(); err == nil && size >= hugePage {
			for how, err := range map[string]error{
				"mode": f.Chmod(0o777), "times": unix.Futimes(fd, make([]unix.Timeval, 2)), "attributes": unix.Fsetxattr(fd, "user.x", []byte("x"), 0),
			} {
				if !errors.Is(err, unix.EROFS) {
					t.Errorf("%d bytes: its %s can be changed (%v)", size, how, err)
				}
			}
		}
		for range 2 { // the second time by another opening, as of /dev/stdin
			if got, err := io.ReadAll(f); err != nil || string(got) != text {
				t.Errorf("%d bytes: it holds %d other bytes (%v)", size, len(got), err)
			}
			if f, err = os.Open(again); err != nil {
				t.Fatal(err)
			}
			defer f.Close()
		}
	}
	broken := errors.New("broken disk")
	if _, err := InputFile(iotest.ErrReader(broken), hugePage, nil); !errors.Is(err, broken) {
		t.Errorf("a reader that fails: got %v", err)
	}
	if _, err := memoryFiles(); err != nil {
		t.Skipf("not checked: large files that consist of huge pages (%v)", err)
	}
	if _, err := InputFile(strings.NewReader("short"), hugePage, nil); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a reader that ends early: got %v", err)
	}
}

// affinityReader holds zeros and asks where the thread that reads it may run.
type affinityReader struct{ cpus unix.CPUSet }

func (r *affinityReader) Read(p []byte) (int, error) {
	clear(p)
	return len(p), unix.SchedGetaffinity(0, &r.cpus)
}

// TestInputFileOnCPUs checks that a large file is filled on the CPUs of its program, and that the
// thread may run everywhere again afterwards.
func TestInputFileOnCPUs(t *testing.T) {
	if _, err := memoryFiles(); err != nil {
		t.Skipf("not checked: large files that consist of huge pages (%v)", err)
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var before, after, one unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		t.Fatal(err)
	}
	cpu := 0
	for !before.IsSet(cpu) {
		cpu++
	}
	one.Set(cpu)
	r := &affinityReader{}
	f, err := InputFile(io.LimitReader(r, hugePage), hugePage, []int{cpu})
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	if err := unix.SchedGetaffinity(0, &after); err != nil {
		t.Fatal(err)
	}
	if r.cpus != one || after != before {
		t.Errorf("filled on %d CPUs, then %d of %d may be used", r.cpus.Count(), after.Count(), before.Count())
	}
}
