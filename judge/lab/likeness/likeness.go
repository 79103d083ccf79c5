// Package likeness finds pairs of programs that share more code than programs for the same problem
// usually do.
//
// Programs are compared as sequences of tokens, in which names, numbers, strings, comments and layout
// do not count. Winnowing (Schleimer, Wilkerson and Aiken, "Winnowing: Local Algorithms for Document
// Fingerprinting", SIGMOD 2003) picks fingerprints of each program, which give candidates; a greedy
// tiling of their common parts (as in Wise, "String Similarity via Greedy String Tiling", 1993) then
// says how much they share, whatever the order of the parts. Statements that only one of them has, between
// those that both have, do not count.
//
// A likeness is a hint for a person, never a proof.
package likeness

import (
	"cmp"
	"context"
	"slices"
)

// The parameters of winnowing: hashes are of noise tokens, and each common part of guarantee tokens
// gives at least one common fingerprint.
const (
	noise     = 12
	guarantee = 20
	window    = guarantee - noise + 1
)

const (
	// LeastShared is the least part of the smaller program that a pair shares.
	LeastShared = 0.6
	// leastTokens is how many tokens a pair shares at least: short programs are alike by necessity.
	leastTokens = 60
	// Fingerprints in more than a quarter of the programs, and in more than usual of them, are those
	// of templates and of what the problem suggests, and do not count.
	usual, usualPart = 4, 4
	// leastCommon is the part of a program that many others have, from which on it has hardly any other code.
	leastCommon = 0.9
)

// Program is a program to compare.
type Program struct {
	Name     string
	Language string
	Text     string // the sources, one after the other
}

// Part is a part that two programs have in common, as ranges of lines from 1, both ends included.
type Part struct {
	A, B   [2]int
	Tokens int
}

// Pair is a pair of programs that are alike.
type Pair struct {
	A, B   int     // indices of the programs, A < B
	Shared float64 // the part of the smaller program that the other has, too: from 0 to 1
	Tokens int     // how many tokens they share
	Parts  []Part  // in the order of A
}

// Same returns the groups of programs that are the same, byte for byte, in the order of their first ones;
// also of those that are too short for a pair. Those that are all of base do not count.
func Same(programs, base []Program) (groups [][]int) {
	type text struct{ language, text string }
	of := map[text]int{} // index into groups
	given := map[string]bool{}
	for _, p := range base {
		given[p.Text] = true
	}
	for i, p := range programs {
		if given[p.Text] {
			continue
		}
		key := text{p.Language, p.Text}
		g, ok := of[key]
		if !ok {
			g = len(groups)
			of[key] = g
			groups = append(groups, nil)
		}
		groups[g] = append(groups[g], i)
	}
	return slices.DeleteFunc(groups, func(g []int) bool { return len(g) < 2 })
}

// Find returns the pairs of programs in the same language that are alike, those that share most
// first. base are programs that all were given, such as a template, whose code does not count.
// Code that many have does not count either: common are the programs in no pair that have hardly any other, by
// index, which may be copies of one another. The error is that of ctx.
func Find(ctx context.Context, programs, base []Program) (pairs []Pair, common []int, err error) {
	given := map[uint64]bool{}
	for _, p := range base {
		for _, h := range grams(scan(p)) {
			given[h] = true
		}
	}
	list := make([]scanned, len(programs))
	in := map[string]map[uint64][]int{} // by language and fingerprint, the programs that have it
	for i, p := range programs {
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		s := scanned{tokens: scan(p)}
		s.grams = grams(s.tokens)
		list[i] = s
		if in[p.Language] == nil {
			in[p.Language] = map[uint64][]int{}
		}
		seen := map[uint64]bool{}
		for _, at := range winnow(s.grams) {
			if h := s.grams[at]; !seen[h] && !given[h] {
				seen[h] = true
				in[p.Language][h] = append(in[p.Language][h], i)
			}
		}
	}
	prints, usually := map[[2]int]int{}, map[uint64]bool{}
	for language, having := range in {
		size := 0
		for _, p := range programs {
			if p.Language == language {
				size++
			}
		}
		for h, who := range having {
			if len(who) > max(usual, size/usualPart) {
				given[h], usually[h] = true, true
				continue
			}
			for i, a := range who {
				for _, b := range who[i+1:] {
					prints[[2]int{a, b}]++
				}
			}
		}
	}
	for i := range list {
		list[i].split(programs[i].Language, given)
		n := 0
		for _, is := range list[i].covered(usually) {
			if is {
				n++
			}
		}
		if n >= leastTokens && float64(n) >= leastCommon*float64(len(list[i].tokens)) {
			common = append(common, i)
		}
	}
	for i := range list {
		for j := i + 1; j < len(list); j++ {
			if ctx.Err() != nil {
				return nil, nil, ctx.Err()
			}
			if programs[i].Language != programs[j].Language {
				continue
			}
			p := strewn(&list[i], &list[j])
			if prints[[2]int{i, j}]*window >= leastTokens/2 { // each fingerprint stands for a window at most
				if whole := tile(&list[i], &list[j], given); whole.Shared >= p.Shared {
					p = whole
				}
			}
			if p.Tokens >= leastTokens && p.Shared >= LeastShared {
				p.A, p.B = i, j
				pairs = append(pairs, p)
			}
		}
	}
	slices.SortFunc(pairs, func(x, y Pair) int {
		return cmp.Or(cmp.Compare(y.Shared, x.Shared), cmp.Compare(y.Tokens, x.Tokens), cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B))
	})
	common = slices.DeleteFunc(common, func(i int) bool {
		return slices.ContainsFunc(pairs, func(p Pair) bool { return p.A == i || p.B == i })
	})
	return pairs, common, nil
}

// scanned is a program as tokens, with the hash of the tokens from each one on.
type scanned struct {
	tokens     []token
	grams      []uint64
	statements []statement
	sorted     []statement // by hash
	size       int         // tokens of the statements
}

// grams returns the hash of each sequence of noise tokens.
func grams(tokens []token) []uint64 {
	if len(tokens) < noise {
		return nil
	}
	list := make([]uint64, len(tokens)-noise+1)
	for i := range list {
		h := uint64(noHash)
		for _, t := range tokens[i : i+noise] {
			h = mix(h, t.hash)
		}
		list[i] = h
	}
	return list
}

// noHash is the hash of no tokens, and mix that of one more: FNV-1a, over whole tokens.
const noHash = 14695981039346656037

func mix(h, token uint64) uint64 {
	h = (h ^ token) * 1099511628211
	return h ^ h>>29
}

// winnow returns the positions of the fingerprints: in each window the least hash, of equal ones the
// last.
func winnow(grams []uint64) (picked []int) {
	last := -1
	for from := 0; from+window <= len(grams); from++ {
		least := from
		for i := from; i < from+window; i++ {
			if grams[i] <= grams[least] {
				least = i
			}
		}
		if least != last {
			last = least
			picked = append(picked, least)
		}
	}
	if picked == nil && len(grams) > 0 { // shorter than a window
		picked = []int{slices.Index(grams, slices.Min(grams))}
	}
	return picked
}

// match is a common part of two programs: n tokens from i and j on.
type match struct{ i, j, n int }

// mostMatched bounds the tokens of all matches of a pair. Long runs of the same few tokens match one another at every
// shift, and the first matches are the longest.
const mostMatched = 1 << 24

// matching returns the longest common parts of two programs that do not begin with given code.
func matching(a, b *scanned, given map[uint64]bool) (matches []match) {
	at := map[uint64][]int{} // in b
	for j, h := range b.grams {
		if !given[h] {
			at[h] = append(at[h], j)
		}
	}
	const most = 64 // places of the same tokens that are tried
	matched := 0
	for i, h := range a.grams {
		for k, j := range at[h] {
			if k == most || matched >= mostMatched {
				break
			}
			if i > 0 && j > 0 && a.tokens[i-1].hash == b.tokens[j-1].hash && !given[a.grams[i-1]] {
				continue // part of the match that begins before
			}
			n := noise
			for i+n < len(a.tokens) && j+n < len(b.tokens) && a.tokens[i+n].hash == b.tokens[j+n].hash {
				n++
			}
			matched += n
			matches = append(matches, match{i, j, n})
		}
	}
	return matches
}

// tile covers two programs greedily by their longest common parts that no other part covers, and that
// do not begin with given code.
func tile(a, b *scanned, given map[uint64]bool) Pair {
	matches := matching(a, b, given)
	usedA, usedB := make([]bool, len(a.tokens)), make([]bool, len(b.tokens))
	slices.SortFunc(matches, func(x, y match) int {
		return cmp.Or(cmp.Compare(y.n, x.n), cmp.Compare(x.i, y.i), cmp.Compare(x.j, y.j))
	})
	var p Pair
	for _, m := range matches {
		// What an earlier part covers is cut off at the ends.
		for m.n > 0 && (usedA[m.i] || usedB[m.j]) {
			m.i, m.j, m.n = m.i+1, m.j+1, m.n-1
		}
		n := 0
		for n < m.n && !usedA[m.i+n] && !usedB[m.j+n] {
			n++
		}
		if n < noise {
			continue
		}
		for k := range n {
			usedA[m.i+k], usedB[m.j+k] = true, true
		}
		p.Tokens += n
		p.Parts = append(p.Parts, Part{
			A: [2]int{a.tokens[m.i].line, a.tokens[m.i+n-1].line}, B: [2]int{b.tokens[m.j].line, b.tokens[m.j+n-1].line}, Tokens: n,
		})
	}
	slices.SortFunc(p.Parts, func(x, y Part) int { return cmp.Compare(x.A[0], y.A[0]) })
	if size := min(len(a.tokens), len(b.tokens)); size > 0 {
		p.Shared = float64(p.Tokens) / float64(size)
	}
	return p
}
