package diff

import (
	"bytes"
	"cmp"
	"io"
	"sync"
	"unicode/utf8"
)

// Source is an expected output of any size. Each ReadAt is for at most one window of 256 KiB. If
// one returns an error other than [io.EOF], the comparison ends; see [Comparer.Err].
type Source interface {
	io.ReaderAt
	Size() int64
}

// windowSize is the number of bytes of a source that are in memory at a time.
const windowSize = 256 << 10

// windows are buffers of texts that were closed. Without them, a garbage collection runs every few
// comparisons.
var windows = sync.Pool{New: func() any { return new([windowSize]byte) }}

func newWindow(size int) []byte {
	if size == windowSize {
		return windows.Get().(*[windowSize]byte)[:]
	}
	return make([]byte, size)
}

// text is the expected output. Only a window of it is in memory, or all of it if it has no source.
// After an error the window is empty, so that any output differs from it.
type text struct {
	window []byte
	at     int // offset of the window in the text
	size   int
	source Source
	step   int // size of the window; 0 without a source
	buffer []byte
	err    error
}

func textOf(data []byte) *text { return &text{window: data, size: len(data)} }

// from returns the bytes of the window from a position on: at least one, except at the end of the
// text. They are valid until the next call of a method.
func (t *text) from(pos int) []byte {
	if i := pos - t.at; uint(i) < uint(len(t.window)) {
		return t.window[i:]
	}
	return t.move(pos)
}

// move moves the window to pos and returns the bytes from there on. The window keeps some bytes
// before pos, because endWord reads a number from its beginning.
func (t *text) move(pos int) []byte {
	if t.source == nil || pos >= t.size || t.err != nil {
		return nil
	}
	begin := max(0, pos-min(t.step/8, 2*maxNumber))
	if pos < t.at {
		begin = max(0, pos-t.step/2) // a search runs backwards; its next position is probably smaller
	}
	if t.buffer == nil {
		t.buffer = newWindow(t.step)
	}
	t.at, t.window = begin, t.read(begin, t.buffer[:min(len(t.buffer), t.size-begin)])
	if pos-begin >= len(t.window) {
		return nil
	}
	return t.window[pos-begin:]
}

// read fills a buffer with the bytes of the source from begin on. If that fails, it sets t.err and
// returns nil.
func (t *text) read(begin int, into []byte) []byte {
	if n, err := t.source.ReadAt(into, int64(begin)); n < len(into) {
		t.err = cmp.Or(err, io.ErrUnexpectedEOF)
		return nil
	}
	return into
}

// close closes the source and ends the use of t. An error means nothing, because everything has been
// read.
func (t *text) close() {
	if c, ok := t.source.(io.Closer); ok {
		_ = c.Close()
	}
	if len(t.buffer) == windowSize {
		windows.Put((*[windowSize]byte)(t.buffer))
	}
	t.window, t.buffer = nil, nil
}

// byte returns the byte at pos, which must be before the end; 0 after an error.
func (t *text) byte(pos int) byte {
	if b := t.from(pos); len(b) > 0 {
		return b[0]
	}
	return 0
}

// slice returns the bytes from begin to end. They are valid until the next call of a method.
func (t *text) slice(begin, end int) []byte {
	if begin == end {
		return nil
	}
	if begin >= t.at && end-t.at <= len(t.window) {
		return t.window[begin-t.at : end-t.at]
	}
	return t.read(begin, make([]byte, end-begin))
}

// each calls visit with consecutive pieces of the text from begin to end.
func (t *text) each(begin, end int, visit func(part []byte)) {
	for begin < end {
		part := t.from(begin)
		if len(part) == 0 {
			return
		}
		part = part[:min(len(part), end-begin)]
		visit(part)
		begin += len(part)
	}
}

// newlines returns the number of newlines at the end of the text before end; it skips carriage
// returns among them.
func (t *text) newlines(end int) (n int) {
	for ; end > 0; end-- {
		switch t.byte(end - 1) {
		case '\n':
			n++
		case '\r':
		default:
			return n
		}
	}
	return n
}

// position returns the line and the column, both from 1, of the byte at an offset. The column
// counts characters; bytes within a character have its column.
func (t *text) position(at int) (line, column int) {
	line = 1
	pos, begin := 0, 0
	t.each(0, at, func(part []byte) {
		line += bytes.Count(part, newline)
		if i := bytes.LastIndexByte(part, '\n'); i >= 0 {
			begin = pos + i + 1
		}
		pos += len(part)
	})
	column = 1
	var cut []byte // the beginning of a character whose end is in the next part
	t.each(begin, at, func(part []byte) {
		if len(cut) > 0 {
			part = append(cut, part...)
		}
		end := whole(part)
		column += utf8.RuneCount(part[:end])
		cut = bytes.Clone(part[end:])
	})
	return line, column
}

// whole returns the length of text without an incomplete character at its end.
func whole(text []byte) int {
	for i := len(text) - 1; i >= max(0, len(text)-utf8.UTFMax); i-- {
		if utf8.RuneStart(text[i]) {
			if !utf8.FullRune(text[i:]) {
				return i
			}
			break
		}
	}
	return len(text)
}
