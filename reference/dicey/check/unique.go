package main

import "slices"

// # How many solutions has a maze?
//
// Model. A state is a square with the orientation of the die on it. S is the state at the
// beginning. A walk ends whenever it enters the start square, no matter how the die lies, so all
// arrivals there are merged into one state T. S has no rolls into it and T none out of it. From one
// state at most one roll enters the start square, so this merges no two rolls. The solutions of the
// maze are the simple paths from S to T in this graph of at most 24·99+2 states; a path is simple
// if it repeats no state. Given S, the squares of a walk determine its rolls, and these its states:
// two paths are different exactly if their lists of positions are.
//
// Counting simple paths is hard in general; deciding whether there are none, one or more is not.
//
// Claim. Let P = v0 … vk be a simple path from S = v0 to T = vk. Call a path from va to vb with a <
// b a detour if none of its states between the ends is on P and it is not the single roll of P from
// va to va+1. A second simple path from S to T exists if and only if P has a detour.
//
// Proof. Suppose there is a detour from va to vb. Cut loops out of it until it is simple. It
// remains a detour: between its ends are only states that are not on P, and if there are none, it
// was a single roll to begin with and had no loops. So v0 … va, the detour, vb … vk is a path that
// repeats no state, and it differs from P in the state after va.
//
// Conversely let Q be another simple path from S to T. T has no rolls out of it, so neither of P
// and Q is the beginning of the other; let va be the last state of their common beginning. After
// va, Q takes another roll than P. Let vb be the first state on P that Q meets after va; there is
// one, because T is on P. Q has already passed v0 … va and is simple, so b > a. The part of Q from
// va to vb is a detour. ∎
//
// Search. P is found breadth first. Then, for a = 0, 1, …, k-1 in this order, a search starts at va
// by all rolls but P's own and continues through states that are not on P. If it meets some vb with
// b > a, it has found a detour, and everything ends. A state that an earlier search has passed need
// not be passed again: that search, whose a was smaller, met no vb beyond its own a from there, so
// there is none beyond the present a either. Hence every state is passed at most once, and the
// whole takes time linear in states and rolls.

// A count is the number of solutions of a maze.
type count int

const (
	none count = iota
	one
	several
)

// A maze is one maze of the input. Its squares are numbered row by row from 0.
type maze struct {
	name       string
	rows, cols int
	start      int
	die        orientation
	needs      []int
}

// wild is the number of a square that may always be entered.
const wild = -1

// An orientation of the die is given by the numbers on top, in front and on the right.
type orientation struct{ top, front, right int }

// lying returns the orientation with these numbers on top and in front, which must be faces that
// share an edge.
func lying(top, front int) orientation {
	// The faces around a 1, 2 or 3 on top, counter-clockwise from above. Around the opposite face
	// they are in reverse order.
	rings := [...][4]int{1: {2, 3, 5, 4}, 2: {1, 4, 6, 3}, 3: {1, 2, 6, 5}}
	turn, ring := 1, rings[min(top, 7-top)]
	if top > 3 {
		turn = 3
	}
	i := 0
	for ring[i] != front {
		i++
	}
	return orientation{top, front, ring[(i+turn)%4]}
}

// A state is a square with an orientation of the die on it.
type state struct {
	square int
	die    orientation
}

// rolls returns the states that are one roll away from v, at most four.
func (m *maze) rolls(v state) []state {
	var to []state
	row, col := v.square/m.cols, v.square%m.cols
	d := v.die
	enter := func(inside bool, square int, die orientation) {
		if inside && (m.needs[square] == wild || m.needs[square] == d.top) {
			to = append(to, state{square, die})
		}
	}
	enter(row > 0, v.square-m.cols, orientation{d.front, 7 - d.top, d.right})
	enter(row < m.rows-1, v.square+m.cols, orientation{7 - d.front, d.top, d.right})
	enter(col > 0, v.square-1, orientation{d.right, d.front, 7 - d.top})
	enter(col < m.cols-1, v.square+1, orientation{7 - d.right, d.front, d.top})
	return to
}

// walks counts the solutions of the maze up to two, by the search for a detour that is proved
// correct at the top of this file.
func (m *maze) walks() count {
	path := m.path()
	if path == nil {
		return none
	}
	// place holds the index in the path of every state between its ends. The ends are on the start
	// square, which the loop below tests by itself.
	place := make(map[state]int)
	for i, v := range path[:len(path)-1] {
		if i > 0 {
			place[v] = i
		}
	}
	passed := make(map[state]bool)
	for a, v := range path[:len(path)-1] {
		stack := []state{v}
		for len(stack) > 0 {
			from := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for _, to := range m.rolls(from) {
				if from == v && to == path[a+1] {
					continue // P's own roll
				}
				b, on := place[to]
				switch {
				case to.square == m.start || on && b > a:
					return several
				case !on && !passed[to]:
					passed[to] = true
					stack = append(stack, to)
				}
			}
		}
	}
	return one
}

// path returns the states of a shortest path from the start square back to it,
// or nil if there is none.
func (m *maze) path() []state {
	start := state{m.start, m.die}
	cameFrom := make(map[state]state)
	for queue := []state{start}; len(queue) > 0; queue = queue[1:] {
		for _, to := range m.rolls(queue[0]) {
			if to.square == m.start {
				path := []state{to}
				for v := queue[0]; v != start; v = cameFrom[v] {
					path = append(path, v)
				}
				path = append(path, start)
				slices.Reverse(path)
				return path
			}
			if _, known := cameFrom[to]; !known {
				cameFrom[to] = queue[0]
				queue = append(queue, to)
			}
		}
	}
	return nil
}
