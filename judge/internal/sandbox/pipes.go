//go:build linux

package sandbox

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// streams are the standard files of one run: the input as it is, and a pipe for each of the two
// outputs, drained while the program runs. Input and standard output may instead be ends of pipes
// to another program.
type streams struct {
	in, out                *os.File // pipe ends to another program, which the streams do not close
	stdin                  *os.File // the program's input, if in is nil
	ownStdin               bool
	ends                   []int // the program's ends of standard error and output, closed here once it has them
	reading                []*os.File
	drained                sync.WaitGroup
	stdoutRead, stderrRead atomic.Int64 // bytes read so far
}

// openStreams makes the pipes and starts to drain them. When more standard output than the limit or
// more than errorSize bytes of standard error have come, it stops the run and discards what follows.
// The writers get at most that many bytes.
func openStreams(cmd *Command, watch *watchdog) (s *streams, err error) {
	s = &streams{stdin: cmd.Stdin, in: cmd.In, out: cmd.Out}
	watch.stuck, watch.stderr = s.stuck, s.stderrRead.Load
	defer func() {
		if err != nil {
			s.abandon()
		}
	}()
	if s.stdin == nil && s.in == nil {
		if s.stdin, err = os.Open(os.DevNull); err != nil {
			return s, fmt.Errorf("standard input: %w", err)
		}
		s.ownStdin = true
	}
	errs, err := s.pipe()
	if err != nil {
		return s, fmt.Errorf("standard error: %w", err)
	}
	var out *os.File
	if s.out == nil {
		if out, err = s.pipe(); err != nil {
			errs.Close()
			return s, fmt.Errorf("standard output: %w", err)
		}
		s.drained.Go(func() {
			drain(newPipeReader(out, cmd.CPUs), cmd.Stdout, &s.stdoutRead, int64(cmd.Limits.Output), watch.overOutput)
		})
	}
	s.drained.Go(func() {
		drain(newPipeReader(errs, cmd.CPUs), cmd.Stderr, &s.stderrRead, int64(errorSize), watch.overOutput)
	})
	return s, nil
}

// stuck reports whether the program cannot write to one of its outputs until the judge reads. The
// judge may itself be waiting for a CPU.
func (s *streams) stuck() bool {
	for _, f := range s.reading {
		full := false
		raw, err := f.SyscallConn()
		if err != nil {
			continue
		}
		_ = raw.Control(func(fd uintptr) {
			n, err := unix.IoctlGetInt(int(fd), unix.TIOCINQ) // also called FIONREAD
			full = err == nil && n > pipeSize-os.Getpagesize()
		})
		if full {
			return true
		}
	}
	return false
}

// pipeSize is the capacity of a pipe, unless an account has too many of them.
const pipeSize = 64 << 10

// pipe returns the reading end of a new pipe, which the runtime polls, and keeps the writing end,
// which must block, as a program expects.
func (s *streams) pipe() (*os.File, error) {
	var p [2]int
	if err := unix.Pipe2(p[:], unix.O_CLOEXEC); err != nil {
		return nil, err
	}
	if err := unix.SetNonblock(p[0], true); err != nil {
		return nil, errors.Join(err, unix.Close(p[0]), unix.Close(p[1]))
	}
	s.ends = append(s.ends, p[1])
	f := os.NewFile(uintptr(p[0]), "pipe")
	s.reading = append(s.reading, f)
	return f, nil
}

// handOver closes the judge's copies of the descriptors that the program now has.
func (s *streams) handOver() {
	for _, fd := range s.ends {
		unix.Close(fd)
	}
	s.ends = nil
	if s.ownStdin && s.stdin != nil {
		s.stdin.Close()
		s.stdin = nil
	}
}

// giveTo lets an account reopen the outputs by name, because some programs write to /dev/stdout. A
// pipe between two programs has a different account at each end, so it is opened to all accounts:
// only programs that hold an end can name it.
func (s *streams) giveTo(uid int) error {
	for _, fd := range s.ends {
		if err := unix.Fchown(fd, uid, uid); err != nil {
			return fmt.Errorf("pipe: %w", err)
		}
	}
	for _, f := range []*os.File{s.in, s.out} {
		if f == nil {
			continue
		}
		if err := unix.Fchmod(int(f.Fd()), 0o666); err != nil {
			return fmt.Errorf("pipe: %w", err)
		}
	}
	return nil
}

// wait returns when no writer is left and everything has been read.
func (s *streams) wait() {
	s.handOver()
	s.drained.Wait()
}

// abandon closes streams whose program has not begun; on streams that have ended it does nothing.
// It does not wait for writers: another program that is being forked at this moment may hold copies
// of the pipes, and may be waiting for this one.
func (s *streams) abandon() { s.waitAtMost(0) }

// waitAtMost is wait for a mode that cannot kill every process of the run: it stops reading after
// linger, even if a process still holds a pipe.
func (s *streams) waitAtMost(linger time.Duration) {
	s.handOver()
	for _, f := range s.reading {
		_ = f.SetReadDeadline(time.Now().Add(linger))
	}
	s.drained.Wait()
}

// fds returns the descriptors for the program's 0, 1 and 2.
func (s *streams) fds() []int {
	list := []int{int(cmp.Or(s.in, s.stdin).Fd()), 0, s.ends[0]}
	if s.out != nil {
		list[1] = int(s.out.Fd())
	} else {
		list[1] = s.ends[1]
	}
	return list
}
