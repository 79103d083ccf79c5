// Package reduce lets the input validators of all problems offer smaller inputs.
//
// check -reduce reads a valid input and writes inputs that a person would try instead when looking
// for the smallest one that shows a fault: without a marble and its hole, a wall, a row, and
// whatever else keeps the rest consistent. They are netstrings
// (https://cr.yp.to/proto/netstrings.txt), boldest first, and need not be valid: the reader
// validates each. docs/generators.md describes this protocol.
package reduce

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"iter"
	"strconv"
)

// maxOutput bounds the bytes of the offers for one input, so that even the largest input takes
// little time. The boldest offers come first, and a reader that accepts one runs check -reduce
// again with it.
const maxOutput = 32 << 20

// A Writer writes offers. Create it by [NewWriter].
type Writer struct {
	w    *bufio.Writer
	left int
	err  error
}

// NewWriter returns a writer of offers to w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: bufio.NewWriter(w), left: maxOutput} }

// Offer writes one input, and reports whether there is room for more. A caller may stop when there
// is none.
func (w *Writer) Offer(input []byte) bool {
	if w.err != nil || len(input) > w.left {
		w.left = 0
		return false
	}
	w.left -= len(input)
	w.w.WriteString(strconv.Itoa(len(input)))
	w.w.WriteByte(':')
	w.w.Write(input)
	w.err = w.w.WriteByte(',')
	return w.err == nil
}

// Close flushes the writer and returns its first error.
func (w *Writer) Close() error {
	if w.err != nil {
		return w.err
	}
	return w.w.Flush()
}

// Cuts yields the ranges [from, to) of n items to try to remove: all, the halves, the quarters and
// so on down to single ones, as in delta debugging (Zeller and Hildebrandt, Simplifying and
// Isolating Failure-Inducing Input, 2002).
func Cuts(n int) iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		for size := n; size > 0; size /= 2 {
			for from := 0; from < n; from += size {
				if !yield(from, min(from+size, n)) {
					return
				}
			}
		}
	}
}

// Without returns a copy of list without the items in [from, to).
func Without[T any](list []T, from, to int) []T {
	rest := make([]T, 0, len(list)-(to-from))
	return append(append(rest, list[:from]...), list[to:]...)
}

// Offers parses the output of a [Writer].
func Offers(text []byte) ([][]byte, error) {
	var list [][]byte
	for len(text) > 0 {
		length, rest, _ := bytes.Cut(text, []byte(":"))
		n, err := strconv.ParseUint(string(length), 10, 31)
		if err != nil || int(n) >= len(rest) || rest[n] != ',' {
			return nil, fmt.Errorf("no netstring begins with %.40q", text)
		}
		list, text = append(list, rest[:n]), rest[n+1:]
	}
	return list, nil
}
