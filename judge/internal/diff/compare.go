// Package diff compares outputs while they are written, and shows the first difference.
//
// Begin with compare.go; words.go finds the difference and number.go compares numbers, mismatch.go
// describes the difference, and excerpt.go chooses the lines to show.
package diff

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
	"strings"
)

// Mode says when two outputs count as equal. The zero value means [Exact].
type Mode string

const (
	Exact  Mode = "exact"  // byte for byte
	Lines  Mode = "lines"  // line for line, but for blanks at the end of a line and empty lines at the end
	Tokens Mode = "tokens" // the same words in the same order, whatever the white space
	Float  Mode = "float"  // as Tokens, but two numbers may differ by a tolerance
)

// ParseMode returns the mode named s; the empty string names Exact. The error lists the modes.
func ParseMode(s string) (Mode, error) {
	switch m := Mode(s); m {
	case "":
		return Exact, nil
	case Exact, Lines, Tokens, Float:
		return m, nil
	}
	return "", fmt.Errorf("unknown way to compare %q (hint: exact, lines, tokens or float)", s)
}

// Parse returns the Options that a user names by the mode exact, lines or tokens, or by float with a
// tolerance, absolute or relative, as in float:1e-6.
func Parse(s string) (Options, error) {
	switch name, tolerated, given := strings.Cut(s, ":"); {
	case given && Mode(name) == Float:
		e, err := tolerance(name, []string{tolerated})
		return Options{Mode: Float, Abs: e, Rel: e}, err
	case slices.Contains([]Mode{Exact, Lines, Tokens}, Mode(s)):
		return Options{Mode: Mode(s)}, nil
	}
	return Options{}, fmt.Errorf("unknown way to compare %q (hint: exact, lines, tokens or float:1e-6)", s)
}

// Options select how outputs are compared and how much of a difference is shown. The zero value
// compares exactly and shows at most 12 lines in 4 KiB.
type Options struct {
	Mode Mode

	// FoldCase makes words equal that differ only in the case of the letters A to Z. Spaces
	// requires the same bytes of white space between the words, before the first and after the last
	// one. Both are for the modes Tokens and Float; in the modes Exact and Lines, case always counts,
	// and white space as the mode says. Tokens with Spaces but without FoldCase is byte equality, as Exact is.
	FoldCase, Spaces bool

	// Abs and Rel are the tolerances of Float: two numbers are equal if they differ by at most Abs,
	// or by at most Rel times the expected one. If both are zero, numbers must be the same, however
	// they are written: 1.50 equals 15e-1, but 9007199254740993 does not equal 9007199254740992.
	Abs, Rel float64

	// Lines is the largest length of [Mismatch.Lines]; 0 means 12, and more than 256 means 256.
	// Bytes is the largest total length of their texts in bytes; 0 means 4096, and less than 16
	// means 16. Each line may take Bytes/Lines bytes; if that is less than 16, fewer lines are
	// shown.
	Lines, Bytes int
}

const (
	maxLines = 256
	minShare = 16 // smallest number of bytes in which a line can be shown: "…", 10 bytes, "⏎"
)

// withDefaults returns o with every field set and within its bounds. It panics on an unknown Mode,
// which is a bug of the caller.
func (o Options) withDefaults() Options {
	m, err := ParseMode(string(o.Mode))
	if err != nil {
		panic("diff: " + err.Error())
	}
	o.Mode = m
	if o.Lines <= 0 {
		o.Lines = 12
	}
	if o.Bytes <= 0 {
		o.Bytes = 4 << 10
	}
	o.Bytes = max(o.Bytes, minShare)
	o.Lines = min(o.Lines, maxLines, o.Bytes/minShare)
	return o
}

// strict reports whether all white space counts.
func (o Options) strict() bool { return o.Mode == Exact || o.Spaces && o.Mode != Lines }

// share returns how many bytes the text of one shown line may take.
func (o Options) share() int { return o.Bytes / o.Lines }

// reach returns how many bytes a Comparer keeps on either side of the first difference. These are
// more than it shows, because the lines beyond the excerpt help to align it.
func (o Options) reach() int { return 4 * o.Bytes }

// Comparer compares an output, which is written to it piece by piece, with the expected one. Its
// result does not depend on how the output is cut into pieces. Whatever the size of the output, a
// Comparer keeps only the part around the first difference, a small multiple of Options.Bytes.
//
// A Comparer is for one goroutine at a time.
type Comparer struct {
	want *text
	o    Options

	got    int64 // bytes written so far
	differ bool  // the first difference has been found
	at     int   // position of the difference in want
	gotAt  int64 // position of the difference in the output; until it is found, the number of bytes compared

	words    scanner // finds the first difference; after one in white space it continues, to compare the words
	before   []byte  // the end of the output before the first difference, without its first words.equal bytes
	lines    int     // newlines before the first difference, without those in the first words.equal bytes
	after    []byte  // the output from the first difference on, at most reach bytes
	newlines int     // newlines at the end of the output; counted after the first difference if white space counts

	cut    bool // the output goes on after what was written
	closed bool
	result *Mismatch
}

// New returns a Comparer that expects want. It keeps a reference to want and never modifies it; the
// caller must not change it until Close. New panics if o.Mode is unknown.
func New(want []byte, o Options) *Comparer { return newComparer(textOf(want), o) }

// NewFrom is like New, but reads the expected output as needed, in windows of at most 256 KiB. Close
// closes want if it is an [io.Closer].
func NewFrom(want Source, o Options) *Comparer {
	return newComparer(&text{source: want, size: int(want.Size()), step: windowSize}, o)
}

func newComparer(want *text, o Options) *Comparer {
	o = o.withDefaults()
	return &Comparer{want: want, o: o, words: newScanner(want, o)}
}

// Err returns, after Close, the error of reading the expected output, if any. After an error, the
// result of Close is meaningless.
func (c *Comparer) Err() error { return c.want.err }

// Compare compares two whole outputs. It returns nil if got equals want.
func Compare(want, got []byte, o Options) *Mismatch {
	c := New(want, o)
	c.Write(got)
	return c.Close()
}

// Write compares the next piece of the output. It never fails and does not keep p. It must not be
// called after Close.
func (c *Comparer) Write(p []byte) (int, error) {
	n := len(p)
	c.got += int64(n)
	if !c.differ {
		equal := c.words.feed(p)
		c.keepBefore(p[:equal])
		if p = p[equal:]; len(p) == 0 {
			return n, nil
		}
		c.markDifference()
	}
	c.keepAfter(p)
	if !c.words.failed {
		c.words.feed(p)
	}
	return n, nil
}

// markDifference records that the first difference is at the scanner's position. The bytes that the
// scanner has held back are part of the output after the difference.
func (c *Comparer) markDifference() {
	c.differ = true
	c.at = c.words.pos
	// If white space counts, want and the output have the same newlines before the difference.
	c.newlines = c.want.newlines(c.at)
	if held := c.words.held; len(held) > 0 {
		c.before = c.before[:len(c.before)-len(held)]
		c.gotAt -= int64(len(held))
		c.keepAfter(held)
	}
}

// keepBefore adds p, the next piece without a difference, to c.before, and keeps only the end. It
// skips the bytes that can be read in want.
func (c *Comparer) keepBefore(p []byte) {
	begin := c.gotAt
	c.gotAt += int64(len(p))
	if c.gotAt <= int64(c.words.equal) {
		return
	}
	p = p[max(0, int64(c.words.equal)-begin):]
	c.lines += bytes.Count(p, newline)
	// markDifference removes the bytes that the scanner holds back, so keep that many more.
	limit := c.o.reach() + maxNumber
	p = last(p, limit)
	if len(c.before)+len(p) > 2*limit {
		c.before = append(c.before[:0], last(c.before, limit)...)
	}
	c.before = append(c.before, p...)
}

// keepAfter adds p, the next piece after the first difference, to c.after, up to reach bytes in
// all, and counts the newlines at its end.
func (c *Comparer) keepAfter(p []byte) {
	c.newlines = finalNewlines(c.newlines, p)
	c.after = append(c.after, p[:min(len(p), c.o.reach()-len(c.after))]...)
}

// Close ends the output. It returns nil if the output equals the expected one, else the first
// difference. Further calls return the same.
func (c *Comparer) Close() *Mismatch {
	if !c.closed {
		c.closed = true
		c.result = c.close()
		c.want.close()
	}
	return c.result
}

// CloseCut is Close for an output that goes on after what was written. It returns nil if no difference
// has been found so far.
func (c *Comparer) CloseCut() *Mismatch {
	if c.cut = true; c.differ {
		return c.Close()
	}
	c.Close()
	return nil
}

func (c *Comparer) close() *Mismatch {
	same := c.words.finish()
	if !c.differ {
		if same && c.want.err == nil {
			return nil
		}
		c.markDifference()
		same = c.words.finish() // the words alone, after a difference in white space
	}
	return c.mismatch(same)
}

var newline = []byte{'\n'}

func last(p []byte, n int) []byte { return p[max(0, len(p)-n):] }

// finalNewlines returns the number of newlines at the end of a text; it skips carriage returns
// among them. p is the text's last piece; n is the result for the text before p.
func finalNewlines(n int, p []byte) int {
	found := 0
	for i := len(p) - 1; i >= 0; i-- {
		switch p[i] {
		case '\n':
			found++
		case '\r':
		default:
			return found
		}
	}
	return n + found
}

// commonPrefix returns how many bytes a and b have in common at their beginning.
func commonPrefix(a, b []byte) int {
	n := min(len(a), len(b))
	i := 0
	// bytes.Equal compares many bytes per instruction but does not return where they differ. So it
	// finds the step of 4 KiB that differs, and the rest compares 8 bytes at a time within it.
	const step = 4 << 10
	for n-i >= step && bytes.Equal(a[i:i+step], b[i:i+step]) {
		i += step
	}
	for ; n-i >= 8; i += 8 {
		if x := binary.LittleEndian.Uint64(a[i:]) ^ binary.LittleEndian.Uint64(b[i:]); x != 0 {
			return i + bits.TrailingZeros64(x)/8
		}
	}
	for i < n && a[i] == b[i] {
		i++
	}
	return i
}
