package main

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// claim is what an output says of one board.
type claim struct {
	moves      string
	impossible bool
}

// finding is what is wrong with an output: all of it, and what may be told
// to its author.
type finding struct{ judge, team string }

// finds is a finding that gives nothing away.
func finds(format string, args ...any) *finding {
	text := fmt.Sprintf(format, args...)
	return &finding{text, text}
}

// judge compares an output with the boards and the expected claims. An error
// means that the expected ones are wrong.
func judge(boards []*board, expected []claim, output []byte) (*finding, error) {
	claims, bad := parseOutput(output, len(boards))
	if bad != nil {
		return bad, nil
	}
	for i, c := range claims {
		number, want := i+1, expected[i]
		if c.impossible {
			if !want.impossible {
				return &finding{
					judge: fmt.Sprintf("case %d: called impossible, but %d moves win: %s", number, len(want.moves), want.moves),
					team:  fmt.Sprintf("case %d: called impossible, but it can be won", number),
				}, nil
			}
			continue
		}
		if bad := boards[i].play(number, c.moves); bad != nil {
			return bad, nil
		}
		switch {
		case want.impossible:
			return nil, fmt.Errorf("case %d is called impossible, but %s wins", number, c.moves)
		case len(c.moves) < len(want.moves):
			return nil, fmt.Errorf("case %d has %d moves, but %s wins in %d", number, len(want.moves), c.moves, len(c.moves))
		case len(c.moves) > len(want.moves):
			return &finding{
				judge: fmt.Sprintf("case %d: the %d moves win, but %d are enough: %s", number, len(c.moves), len(want.moves), want.moves),
				team:  fmt.Sprintf("case %d: the %d moves win, but fewer are enough", number, len(c.moves)),
			}, nil
		}
	}
	return nil, nil
}

// parseOutput takes an output apart, to the byte.
func parseOutput(output []byte, boards int) ([]claim, *finding) {
	line := 0
	next := func(what string) (string, *finding) {
		line++
		if len(output) == 0 {
			return "", finds("line %d: the output ends where %s should be", line, what)
		}
		text, rest, ended := bytes.Cut(output, []byte("\n"))
		if !ended {
			return "", finds("line %d: the last line has no newline", line)
		}
		output = rest
		return string(text), nil
	}
	var claims []claim
	for number := 1; number <= boards; number++ {
		text, bad := next(fmt.Sprintf("case %d", number))
		if bad != nil {
			return nil, bad
		}
		c, bad := parseClaim(text, number, line)
		if bad != nil {
			return nil, bad
		}
		claims = append(claims, c)
		if text, bad = next(fmt.Sprintf("the empty line after case %d", number)); bad != nil {
			return nil, bad
		}
		if text != "" {
			return nil, finds("line %d: %s where the empty line after case %d should be", line, quote(text), number)
		}
	}
	if len(output) > 0 {
		return nil, finds("line %d: text after the empty line of the last case", line+1)
	}
	return claims, nil
}

func parseClaim(text string, number, line int) (claim, *finding) {
	head := fmt.Sprintf("Case %d: ", number)
	says, ok := strings.CutPrefix(text, head)
	if !ok {
		return claim{}, finds("line %d: %s does not begin with %q", line, quote(text), head)
	}
	if says == "impossible" {
		return claim{impossible: true}, nil
	}
	count, moves, ok := strings.Cut(says, " moves")
	length, err := strconv.Atoi(count)
	if !ok || err != nil || strconv.Itoa(length) != count || length < 0 {
		return claim{}, finds("line %d: %s is neither %q nor a number of moves", line, quote(text), head+"impossible")
	}
	if length > 0 {
		if moves, ok = strings.CutPrefix(moves, " "); !ok {
			return claim{}, finds("line %d: no single space and sequence after the number of moves", line)
		}
	}
	if i := strings.IndexFunc(moves, func(r rune) bool { return !strings.ContainsRune("ENSW", r) }); i >= 0 {
		return claim{}, finds("line %d: %s in the sequence, which has only the letters E, N, S and W", line, quote(moves[i:]))
	}
	if len(moves) != length {
		return claim{}, finds("line %d: %d moves announced, but %d letters follow", line, length, len(moves))
	}
	return claim{moves: moves}, nil
}

// quote shows a text that may be long or unprintable.
func quote(text string) string {
	if len(text) > 40 {
		return strconv.Quote(text[:40]) + "…"
	}
	return strconv.Quote(text)
}

// play makes the moves one by one, and finds the first thing that goes wrong.
func (b *board) play(number int, moves string) *finding {
	t := newTable(b)
	for i := range len(moves) {
		if len(t.marbleOn) == 0 {
			return finds("case %d: won after %d of %d moves already", number, i, len(moves))
		}
		if bad := t.lift(moves[i], number, i+1, len(moves)); bad != nil {
			return bad
		}
	}
	for i := range b.marbles { // in order, so that the message is always the same
		for at, marble := range t.marbleOn {
			if marble == i {
				return finds("case %d: after all %d moves marble %d still lies on square %d %d",
					number, len(moves), i+1, at.row, at.col)
			}
		}
	}
	return nil
}

// table is a board in play.
type table struct {
	*board
	marbleOn map[square]int // the marbles that have not dropped
	emptyOn  map[square]int // the holes that are not filled
}

func newTable(b *board) *table {
	t := &table{b, make(map[square]int), make(map[square]int)}
	for i := range b.marbles {
		t.marbleOn[b.marbles[i]] = i
		t.emptyOn[b.holes[i]] = i
	}
	return t
}

// drop lets the marble on a square fall, if it lies over an empty hole.
func (t *table) drop(at square, number, made, of int) *finding {
	marble, here := t.marbleOn[at]
	hole, empty := t.emptyOn[at]
	if !here || !empty {
		return nil
	}
	if hole != marble {
		return finds("case %d: after %d of %d moves marble %d has dropped into hole %d", number, made, of, marble+1, hole+1)
	}
	delete(t.marbleOn, at)
	delete(t.emptyOn, at)
	return nil
}

// lift raises a side. Row by row from the opposite side, each marble rolls as
// far as it gets.
func (t *table) lift(side byte, number, made, of int) *finding {
	down := map[byte]square{'N': {1, 0}, 'S': {-1, 0}, 'W': {0, 1}, 'E': {0, -1}}[side]
	for i := range t.n {
		for j := range t.n {
			at := square{i, j}
			if down.row+down.col > 0 {
				at = square{t.n - 1 - i, t.n - 1 - j}
			}
			for {
				marble, here := t.marbleOn[at]
				to := square{at.row + down.row, at.col + down.col}
				_, taken := t.marbleOn[to]
				if !here || taken || t.walls[[2]square{at, to}] || min(to.row, to.col) < 0 || max(to.row, to.col) >= t.n {
					break
				}
				delete(t.marbleOn, at)
				t.marbleOn[to] = marble
				at = to
				if bad := t.drop(at, number, made, of); bad != nil {
					return bad
				}
			}
		}
	}
	return nil
}
