package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// smallBoard draws a board that is small enough to try all sequences of a few moves.
func smallBoard(draw *rand.Rand) *board {
	n := 2 + draw.IntN(3)
	m := 1 + draw.IntN(n)
	b := newBoard(n)
	squares := draw.Perm(n * n)
	for i := range m {
		b.marbles = append(b.marbles, square{squares[i] / n, squares[i] % n})
		b.holes = append(b.holes, square{squares[m+i] / n, squares[m+i] % n})
	}
	for range draw.IntN(n * n) {
		r, c := draw.IntN(n), draw.IntN(n-1)
		if draw.IntN(2) == 0 {
			b.build(square{r, c}, square{r, c + 1})
		} else {
			b.build(square{c + 1, r}, square{c, r})
		}
	}
	return b
}

// wins plays in another way than play does: in the order of their numbers, each marble that can
// roll by a square does so, until none can.
func wins(b *board, moves string) bool {
	at := slices.Clone(b.marbles)
	home := make([]bool, len(at))
	for _, side := range moves {
		down := directions[strings.IndexRune(sideNames, side)]
		for moved := true; moved; {
			moved = false
			for i, from := range at {
				to := square{from.row + down.row, from.col + down.col}
				free := !home[i] && b.closed[b.at(from)]>>strings.IndexRune(sideNames, side)&1 == 0
				for k := range at {
					free = free && (home[k] || at[k] != to)
				}
				if !free {
					continue
				}
				at[i], moved = to, true
				for k, hole := range b.holes {
					if hole == to && !home[k] {
						if k != i {
							return false
						}
						home[i] = true
					}
				}
			}
		}
	}
	return !slices.Contains(home, false)
}

// shortestWays tries all sequences of up to `most` moves and returns the shortest that win.
func shortestWays(b *board, most int) []string {
	level := []string{""}
	for range most {
		var won, longer []string
		for _, moves := range level {
			for _, side := range sideNames {
				if next := moves + string(side); wins(b, next) {
					won = append(won, next)
				} else {
					longer = append(longer, next)
				}
			}
		}
		if len(won) > 0 {
			return won
		}
		level = longer
	}
	return nil
}

// TestAcceptsTheShortestAndNothingElse checks that all shortest sequences are accepted, but no
// other sequence of this length, and no output that differs from a right one in a byte or two.
func TestAcceptsTheShortestAndNothingElse(t *testing.T) {
	const most = 5
	draw := rand.New(rand.NewPCG(4, 2))
	boards, accepted, refused, ties := 0, 0, 0, 0
	for boards < 200 {
		b := smallBoard(draw)
		ways := shortestWays(b, most)
		if len(ways) == 0 {
			continue
		}
		boards++
		if len(ways) > 1 {
			ties++
		}
		right := make(map[string]bool)
		for _, moves := range ways {
			right[fmt.Sprintf("Case 1: %d moves %s\n\n", len(moves), moves)] = true
		}
		try := func(output string) {
			bad, err := judge([]*board{b}, []claim{{moves: ways[0]}}, []byte(output))
			switch {
			case err != nil:
				t.Fatalf("%+v: %q: %v", b, output, err)
			case (bad == nil) != right[output]:
				t.Fatalf("%+v: %q: accepted %v, right %v", b, output, bad == nil, right[output])
			case bad == nil:
				accepted++
			default:
				refused++
				for _, moves := range ways {
					if len(moves) > 1 && strings.Contains(bad.team, moves) && !strings.Contains(output, moves) {
						t.Fatalf("%q: the message for the team reveals an answer: %q", output, bad.team)
					}
				}
			}
		}
		every := []string{""}
		for range len(ways[0]) {
			var longer []string
			for _, moves := range every {
				for _, side := range sideNames {
					longer = append(longer, moves+string(side))
				}
			}
			every = longer
		}
		for _, moves := range every {
			try(fmt.Sprintf("Case 1: %d moves %s\n\n", len(moves), moves))
			try(fmt.Sprintf("Case 1: %d moves %s%s\n\n", len(moves)+1, moves, moves[:1]))
		}
		for output := range right {
			for i := range len(output) + 1 {
				for _, add := range []string{"E", "N", "S", "W", " ", "\n", "\r", "\x00", "0", "1", "\xff", "é"} {
					try(output[:i] + add + output[i:])
					if i < len(output) {
						try(output[:i] + add + output[i+1:])
					}
				}
				if i < len(output) {
					try(output[:i] + output[i+1:])
					try(output[:i])
				}
			}
		}
	}
	t.Logf("%d boards, %d of them with several shortest sequences: %d outputs accepted, %d refused", boards, ties, accepted, refused)
	if ties < 10 {
		t.Errorf("only %d boards have several shortest sequences", ties)
	}
}

// flood is an endless output that counts the bytes read from it.
type flood struct {
	text string
	read int
}

func (f *flood) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = f.text[(f.read+i)%len(f.text)]
	}
	f.read += len(p)
	return len(p), nil
}

// TestEndlessOutput checks that check reads only a little more of an output than a right one has.
func TestEndlessOutput(t *testing.T) {
	const corner, answer = "2 1 0\n0 1\n1 0\n0 0 0\n", "Case 1: 2 moves EN\n\n"
	for _, test := range []struct{ why, text string }{
		{"one line without end", "E"},
		{"NULs", "\x00"},
		{"empty lines", "\n"},
		{"the right output again and again", answer},
	} {
		input, expected, feedback := files(t, corner, answer)
		var stderr strings.Builder
		f := &flood{text: test.text}
		if status := run([]string{input, expected, feedback}, f, io.Discard, &stderr); status != wrong || f.read > 4*spare {
			t.Errorf("%s: status %d %s, %d bytes read", test.why, status, &stderr, f.read)
		}
	}
}

// TestLargeOutputs judges the longest sequences and the largest outputs that are possible.
func TestLargeOutputs(t *testing.T) {
	// One marble is home after three moves, the other is walled in.
	const round = "40 2 4\n0 0\n20 20\n0 39\n30 30\n20 20 19 20\n20 20 21 20\n20 20 20 19\n20 20 20 21\n"
	long := strings.Repeat("NWSE", spare/4-10)
	for _, test := range []struct{ why, input, answer, output, team string }{
		{"the longest sequence that check reads", "40 1 0\n0 0\n20 20\n0 0 0\n", "Case 1: impossible\n\n",
			fmt.Sprintf("Case 1: %d moves %s\n\n", len(long), long),
			fmt.Sprintf("case 1: after all %d moves marble 1 still lies on square 0 0", len(long))},
		{"the longest sequence, and one marble never moves", round + "0 0 0\n", "Case 1: impossible\n\n",
			fmt.Sprintf("Case 1: %d moves %s\n\n", len(long), long),
			fmt.Sprintf("case 1: after all %d moves marble 2 still lies on square 20 20", len(long))},
		{"ten thousand boards", strings.Repeat("2 1 0\n0 1\n0 0\n", maxBoards) + "0 0 0\n", numbered(maxBoards, "1 moves E"),
			numbered(maxBoards, "1 moves E"), ""},
		{"ten thousand boards, the last one wrong", strings.Repeat("2 1 0\n0 1\n0 0\n", maxBoards) + "0 0 0\n", numbered(maxBoards, "1 moves E"),
			numbered(maxBoards-1, "1 moves E") + "Case 10000: 1 moves N\n\n",
			"case 10000: after all 1 moves marble 1 still lies on square 1 1"},
	} {
		input, answer, feedback := files(t, test.input, test.answer)
		var stderr strings.Builder
		status := run([]string{input, answer, feedback}, strings.NewReader(test.output), io.Discard, &stderr)
		team := message(t, filepath.Join(feedback, "teammessage.txt"))
		if (status == right) != (test.team == "") || team != test.team || stderr.Len() > 0 {
			t.Errorf("%s: status %d, %.200q %s, want %q", test.why, status, team, &stderr, test.team)
		}
	}
}

// numbered returns an output that makes the same claim about each board.
func numbered(boards int, says string) string {
	var text strings.Builder
	for i := range boards {
		fmt.Fprintf(&text, "Case %d: %s\n\n", i+1, says)
	}
	return text.String()
}
