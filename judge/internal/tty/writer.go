package tty

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/term"

	"tribunal/judge/internal/system"
)

// Writer writes text for people to a terminal or file. It spells out everything unprintable except
// newlines and tabs; only a [Text] is written as it is, see [Put]. In a JSON document the spelling
// does not change the document's meaning. A Writer is safe for concurrent use.
type Writer struct {
	mu      sync.Mutex
	w       io.Writer
	pending []byte // the beginning of an incomplete character
	status  []byte // the line that Status shows; nil if there is none
	owner   any    // the owner of the line of Status; nil if it has none
	open    bool   // the last line that was written has no end
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
	if w.status != nil {
		p = slices.Concat([]byte(eraseStatus), p)
		w.status = nil
	}
	w.open = p[len(p)-1] != '\n'
	return w.put(p)
}

// put writes p and notices whether the reader has gone away. w.mu must be held.
func (w *Writer) put(p []byte) error {
	_, err := w.w.Write(p)
	if system.BrokenPipe(err) {
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

// eraseStatus removes the status line: everything from the line of the cursor on.
const eraseStatus = "\r\x1b[J"

// Status shows a line of text at the foot of what has been written to w, which is a terminal, in
// place of the line that an earlier call has shown; an empty text removes it. The line must fit into
// the terminal.
//
// If w is a [Writer], the line belongs to the owner that has shown it first, until that removes it,
// and Status does nothing for others. Text that is written to w removes the line; the next call
// shows it again, below the text. As long as the text does not end a line, Status does nothing.
//
// The cursor stays at the beginning of the line. If the terminal becomes narrower and wraps the
// line, the cursor is therefore still at its beginning, and all rows of it can be removed.
func Status(w io.Writer, owner any, line Text) error {
	var status []byte
	if !line.Empty() {
		status = []byte(line.s + "\r")
	}
	x, ok := w.(*Writer)
	if !ok {
		_, err := w.Write(slices.Concat([]byte(eraseStatus), status))
		return err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.owner != nil && x.owner != owner {
		return nil
	}
	if x.owner = owner; status == nil {
		x.owner = nil
	}
	if x.open || bytes.Equal(status, x.status) {
		return nil
	}
	x.status = status
	return x.put(slices.Concat([]byte(eraseStatus), status))
}

// Width returns the width in columns of the terminal that w writes to; 0 if it is not a terminal or
// does not know.
func Width(w io.Writer) int {
	f := File(w)
	if f == nil {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
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
