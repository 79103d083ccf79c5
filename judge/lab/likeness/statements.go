package likeness

import (
	"cmp"
	"slices"
)

const (
	// leastStatement is how many tokens a statement has at least to be compared: brackets alone say nothing.
	leastStatement = 3
	// leastStrewn is the least part of the smaller program whose statements another has in the same order,
	// among others: unrelated programs share more of these than of whole passages.
	leastStrewn = 0.8
	// A copy has at most mostStrewn times the tokens of the original, and two programs at most mostCells
	// pairs of statements.
	mostStrewn, mostCells = 5, 1 << 24
)

// statement is a statement of a program, or the head of one.
type statement struct {
	hash        uint64
	tokens      int
	first, last int // lines
}

// ends are the tokens with which a statement ends.
var ends = map[uint64]bool{hashOf(";"): true, hashOf("{"): true, hashOf("}"): true}

// endsWithLine reports whether a statement also ends with its line in a language.
func endsWithLine(language string) bool {
	return !slices.Contains([]string{"c", "cpp", "csharp", "java", "rust", "pascal", "perl"}, language)
}

// covered says which tokens of a program are within sequences of a set.
func (s *scanned) covered(set map[uint64]bool) []bool {
	covered := make([]bool, len(s.tokens))
	for i, h := range s.grams {
		for k := i; set[h] && k < i+noise; k++ {
			covered[k] = true
		}
	}
	return covered
}

// split sets the statements of a program, but for those that all were given.
func (s *scanned) split(language string, given map[uint64]bool) {
	covered := s.covered(given)
	from, hash, lines := 0, uint64(noHash), endsWithLine(language)
	for i, t := range s.tokens {
		hash = mix(hash, t.hash)
		if !ends[t.hash] && i+1 < len(s.tokens) && !(lines && s.tokens[i+1].line > t.line) {
			continue
		}
		if n := i + 1 - from; n >= leastStatement && slices.Contains(covered[from:i+1], false) {
			s.statements = append(s.statements, statement{hash, n, s.tokens[from].line, t.line})
			s.size += n
		}
		from, hash = i+1, noHash
	}
	s.sorted = slices.SortedFunc(slices.Values(s.statements), func(a, b statement) int { return cmp.Compare(a.hash, b.hash) })
}

// strewn compares two programs by the statements that both have in the same order, whatever one of them has
// between these, such as a statement that does nothing after each line of a copy. It returns an empty pair
// if that is less than leastStrewn.
func strewn(a, b *scanned) (p Pair) {
	size := min(a.size, b.size)
	if max(a.size, b.size) > mostStrewn*size || len(a.statements)*len(b.statements) > mostCells {
		return p
	}
	common := 0 // tokens, in any order
	for i, j := 0, 0; i < len(a.sorted) && j < len(b.sorted); {
		switch c := cmp.Compare(a.sorted[i].hash, b.sorted[j].hash); {
		case c < 0:
			i++
		case c > 0:
			j++
		default:
			common += a.sorted[i].tokens
			i, j = i+1, j+1
		}
	}
	if common < leastTokens || float64(common) < leastStrewn*float64(size) {
		return p
	}
	// best[i][j] is the largest number of tokens of statements that the rests from i and j have in order.
	best := make([][]int32, len(a.statements)+1)
	for i := range best {
		best[i] = make([]int32, len(b.statements)+1)
	}
	for i := len(a.statements) - 1; i >= 0; i-- {
		for j := len(b.statements) - 1; j >= 0; j-- {
			best[i][j] = max(best[i+1][j], best[i][j+1])
			if a.statements[i].hash == b.statements[j].hash {
				best[i][j] = max(best[i][j], best[i+1][j+1]+int32(a.statements[i].tokens))
			}
		}
	}
	if float64(best[0][0]) < leastStrewn*float64(size) {
		return p
	}
	p.Tokens, p.Shared = int(best[0][0]), float64(best[0][0])/float64(size)
	last := -2 // the statement of a that has been matched
	for i, j := 0, 0; i < len(a.statements) && j < len(b.statements); {
		x, y := a.statements[i], b.statements[j]
		switch {
		case x.hash == y.hash && best[i][j] == best[i+1][j+1]+int32(x.tokens):
			if i != last+1 {
				p.Parts = append(p.Parts, Part{A: [2]int{x.first, 0}, B: [2]int{y.first, 0}})
			}
			part := &p.Parts[len(p.Parts)-1]
			part.A[1], part.B[1], part.Tokens = x.last, y.last, part.Tokens+x.tokens
			last, i, j = i, i+1, j+1
		case best[i][j] == best[i+1][j]:
			i++
		default:
			j++
		}
	}
	return p
}
