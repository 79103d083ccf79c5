package sandbox

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
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
	wrote, erred int64 // bytes read; valid after wait
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
			s.wait()
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
		s.drained.Go(func() { s.wrote = drain(out, cmd.Stdout, int64(limit), full) })
	}
	s.drained.Go(func() { s.erred = drain(errs, cmd.Stderr, int64(errorSize), full) })
	return s, nil
}

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

// drain copies r to w until its end and returns how much came.
func drain(r *os.File, w io.Writer, limit int64, full func()) (total int64) {
	defer r.Close()
	buf := buffers.Get().(*[]byte)
	defer buffers.Put(buf)
	for {
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
		if limit > 0 && total > limit && before <= limit {
			full()
		}
		if err != nil {
			return total
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

// wait returns when all writers are gone and everything has been read. It also
// ends streams that were never handed to a program.
func (s *streams) wait() {
	s.handOver()
	s.drained.Wait()
}

// waitAtMost is wait for a mode that cannot end every process of the run: what
// still holds a pipe after the patience is no longer listened to.
func (s *streams) waitAtMost(patience time.Duration) {
	s.handOver()
	for _, f := range s.reading {
		_ = f.SetReadDeadline(time.Now().Add(patience))
	}
	s.drained.Wait()
}

// flooded reports whether more came than is allowed, of standard output by limit (0
// is any amount) or of standard error. Valid after wait.
func (s *streams) flooded(limit limits.Bytes) bool {
	return limit > 0 && s.wrote > int64(limit) || s.erred > int64(errorSize)
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
