package main

import "slices"

// pending is the list of pending cells. Its zero value is an empty list.
//
// The list consists of pieces. Each piece is a run of adjacent cells in a store, read forwards or
// backwards. A flip cuts one piece in two and then reverses pieces, not cells:
//
//	abcde> <gf          the list a b c d e f g
//	ab> gf> <cde        after F 3: a b g f e d c
//
// A sequence that is cut into parts is reversed by reversing the order of the parts and each part
// itself. So the pieces, read in order and each in its direction, are always the list.
//
// A command adds at most one piece. A flip that finds more than maxPieces of them first joins all
// pieces into one. So a flip of a list of L cells costs O(maxPieces + L/maxPieces), where the
// second term is its share of the joining; a move and a removal take constant time.
//
// Cutting a sequence into about as many pieces as each has elements, and starting over when there
// are too many, is known as square root decomposition. A treap with marks for reversed subtrees
// takes O(log L) for a flip, but was three times as slow on lists of this length.
type pending struct {
	length int
	pieces []piece // no piece is empty
	store  []int   // the cells of all pieces, and cells that were removed from the list
	spare  []int   // the previous store, whose memory the next join reuses
}

// maxPieces is about the square root of the length of the longest list, 39*39 cells, so that the
// two terms of the cost of a flip are equal.
const maxPieces = 40

// A piece is the cells store[from:to].
type piece struct {
	from, to  int
	backwards bool
}

func (p piece) length() int { return p.to - p.from }

// cut returns the first n cells of the piece, and the rest.
func (p piece) cut(n int) (head, tail piece) {
	if p.backwards {
		return piece{p.to - n, p.to, true}, piece{p.from, p.to - n, true}
	}
	return piece{p.from, p.from + n, false}, piece{p.from + n, p.to, false}
}

// last returns the last cell of the list, which must not be empty.
func (l *pending) last() int {
	p := l.pieces[len(l.pieces)-1]
	if p.backwards {
		return l.store[p.from]
	}
	return l.store[p.to-1]
}

// add appends a cell to the list.
func (l *pending) add(cell int) {
	place := len(l.store)
	l.store = append(l.store, cell)
	l.length++
	if n := len(l.pieces); n > 0 {
		if p := &l.pieces[n-1]; !p.backwards && p.to == place {
			p.to++
			return
		}
	}
	l.pieces = append(l.pieces, piece{from: place, to: place + 1})
}

// removeLast removes the last cell of the list, which must not be empty.
func (l *pending) removeLast() {
	end := len(l.pieces) - 1
	p := &l.pieces[end]
	if p.backwards {
		p.from++
	} else {
		p.to--
	}
	if p.length() == 0 {
		l.pieces = l.pieces[:end]
	}
	l.length--
}

// flip reverses the list from a position, counted from 1, to its end. The position must be in the
// list.
func (l *pending) flip(position int) {
	if len(l.pieces) > maxPieces {
		l.join()
	}
	i, stay := 0, position-1 // the cells before piece i, and its first `stay` cells, keep their places
	for stay >= l.pieces[i].length() {
		stay -= l.pieces[i].length()
		i++
	}
	if stay > 0 {
		head, tail := l.pieces[i].cut(stay)
		l.pieces[i] = head
		i++
		l.pieces = slices.Insert(l.pieces, i, tail)
	}
	end := l.pieces[i:]
	slices.Reverse(end)
	for j := range end {
		end[j].backwards = !end[j].backwards
	}
}

// join turns the list into one piece, read forwards.
func (l *pending) join() {
	joined := l.spare[:0]
	for _, p := range l.pieces {
		joined = append(joined, l.store[p.from:p.to]...)
		if p.backwards {
			slices.Reverse(joined[len(joined)-p.length():])
		}
	}
	l.store, l.spare = joined, l.store
	l.pieces = append(l.pieces[:0], piece{from: 0, to: l.length})
}
