//go:build linux

package sandbox

import (
	"errors"
	"fmt"
	"strings"

	"golang.org/x/sys/unix"
)

// lastWords returns the error for an init that died, given the first line of its standard error. If
// it ran out of a resource, the error wraps that error too.
func lastWords(line string) error {
	said := strings.TrimPrefix(line, "init: ")
	if said == "" {
		return ErrDied
	}
	if strings.Contains(said, "failed to create new OS thread") || strings.Contains(said, "pthread_create failed") {
		return fmt.Errorf("%w: its init: no more threads: %w", ErrDied, unix.EAGAIN)
	}
	for _, e := range exhaustion {
		if before, found := strings.CutSuffix(said, e.Error()); found {
			return fmt.Errorf("%w: its init: %s%w", ErrDied, before, e)
		}
	}
	return fmt.Errorf("%w: its init: %s", ErrDied, said)
}

// readWords returns the first bytes of what the init has written to its standard error so far.
func (j *jail) readWords() string {
	raw, err := j.words.SyscallConn()
	if err != nil {
		return ""
	}
	buf := make([]byte, 512)
	n := 0
	_ = raw.Read(func(fd uintptr) bool {
		for n < len(buf) {
			more, err := unix.Read(int(fd), buf[n:])
			if errors.Is(err, unix.EINTR) {
				continue
			}
			if err != nil || more <= 0 {
				break
			}
			n += more
		}
		return true
	})
	return string(buf[:n])
}
