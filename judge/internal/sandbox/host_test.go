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
	end := errors.New("conf: recv ack: EOF")
	for _, tt := range []struct {
		why, message string
		err          error
		want         string
		exhausted    bool
	}{
		{"no message", "", end, "conf: recv ack: EOF", false},
		{"the judge closed its socket", "container_exit: serve: recvCmd: recv msg: EOF\n", end, "conf: recv ack: EOF", false},
		{"a mount is not allowed", "container_exit: serve: init_fs: mount /: permission denied\n", end, "conf: recv ack: EOF: its init: serve: init_fs: mount /: permission denied", false},
		{"no memory for a mount", "container_exit: serve: init_fs: mount /: cannot allocate memory\n", end, "conf: recv ack: EOF: its init: serve: init_fs: mount /: cannot allocate memory", true},
		{"no thread", "runtime: failed to create new OS thread (have 4 already; errno=11)\nmore", ErrDied, "the container died: its init: no more threads: resource temporarily unavailable", true},
		{"no thread, with cgo", "runtime/cgo: pthread_create failed: Resource temporarily unavailable\nSIGABRT", ErrDied, "the container died: its init: no more threads: resource temporarily unavailable", true},
		{"a descriptor that it sent did not fit into the judge's table", "", errors.New("open: unix socket message truncated"), "open: unix socket message truncated: too many open files", true},
	} {
		line, init, err := newInitLine()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := init.WriteString(tt.message); err != nil {
			t.Fatal(err)
		}
		init.Close()
		got := line.lastWords(tt.err)
		if got.Error() != tt.want || Exhausted(got) != tt.exhausted || !errors.Is(got, tt.err) {
			t.Errorf("%s: got %q, exhausted %v, want %q", tt.why, got, Exhausted(got), tt.want)
		}
		line.close()
	}
}

// TestStartFailure checks the reading of go-sandbox's error texts.
func TestStartFailure(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, text, want string
	}{
		{"it does not exist", "start: /w/p: execve: no such file or directory", "cannot start: no such file or directory"},
		{"it is for another architecture", "execve: exec format error", "cannot start: exec format error"},
		{"no folder of PATH has it", "handle: p: executable file not found in $PATH", "cannot start: not found in $PATH"},
		{"its loader is shorter than a header", "start: /w/p: execve: input/output error", "cannot start: input/output error"},
		{"the judge has it open for writing", "start: /w/p: execve: text file busy", ""},
		{"there are too many open files", "start: /w/p: execve: too many open files", ""},
		{"a mount cannot be read", "start: /w/p: mount: input/output error", ""},
		{"the folder to start it in is gone", "start: /w/p: chdir: no such file or directory", ""},
		{"a control group of the judge is missing", "syncfunc failed cgroup: mkdir x: no such file or directory", ""},
		{"there is no memory for it", "start: /w/p: execve: cannot allocate memory", ""},
	} {
		got := ""
		if err := startFailure(tt.text); err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.why, got, tt.want)
		}
	}
}
