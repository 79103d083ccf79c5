package sandbox

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/limits"
)

// streams are the standard files of one run: the input as it is, and a pipe each
// for the two outputs, drained while the program runs. In the place of the input and
// of standard output there may be ends of pipes to other programs.
type streams struct {
	in, out      *os.File // those ends, which are not the streams' to close
	stdin        *os.File // what the program gets
	ownStdin     bool
	ends         []int // the program's ends for standard error and output, closed here once it has them
	reading      []*os.File
	drained      sync.WaitGroup
	wrote, erred atomic.Int64 // bytes read so far
}

var buffers = sync.Pool{New: func() any { b := make([]byte, 64<<10); return &b }}

// errorSize is how much a program may write to standard error, of which only the end
// is kept: more than anybody's notes, and read in no time.
const errorSize = 64 * limits.MiB

// openStreams makes the pipes and starts to drain them. When more than limit bytes
// of standard output (limit 0 is none) or errorSize of standard error have come, full
// is called, and what follows is thrown away. The writers see at most that many bytes.
func openStreams(cmd *Command, limit limits.Bytes, full func()) (s *streams, err error) {
	s = &streams{stdin: cmd.Stdin, in: cmd.In, out: cmd.Out}
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
		s.drained.Go(func() { drain(out, cmd.Stdout, &s.wrote, int64(limit), full) })
	}
	s.drained.Go(func() { drain(errs, cmd.Stderr, &s.erred, int64(errorSize), full) })
	return s, nil
}

// stuck reports whether the program can write no more to one of its outputs before the
// judge has read, which may itself be waiting for a CPU.
func (s *streams) stuck() bool {
	for _, f := range s.reading {
		full := false
		raw, err := f.SyscallConn()
		if err != nil {
			continue
		}
		_ = raw.Control(func(fd uintptr) {
			n, err := unix.IoctlGetInt(int(fd), unix.TIOCINQ) // FIONREAD by another name
			full = err == nil && n > pipeSize-os.Getpagesize()
		})
		if full {
			return true
		}
	}
	return false
}

// pipeSize is how much a pipe holds, unless an account has too many of them.
const pipeSize = 64 << 10

// pipe returns the reading end of a new pipe, which the runtime polls, and keeps
// the other, which must block as a program expects.
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

// drain copies r to w until its end and adds how much came to count.
func drain(r *os.File, w io.Writer, count *atomic.Int64, limit int64, full func()) {
	defer r.Close()
	buf := buffers.Get().(*[]byte)
	defer buffers.Put(buf)
	for total := int64(0); ; {
		n, err := r.Read(*buf)
		if n > 0 && w != nil {
			keep := int64(n)
			if limit > 0 {
				keep = min(keep, max(limit-total, 0))
			}
			if keep > 0 {
				if _, err := w.Write((*buf)[:keep]); err != nil {
					w = nil
				}
			}
		}
		before := total
		total += int64(n)
		count.Store(total)
		if limit > 0 && total > limit && before <= limit {
			full()
		}
		if err != nil {
			return
		}
	}
}

// handOver closes what now belongs to the program.
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

// giveTo lets an account open the outputs again by their names, as programs do that
// write to /dev/stdout. A pipe between two programs has an account at each end, so
// anybody may open it who has an end.
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

// wait returns when all writers are gone and everything has been read.
func (s *streams) wait() {
	s.handOver()
	s.drained.Wait()
}

// abandon ends streams of a program that has not begun, and does nothing to those that have
// ended. Nobody is listened to: another program that is being forked at this moment may hold
// copies of the pipes, and may be waiting for this one.
func (s *streams) abandon() { s.waitAtMost(0) }

// waitAtMost is wait for a mode that cannot end every process of the run: what still holds a
// pipe so much later is no longer listened to.
func (s *streams) waitAtMost(linger time.Duration) {
	s.handOver()
	for _, f := range s.reading {
		_ = f.SetReadDeadline(time.Now().Add(linger))
	}
	s.drained.Wait()
}

// flooded reports whether more came than is allowed, of standard output by limit (0
// is any amount) or of standard error. Valid after wait.
func (s *streams) flooded(limit limits.Bytes) bool {
	return limit > 0 && s.wrote.Load() > int64(limit) || s.erred.Load() > int64(errorSize)
}

// fds returns the descriptors for the program's 0, 1 and 2.
func (s *streams) fds() []uintptr {
	list := []uintptr{cmp.Or(s.in, s.stdin).Fd(), 0, uintptr(s.ends[0])}
	if s.out != nil {
		list[1] = s.out.Fd()
	} else {
		list[1] = uintptr(s.ends[1])
	}
	return list
}

// Tail keeps the last bytes written to it, for the end of a program's standard
// error. The zero value keeps nothing; it is not safe for concurrent use.
type Tail struct {
	Size int // bytes to keep
	buf  []byte
	lost bool
}

// Write never fails.
func (t *Tail) Write(p []byte) (int, error) {
	n := len(p)
	if len(p) > t.Size {
		p, t.lost = p[len(p)-t.Size:], true
	}
	if over := len(t.buf) + len(p) - t.Size; over > 0 {
		t.buf, t.lost = append(t.buf[:0], t.buf[over:]...), true
	}
	t.buf = append(t.buf, p...)
	return n, nil
}

// Bytes returns what was kept; Truncated tells whether more came before it.
func (t *Tail) Bytes() []byte { return t.buf }

// Truncated reports whether bytes before those kept were dropped.
func (t *Tail) Truncated() bool { return t.lost }

// Ends keeps the beginning and the end of what is written to it, endSize bytes of each,
// for the standard error of a program that answers there: what it says first is what it
// answers, and nothing that it quotes later takes that place. The zero value is ready to
// use; it is not safe for concurrent use.
type Ends struct {
	first []byte
	rest  Tail
}

// endSize is more than testlib writes about an output, 32,000 bytes, so that a line that
// comes last is kept from its beginning.
const endSize = 64 << 10

// Write never fails.
func (e *Ends) Write(p []byte) (int, error) {
	n := min(len(p), endSize-len(e.first))
	e.first = append(e.first, p[:n]...)
	e.rest.Size = endSize
	_, _ = e.rest.Write(p[n:])
	return len(p), nil
}

// Bytes returns all that was written or, if that is too much, its beginning, a line with
// nothing but "…", and its end.
func (e *Ends) Bytes() []byte {
	if e.rest.Truncated() {
		return slices.Concat(e.first, []byte("\n…\n"), e.rest.Bytes())
	}
	return slices.Concat(e.first, e.rest.Bytes())
}

// Truncated reports whether bytes between the two ends were dropped.
func (e *Ends) Truncated() bool { return e.rest.Truncated() }
