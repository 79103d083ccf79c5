package tty

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"syscall"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/term"
)

// Writer writes text for people to a terminal or file. It spells out everything unprintable except
// newlines and tabs; only a [Text] is written as it is, see [Put]. In a JSON document the spelling
// does not change the document's meaning. A Writer is safe for concurrent use.
type Writer struct {
	mu      sync.Mutex
	w       io.Writer
	pending []byte // the beginning of an incomplete character
	gone    func() // called when a write shows that the reader has gone; nil once it has been called
	lost    bool   // the reader has gone
	wrote   bool
}

// NewWriter returns a Writer to w. When a write shows that the reader of w has gone away, the
// Writer calls gone once, if it is not nil, and Lost is true from then on.
func NewWriter(w io.Writer, gone func()) *Writer { return &Writer{w: w, gone: gone} }

// Write writes p with everything unprintable spelled out. The bytes of an incomplete character wait
// for the rest of it. The error is that of the underlying writer.
func (w *Writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	text := p
	if len(w.pending) > 0 {
		text = append(w.pending, p...)
	}
	var out bytes.Buffer
	for len(text) > 0 && (utf8.FullRune(text) || len(text) >= utf8.UTFMax) {
		r, size := utf8.DecodeRune(text)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&out, `\x%02x`, text[0])
		case r == '\n', r == '\t', Printable(r):
			out.WriteRune(r)
		case r < ' ':
			out.WriteString(Clean(string(r)))
		default:
			for _, unit := range utf16.AppendRune(nil, r) {
				fmt.Fprintf(&out, `\u%04x`, unit)
			}
		}
		text = text[size:]
	}
	w.pending = bytes.Clone(text)
	if err := w.write(out.Bytes()); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Flush writes the bytes of a character that is still incomplete, spelled out.
func (w *Writer) Flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	var out bytes.Buffer
	for _, b := range w.pending {
		fmt.Fprintf(&out, `\x%02x`, b)
	}
	w.pending = nil
	return w.write(out.Bytes())
}

// write writes p as it is. w.mu must be held.
func (w *Writer) write(p []byte) error {
	if len(p) == 0 {
		return nil
	}
	w.wrote = true
	_, err := w.w.Write(p)
	if errors.Is(err, syscall.EPIPE) {
		w.lost = true
		if w.gone != nil {
			w.gone()
			w.gone = nil
		}
	}
	return err
}

// Lost reports whether the reader has gone away.
func (w *Writer) Lost() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.lost
}

// Wrote reports whether anything has been written.
func (w *Writer) Wrote() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.wrote
}

// File returns the file that w writes to; nil if w does not write to a file.
func File(w io.Writer) *os.File {
	if x, ok := w.(*Writer); ok {
		w = x.w
	}
	f, _ := w.(*os.File)
	return f
}

// IsTerminal reports whether stream, which writes or reads, is that of a terminal.
func IsTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	if w, writes := stream.(io.Writer); writes && !ok {
		f = File(w)
	}
	return f != nil && term.IsTerminal(int(f.Fd()))
}

// Put writes a text with its control sequences.
func Put(w io.Writer, t Text) error { return raw(w, []byte(t.s)) }

// Data writes bytes that are not text for people, such as the input of a test case, as they are. If
// w writes to a terminal, Data spells out everything unprintable.
func Data(w io.Writer, data []byte) error {
	if IsTerminal(w) {
		_, err := NewWriter(w, nil).Write(data)
		return err
	}
	return raw(w, data)
}

// raw writes p as it is.
func raw(w io.Writer, p []byte) error {
	x, ok := w.(*Writer)
	if !ok {
		_, err := w.Write(p)
		return err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.write(p)
}
