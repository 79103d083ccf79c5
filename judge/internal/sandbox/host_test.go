//go:build linux

package sandbox

import (
	"errors"
	"fmt"
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// TestExhausted distinguishes a temporary shortage from a feature that the host does not offer.
func TestExhausted(t *testing.T) {
	t.Parallel()
	file := func(op string, errno error) error { return &os.PathError{Op: op, Path: "x", Err: errno} }
	for _, tt := range []struct {
		why  string
		err  error
		want bool
	}{
		{"no error", nil, false},
		{"no descriptors", file("open", unix.EMFILE), true},
		{"no descriptors on the whole machine", file("open", unix.ENFILE), true},
		{"no more processes for this user", file("fork/exec", unix.EAGAIN), true},
		{"no memory for another process", fmt.Errorf("container: %w", file("fork/exec", unix.ENOMEM)), true},
		{"a full disk", file("mkdir", unix.ENOSPC), true},
		{"user namespaces are turned off (max_user_namespaces)", file("fork/exec", unix.ENOSPC), false},
		{"the container has no more user namespaces to give", fmt.Errorf("container: %w", file("fork/exec", unix.EPERM)), false},
		{"the kernel was built without them", file("fork/exec", unix.EINVAL), false},
		{"Docker's system call filter", file("fork/exec", unix.ENOSYS), false},
		{"cgroups of another user", file("mkdir", unix.EACCES), false},
		{"a read-only file system", file("mkdir", unix.EROFS), false},
	} {
		if got := Exhausted(tt.err); got != tt.want {
			t.Errorf("%s: %v: got %v, want %v", tt.why, tt.err, got, tt.want)
		}
	}
}

// TestLastWords checks the error for each message that an init may leave when it dies.
func TestLastWords(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, line string
		want      string
		exhausted bool
	}{
		{"it said nothing", "", "the container died", false},
		{"a call failed", "init: connection reset by peer", "the container died: its init: connection reset by peer", false},
		{"it was out of memory", "init: cannot allocate memory", "the container died: its init: cannot allocate memory", true},
		{"no thread", "runtime: failed to create new OS thread (have 4 already; errno=11)", "the container died: its init: no more threads: resource temporarily unavailable", true},
		{"no thread, with cgo", "runtime/cgo: pthread_create failed: Resource temporarily unavailable", "the container died: its init: no more threads: resource temporarily unavailable", true},
	} {
		got := lastWords(tt.line)
		if got.Error() != tt.want || Exhausted(got) != tt.exhausted || !errors.Is(got, ErrDied) {
			t.Errorf("%s: got %q, exhausted %v, want %q", tt.why, got, Exhausted(got), tt.want)
		}
	}
}

// TestBlamesProgram checks which errors of execve are the program's fault.
func TestBlamesProgram(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why  string
		err  unix.Errno
		want bool
	}{
		{"it does not exist", unix.ENOENT, true},
		{"it is for another machine", unix.ENOEXEC, true},
		{"its loader is shorter than a header", unix.EIO, true},
		{"the judge has it open for writing", unix.ETXTBSY, false},
		{"there are too many open files", unix.EMFILE, false},
		{"there is no memory for it", unix.ENOMEM, false},
	} {
		if got := blamesProgram(tt.err); got != tt.want {
			t.Errorf("%s: got %v, want %v", tt.why, got, tt.want)
		}
	}
}
