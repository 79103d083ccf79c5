// Package diff decides equality of outputs, streaming, and shows the first difference.
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

// ParseMode returns the mode named s; the empty string names Exact. An error
// lists the modes there are.
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

	// Abs and Rel are the tolerances of Float: two numbers agree when they
	// differ by at most Abs, or by at most Rel times the expected one. With
	// both zero, numbers must have the same float64 value.
	Abs, Rel float64

	// Lines bounds the lines of [Mismatch.Lines]; 0 means 12, and no more
	// than 256 are ever shown. Bytes bounds the sum of their texts in bytes; 0
	// means 4096, and less than 16 counts as 16. Every line shown may use
	// Bytes/Lines; where that would be less than 16, fewer lines are shown.
	Lines, Bytes int
}

const (
	maxLines = 256
	minShare = 16 // bytes of text that say anything about a line: "…", 10 bytes, "⏎"
)

// withDefaults returns o with every field set and within its bounds.
// It panics on a Mode that does not exist, which is a bug of the caller.
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

// share returns how many bytes the text of one shown line may have.
func (o Options) share() int { return o.Bytes / o.Lines }

// reach returns how many bytes on either side of the first difference are
// looked at: enough to align lines well beyond those that are shown.
func (o Options) reach() int { return 4 * o.Bytes }

// A Comparer compares an output, written to it piece by piece, with the
// expected one. What it finds does not depend on how the output was cut into
// pieces. Of the output it keeps a part around the first difference that is
// bounded by a small multiple of Options.Bytes, whatever the size of the output.
//
// A Comparer is for one goroutine at a time.
type Comparer struct {
	want []byte
	o    Options

	got    int64 // bytes written so far
	differ bool  // the first difference has been met
	at     int   // where it is in want; until then, in mode Exact, the length of the equal prefix
	gotAt  int64 // where it is in the output

	words    scanner // mode Exact: runs from the first difference on, to tell whether only white space differs
	before   []byte  // modes Tokens and Float: the end of the output before the first difference
	after    []byte  // the output from the first difference on, as far as it is looked at
	lines    int     // modes Tokens and Float: newlines before the first difference
	newlines int     // mode Exact, after the first difference: newlines at the very end of the output

	closed bool
	result *Mismatch
}

// New returns a Comparer that expects want, which it keeps a reference to and
// never modifies; the caller must leave it alone until Close. It panics if
// o.Mode is none of the modes.
func New(want []byte, o Options) *Comparer {
	o = o.withDefaults()
	return &Comparer{want: want, o: o, words: newScanner(want, o)}
}

// Compare compares two whole outputs. It returns nil when got equals want.
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
	if c.o.Mode == Exact {
		c.writeExact(p)
	} else {
		c.writeWords(p)
	}
	return n, nil
}

func (c *Comparer) writeExact(p []byte) {
	if !c.differ {
		n := commonPrefix(c.want[c.at:], p)
		c.at += n
		if p = p[n:]; len(p) == 0 {
			return
		}
		c.differBytes()
	}
	c.keepAfter(p)
	c.newlines = finalNewlines(c.newlines, p)
	if !c.words.failed {
		c.words.feed(p)
	}
}

// differBytes notes that the outputs are not the same bytes from c.at on, and
// begins to ask whether they are the same words.
func (c *Comparer) differBytes() {
	c.differ = true
	c.gotAt = int64(c.at)
	c.newlines = finalNewlines(0, c.want[:c.at])
	c.words.resume(c.at)
}

func (c *Comparer) writeWords(p []byte) {
	if !c.differ {
		n := c.words.feed(p)
		c.keepBefore(p[:n])
		if !c.words.failed {
			return
		}
		c.differWords()
		p = p[n:]
	}
	c.keepAfter(p)
}

// differWords notes that the outputs do not have the same words. The bytes
// that the scanner held back belong to what comes after the difference.
func (c *Comparer) differWords() {
	c.differ = true
	c.at = c.words.pos
	held := c.words.held
	c.before = c.before[:len(c.before)-len(held)]
	c.gotAt -= int64(len(held))
	c.keepAfter(held)
}

// keepBefore remembers the end of the output so far, p being its next piece
// without a difference.
func (c *Comparer) keepBefore(p []byte) {
	c.gotAt += int64(len(p))
	c.lines += bytes.Count(p, newline)
	// What the scanner holds back is taken off again, so it must not push
	// anything out.
	limit := c.o.reach() + maxNumber
	p = last(p, limit)
	if len(c.before)+len(p) > 2*limit {
		c.before = append(c.before[:0], last(c.before, limit)...)
	}
	c.before = append(c.before, p...)
}

// keepAfter remembers p, the next piece from the first difference on, unless
// enough is known.
func (c *Comparer) keepAfter(p []byte) {
	c.after = append(c.after, p[:min(len(p), c.o.reach()-len(c.after))]...)
}

// Close ends the output and returns nil when it equals the expected one, else
// the first difference. Further calls return the same.
func (c *Comparer) Close() *Mismatch {
	if !c.closed {
		c.closed = true
		c.result = c.close()
	}
	return c.result
}

func (c *Comparer) close() *Mismatch {
	if c.o.Mode == Exact {
		if !c.differ {
			if c.at == len(c.want) {
				return nil
			}
			c.differBytes()
		}
		return c.mismatch(c.words.finish())
	}
	if !c.differ {
		if c.words.finish() {
			return nil
		}
		c.differWords()
	}
	return c.mismatch(false)
}

var newline = []byte{'\n'}

// last returns the last n bytes of p, or all of it.
func last(p []byte, n int) []byte { return p[max(0, len(p)-n):] }

// finalNewlines returns the number of newlines that end a text, carriage
// returns aside, when p is its last piece and n ended what came before p.
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
	// bytes.Equal compares many bytes per instruction but does not say where
	// it stopped, so it takes the big steps and words of 8 bytes the last one.
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
