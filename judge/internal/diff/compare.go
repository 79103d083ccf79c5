// Package diff compares outputs while they are written, and shows the first difference.
//
// Begin with compare.go; words.go finds the difference, mismatch.go describes it, and excerpt.go
// chooses the lines to show.
package diff

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/bits"
)

// Mode says when two outputs count as equal. The zero value means [Exact].
type Mode string

const (
	Exact  Mode = "exact"  // byte for byte
	Tokens Mode = "tokens" // the same words in the same order, whatever the white space
	Float  Mode = "float"  // as Tokens, but two numbers may differ by a tolerance
)

// ParseMode returns the mode named s; the empty string names Exact. The error lists the modes.
func ParseMode(s string) (Mode, error) {
	switch m := Mode(s); m {
	case "":
		return Exact, nil
	case Exact, Tokens, Float:
		return m, nil
	}
	return "", fmt.Errorf("unknown way to compare %q (hint: exact, tokens or float)", s)
}

// Options say how outputs are compared and how much of a difference is shown.
// The zero value compares exactly and shows at most 12 lines in 4 KiB.
type Options struct {
	Mode Mode

	// FoldCase makes words equal that differ only in the case of the letters A to Z. Spaces makes
	// white space count: between words, before the first and after the last one it must be the same
	// bytes. Both are for Tokens and Float; in mode Exact case and white space always count. Tokens
	// with Spaces alone is byte equality too.
	FoldCase, Spaces bool

	// Abs and Rel are the tolerances of Float: two numbers are equal if they differ by at most Abs,
	// or by at most Rel times the expected one. If both are zero, numbers must have the same
	// float64 value.
	Abs, Rel float64

	// Lines bounds the lines of [Mismatch.Lines]; 0 is 12, and never are more than 256 shown. Bytes
	// bounds the sum of their texts in bytes; 0 is 4096, and less than 16 counts as 16. Every line
	// shown may use Bytes/Lines; if that would be less than 16, fewer lines are shown.
	Lines, Bytes int
}

const (
	maxLines = 256
	minShare = 16 // fewest bytes that say anything about a line: "…", 10 bytes, "⏎"
)

// withDefaults returns o with every field set and within its bounds. It panics on a Mode that does
// not exist, which is a bug of the caller.
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

// strict reports whether white space counts.
func (o Options) strict() bool { return o.Mode == Exact || o.Spaces }

// share returns how many bytes the text of one shown line may take.
func (o Options) share() int { return o.Bytes / o.Lines }

// reach returns how many bytes on either side of the first difference are kept: enough to align
// lines well beyond those that are shown.
func (o Options) reach() int { return 4 * o.Bytes }

// Comparer compares an output, which is written to it piece by piece, with the expected one. Its
// result does not depend on how the output is cut into pieces. Of the output it keeps only a part
// around the first difference, bounded by a small multiple of Options.Bytes, whatever the size of
// the output.
//
// A Comparer is for one goroutine at a time.
type Comparer struct {
	want *text
	o    Options

	got    int64 // bytes written so far
	differ bool  // the first difference has been found
	at     int   // position of the difference in want
	gotAt  int64 // its position in the output; until then, the bytes before it so far

	words    scanner // finds the first difference; goes on after one in white space, to see whether words differ too
	before   []byte  // modes Tokens and Float: the end of the output before the first difference
	after    []byte  // the output from the first difference on, up to reach
	lines    int     // modes Tokens and Float: newlines before the first difference
	newlines int     // if white space counts, after the first difference: newlines at the very end of the output

	closed bool
	result *Mismatch
}

// New returns a Comparer that expects want. It keeps a reference to want and never modifies it; the
// caller must not change it until Close. New panics if o.Mode is none of the modes.
func New(want []byte, o Options) *Comparer { return newComparer(textOf(want), o) }

// NewFrom is New for an expected output that is read as needed, with no more than a window of 256
// KiB in memory.
func NewFrom(want Source, o Options) *Comparer {
	return newComparer(&text{source: want, size: int(want.Size()), step: windowSize}, o)
}

func newComparer(want *text, o Options) *Comparer {
	o = o.withDefaults()
	return &Comparer{want: want, o: o, words: newScanner(want, o)}
}

// Err returns, after Close, why the expected output could not be read; nil if it could. If it could
// not, the result of Close says nothing about the output.
func (c *Comparer) Err() error { return c.want.err }

// Compare compares two whole outputs. It returns nil if got equals want.
func Compare(want, got []byte, o Options) *Mismatch {
	c := New(want, o)
	c.Write(got)
	return c.Close()
}

// Write takes the next piece of the output. It never fails and does not keep p.
// It must not be called after Close.
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

// markDifference records that the first difference is where the scanner stands. Bytes that the
// scanner held back belong to the part after the difference.
func (c *Comparer) markDifference() {
	c.differ = true
	c.at = c.words.pos
	// If white space counts, it is the same up to here.
	c.newlines = c.want.newlines(c.at)
	if held := c.words.held; len(held) > 0 {
		c.before = c.before[:len(c.before)-len(held)]
		c.gotAt -= int64(len(held))
		c.keepAfter(held)
	}
}

// keepBefore keeps the end of the output so far. p is the next piece without a difference.
func (c *Comparer) keepBefore(p []byte) {
	c.gotAt += int64(len(p))
	if c.o.Mode == Exact {
		return // want has the same bytes
	}
	c.lines += bytes.Count(p, newline)
	// Bytes that the scanner holds back are removed again, so they must not displace others.
	limit := c.o.reach() + maxNumber
	p = last(p, limit)
	if len(c.before)+len(p) > 2*limit {
		c.before = append(c.before[:0], last(c.before, limit)...)
	}
	c.before = append(c.before, p...)
}

// keepAfter keeps p, the next piece from the first difference on, up to reach, and counts the
// newlines at its end.
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
	}
	return c.result
}

func (c *Comparer) close() *Mismatch {
	same := c.words.finish()
	if !c.differ {
		if same && c.want.err == nil {
			return nil
		}
		c.markDifference()
		same = c.words.finish() // now without white space
	}
	return c.mismatch(same)
}

var newline = []byte{'\n'}

// last returns the last n bytes of p, or all of it.
func last(p []byte, n int) []byte { return p[max(0, len(p)-n):] }

// finalNewlines returns the number of newlines at the end of a text, not counting carriage returns
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
	// bytes.Equal compares many bytes per instruction but does not say where they differ, so it
	// takes the big steps, and words of 8 bytes the last one.
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
