package sandbox

import "slices"

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

func (t *Tail) Bytes() []byte { return t.buf }

// Truncated reports whether bytes before those kept were dropped.
func (t *Tail) Truncated() bool { return t.lost }

// Ends keeps the beginning and the end of what is written to it, endSize bytes of each. It is for
// programs that answer on standard error: the answer comes first, and nothing that the program
// quotes later can displace it. The zero value is ready to use; it is not safe for concurrent use.
type Ends struct {
	first []byte
	rest  Tail
}

// endSize is more than the 32,000 bytes that testlib writes about an output, so that a line that
// comes last is kept whole.
const endSize = 64 << 10

// Write never fails.
func (e *Ends) Write(p []byte) (int, error) {
	n := min(len(p), endSize-len(e.first))
	e.first = append(e.first, p[:n]...)
	e.rest.Size = endSize
	_, _ = e.rest.Write(p[n:])
	return len(p), nil
}

// Bytes returns all that was written or, if that was too much, its beginning, a line "…", and its
// end.
func (e *Ends) Bytes() []byte {
	if e.rest.Truncated() {
		return slices.Concat(e.first, []byte("\n…\n"), e.rest.Bytes())
	}
	return slices.Concat(e.first, e.rest.Bytes())
}

// Truncated reports whether bytes between the two ends were dropped.
func (e *Ends) Truncated() bool { return e.rest.Truncated() }
