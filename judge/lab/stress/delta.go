package stress

import (
	"bytes"
	"iter"
	"math/big"
	"slices"
	"sort"
	"strconv"
)

// This file makes smaller inputs without knowledge of their format, after delta debugging (Zeller
// and Hildebrandt, Simplifying and Isolating Failure-Inducing Input, 2002): it removes lines and
// words and lowers numbers. In most formats a number announces how many items follow, so when it
// removes an item, it also tries to lower the numbers before it that may count it.

// edit replaces two ranges of a text by other texts; the first range is before the second.
type edit [2]struct {
	from, to int
	with     string
}

func (e *edit) apply(text []byte) []byte {
	var out []byte
	at := 0
	for _, part := range e {
		out = append(append(out, text[at:part.from]...), part.with...)
		at = part.to
	}
	return append(out, text[at:]...)
}

// edits returns the candidates that the edits of list make from text.
func edits(text []byte, list []edit) candidates {
	return candidates{len(list), func(i int) []byte { return list[i].apply(text) }}
}

const (
	fewItems  = 32   // largest number of items of which every range is tried
	maxCounts = 4    // largest number of numbers to lower for one range
	maxPieces = 1024 // largest number of pieces into which a longer list is divided
)

// cuts yields ranges of n items to remove. The largest come first; among ranges of one size, the
// last come first, because other items depend least on the last ones. If n is at most fewItems, it
// yields every range, otherwise halves, quarters and so on.
func cuts(n int) iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		if n <= fewItems {
			for size := n; size > 0; size-- {
				for from := n - size; from >= 0; from-- {
					if !yield(from, from+size) {
						return
					}
				}
			}
			return
		}
		for size := n; size > 0 && n/size <= maxPieces; size /= 2 {
			for to := n; to > 0; to -= size {
				if !yield(max(to-size, 0), to) {
					return
				}
			}
		}
	}
}

// word is a maximal part of a text without white space.
type word struct {
	from, to int
	line     int // number of its line, from 0
	index    int // position in the list of words, from 0
	number   int // value of a positive number that is at most the length of the text; else 0
}

// words splits a text into its words.
func words(text []byte) (list []word) {
	line := 0
	for at := 0; at < len(text); {
		if blank(text[at]) {
			if text[at] == '\n' {
				line++
			}
			at++
			continue
		}
		w := word{from: at, line: line, index: len(list)}
		for at < len(text) && !blank(text[at]) {
			at++
		}
		w.to = at
		if n, ok := integer(text[w.from:w.to]); ok && n.IsInt64() && n.Int64() > 0 && n.Int64() <= int64(len(text)) {
			w.number = int(n.Int64())
		}
		list = append(list, w)
	}
	return list
}

func blank(b byte) bool { return b == ' ' || b == '\n' || b == '\t' || b == '\r' }

// integer parses a word as a decimal integer of at most 40 digits.
func integer(text []byte) (*big.Int, bool) {
	digits := bytes.TrimPrefix(text, []byte("-"))
	if len(digits) == 0 || len(digits) > 40 || slices.ContainsFunc(digits, func(b byte) bool { return b < '0' || b > '9' }) {
		return nil, false
	}
	return new(big.Int).SetString(string(text), 10)
}

// withoutLines returns the candidates that lack a range of the text's lines.
func withoutLines(text []byte) candidates {
	if len(text) == 0 {
		return candidates{}
	}
	starts := []int{0}
	for i, b := range text {
		if b == '\n' && i+1 < len(text) {
			starts = append(starts, i+1)
		}
	}
	n := len(starts)
	starts = append(starts, len(text))
	all := words(text)
	var list []edit
	for from, to := range cuts(n) {
		before := all[:sort.Search(len(all), func(i int) bool { return all[i].line >= from })]
		list = lowered(list, text, starts[from], starts[to], before, to-from, func(w word) bool {
			// The number may count the lines after its own, which include the removed ones; or it
			// is in the first line and counts items of several lines each.
			return w.line+w.number >= to-1 && w.number <= n-1-w.line || w.number > 1 && w.line == 0 && w.number < n
		})
	}
	return edits(text, list)
}

// withoutWords returns the candidates that lack a range of the text's words.
func withoutWords(text []byte) candidates {
	all := words(text)
	var list []edit
	for from, to := range cuts(len(all)) {
		start, end := all[from].from, all[to-1].to
		firstOfLine := from == 0 || all[from-1].line < all[from].line
		switch {
		case !firstOfLine:
			start = all[from-1].to // remove the white space before the word, too
		case to < len(all) && all[to].line == all[to-1].line:
			end = all[to].from
		}
		list = lowered(list, text, start, end, all[:from], to-from, func(w word) bool {
			return w.index+w.number >= to-1 && w.number <= len(all)-1-w.index
		})
	}
	return edits(text, list)
}

// lowered appends edits to list that remove a range of n items: one that only removes them, and
// some that also lower, by n or by 1, one of the nearest numbers before the range that may count
// the items.
func lowered(list []edit, text []byte, from, to int, before []word, n int, counts func(word) bool) []edit {
	var cut edit
	cut[0].from, cut[0].to = from, from
	cut[1].from, cut[1].to = from, to
	list = append(list, cut)
	left := maxCounts
	for i := len(before) - 1; i >= 0 && left > 0; i-- {
		w := before[i]
		if w.number == 0 || !counts(w) {
			continue
		}
		left--
		for _, by := range []int{n, 1} {
			if by > w.number || by == 1 && n == 1 && list[len(list)-1][0].from == w.from {
				continue
			}
			with := cut
			with[0].from, with[0].to, with[0].with = w.from, w.to, strconv.Itoa(w.number-by)
			list = append(list, with)
		}
	}
	return list
}

// smallerNumbers returns the candidates in which one number of the text is nearer to 0.
func smallerNumbers(text []byte) candidates {
	var list []edit
	all := words(text)
	for _, w := range all[:min(len(all), 1<<16)] {
		old := text[w.from:w.to]
		n, ok := integer(old)
		if !ok {
			continue
		}
		nearer := []*big.Int{big.NewInt(0), big.NewInt(1), new(big.Int).Abs(n)}
		for by := n; by.Sign() != 0; { // subtract half of n, a quarter of n, and so on
			by = new(big.Int).Quo(by, big.NewInt(2))
			nearer = append(nearer, new(big.Int).Sub(n, by))
		}
		var tried []string
		for _, m := range nearer {
			with := m.String()
			if !smaller([]byte(with), old) || slices.Contains(tried, with) {
				continue
			}
			tried = append(tried, with)
			var e edit
			e[0].from, e[0].to = w.from, w.from
			e[1].from, e[1].to, e[1].with = w.from, w.to, with
			list = append(list, e)
		}
	}
	return edits(text, list)
}

// smaller reports whether a is shorter than b, or as long and before b in byte order. There is no
// infinite sequence of ever smaller texts, so shrinking ends.
func smaller(a, b []byte) bool {
	if len(a) != len(b) {
		return len(a) < len(b)
	}
	return bytes.Compare(a, b) < 0
}
