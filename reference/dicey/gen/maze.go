package main

import (
	"slices"
	"strconv"
)

// A maze is one maze of an input. Its squares are numbered row by row from 0.
type maze struct {
	name       string
	rows, cols int
	start      int
	die        int // one of the 24 lies
	needs      []int
}

const (
	empty = 0
	wild  = -1
)

// A lie is an orientation of the die.
type lie struct {
	top, front, right int
	rolled            [4]int // the lies after a roll up, down, left, right
}

// lies holds all 24 lies, first the one with 1 on top and 2 in front.
var lies = allLies()

func allLies() []lie {
	all := []lie{{top: 1, front: 2, right: 3}}
	index := map[[2]int]int{{1, 2}: 0}
	for i := 0; i < len(all); i++ {
		top, front, right := all[i].top, all[i].front, all[i].right
		for dir, after := range [4]lie{
			{top: front, front: 7 - top, right: right},
			{top: 7 - front, front: top, right: right},
			{top: right, front: front, right: 7 - top},
			{top: 7 - right, front: front, right: top},
		} {
			key := [2]int{after.top, after.front}
			if _, known := index[key]; !known {
				index[key] = len(all)
				all = append(all, after)
			}
			all[i].rolled[dir] = index[key]
		}
	}
	return all
}

// neighbour returns the next square in a direction, or false at the edge.
func (m *maze) neighbour(square, dir int) (int, bool) {
	switch dir {
	case 0:
		return square - m.cols, square >= m.cols
	case 1:
		return square + m.cols, square+m.cols < len(m.needs)
	case 2:
		return square - 1, square%m.cols > 0
	default:
		return square + 1, square%m.cols < m.cols-1
	}
}

// appendTo appends the lines of the maze to text.
func (m *maze) appendTo(text []byte) []byte {
	text = append(append(text, m.name...), '\n')
	text = appendNumbers(text, m.rows, m.cols, m.start/m.cols+1, m.start%m.cols+1, lies[m.die].top, lies[m.die].front)
	for i := 0; i < len(m.needs); i += m.cols {
		text = appendNumbers(text, m.needs[i:i+m.cols]...)
	}
	return text
}

func appendNumbers(text []byte, numbers ...int) []byte {
	for i, n := range numbers {
		if i > 0 {
			text = append(text, ' ')
		}
		text = strconv.AppendInt(text, int64(n), 10)
	}
	return append(text, '\n')
}

// A survey describes the solutions of a maze.
type survey struct {
	solutions int   // 0, 1 or 2 for more than one
	walk      []int // the squares of a shortest solution, with both ends
	reached   int   // states that can be met before the start square is entered
	before    int   // states that a breadth-first search meets before the one that it comes home from
}

// A surveyor looks for solutions. It is kept from maze to maze, because its marks name the round
// and so need no clearing. The zero value is ready.
type surveyor struct {
	round  int
	seen   [100 * 24]int // by state: the round in which search last met it
	passed [100 * 24]int // by state: the round in which detour last met it off the walk
	place  [100 * 24]int // by state: its index in the walk, valid if placed is the current round
	placed [100 * 24]int // by state: the round in which it was last on the walk
	queue  []visit
	stack  []int
}

type visit struct{ state, from int }

// survey counts the solutions of a maze up to two. There is a second solution if and only if the
// first has a detour: rolls that leave it at some state and meet it again, for the first time, at a
// later state. check/unique.go holds the proof.
func (s *surveyor) survey(m *maze) survey {
	s.round++
	end, reached := s.search(m)
	if end < 0 {
		return survey{reached: reached}
	}
	var path []int
	for i := end; i >= 0; i = s.queue[i].from {
		path = append(path, s.queue[i].state)
	}
	slices.Reverse(path)
	found := survey{solutions: 1, reached: reached, before: end}
	for i, state := range path {
		found.walk = append(found.walk, state/24)
		if i > 0 {
			s.place[state], s.placed[state] = i, s.round
		}
	}
	found.walk = append(found.walk, m.start)
	if s.detour(m, path) {
		found.solutions = 2
	}
	return found
}

// search visits breadth first all states that can be met before the start square is entered. It
// returns the index in the queue from which that square is first entered, or -1, and the number of
// states that it met.
func (s *surveyor) search(m *maze) (end, reached int) {
	end = -1
	s.queue = append(s.queue[:0], visit{m.start*24 + m.die, -1})
	for i := 0; i < len(s.queue); i++ {
		square, die := s.queue[i].state/24, s.queue[i].state%24
		for dir, after := range lies[die].rolled {
			to, inside := m.neighbour(square, dir)
			if !inside || m.needs[to] != wild && m.needs[to] != lies[die].top {
				continue
			}
			state := to*24 + after
			switch {
			case to == m.start:
				if end < 0 {
					end = i
				}
			case s.seen[state] != s.round:
				s.seen[state] = s.round
				s.queue = append(s.queue, visit{state, i})
			}
		}
	}
	return end, len(s.queue)
}

// detour reports whether the path, whose last roll enters the start square, has a detour.
func (s *surveyor) detour(m *maze, path []int) bool {
	for a, origin := range path {
		s.stack = append(s.stack[:0], origin)
		for len(s.stack) > 0 {
			from := s.stack[len(s.stack)-1]
			s.stack = s.stack[:len(s.stack)-1]
			square, die := from/24, from%24
			for dir, after := range lies[die].rolled {
				to, inside := m.neighbour(square, dir)
				if !inside || m.needs[to] != wild && m.needs[to] != lies[die].top {
					continue
				}
				state := to*24 + after
				last := a == len(path)-1
				switch {
				case from == origin && (last && to == m.start || !last && state == path[a+1]):
					// the path's own roll
				case to == m.start || s.placed[state] == s.round && s.place[state] > a:
					return true
				case s.placed[state] != s.round && s.passed[state] != s.round:
					s.passed[state] = s.round
					s.stack = append(s.stack, state)
				}
			}
		}
	}
	return false
}
