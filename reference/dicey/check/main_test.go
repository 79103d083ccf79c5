package main

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
)

const statement = `DICEMAZE1
3 3 1 2 5 1
-1 2 4
5 5 6
6 -1 -1
DICEMAZE2
4 7 2 6 3 6
6 4 6 0 2 6 4
1 2 -1 5 3 6 1
5 3 4 5 6 4 2
4 1 2 0 3 -1 6
DICEMAZE3
3 3 1 1 2 4
2 2 3
4 5 6
-1 -1 -1
END
`

func TestRun(t *testing.T) {
	for _, c := range []struct {
		why, in string
		want    string // beginning of the message; empty for a valid input
	}{
		{"the statement", statement, ""},
		{"no maze", "END\n", ""},
		{"a single square", "A\n1 1 1 1 1 2\n-1\nEND\n", ""},
		{"a name of twenty signs", "%s!~\"#$&'()*+,-./:;<\n1 1 1 1 1 2\n0\nEND\n", ""},
		{"a name that begins with END", "ENDGAME\n1 1 1 1 1 2\n0\nEND\n", ""},
		{"the largest maze", "A\n10 10 10 10 6 5\n" + strings.Repeat("0 0 0 0 0 0 0 0 0 0\n", 10) + "END\n", ""},
		{"a thousand mazes", strings.Repeat("A\n1 1 1 1 1 2\n1\n", 1000) + "END\n", ""},
		{"1,001 mazes", strings.Repeat("A\n1 1 1 1 1 2\n1\n", 1001) + "END\n", "line 3001, column 1: "},

		{"nothing", "", "line 1, column 1: "},
		{"no final newline", "END", "line 1, column 4: "},
		{"no END", "A\n1 1 1 1 1 2\n1\n", "line 4, column 1: "},
		{"a blank after END", "END \n", "line 1, column 4: "},
		{"an empty line after END", "END\n\n", "line 2, column 1: "},
		{"an empty line before a name", "\nEND\n", "line 1, column 1: "},
		{"a blank before a name", " A\n1 1 1 1 1 2\n1\nEND\n", "line 1, column 1: "},
		{"a name of two words", "A B\n1 1 1 1 1 2\n1\nEND\n", "line 1, column 2: "},
		{"a name of 21 characters", "ABCDEFGHIJKLMNOPQRSTU\n1 1 1 1 1 2\n1\nEND\n", "line 1, column 21: "},
		{"a name beyond ASCII", "A\u00c4\n1 1 1 1 1 2\n1\nEND\n", "line 1, column 2: "},
		{"CRLF", "END\r\n", "line 1, column 4: "},
		{"two blanks", "A\n1  1 1 1 1 2\n1\nEND\n", "line 2, column 3: "},
		{"a tab", "A\n1\t1 1 1 1 2\n1\nEND\n", "line 2, column 2: "},
		{"a blank at the end of a line", "A\n1 1 1 1 1 2 \n1\nEND\n", "line 2, column 12: "},
		{"a blank at the beginning of a line", "A\n 1 1 1 1 1 2\n1\nEND\n", "line 2, column 1: "},
		{"a leading zero", "A\n01 1 1 1 1 2\n1\nEND\n", "line 2, column 1: "},
		{"a plus sign", "A\n1 1 1 1 1 2\n+1\nEND\n", "line 3, column 1: "},
		{"minus zero", "A\n1 1 1 1 1 2\n-0\nEND\n", "line 3, column 1: "},
		{"a letter", "A\n1 1 1 1 1 x\n1\nEND\n", "line 2, column 11: "},
		{"no rows", "A\n0 1 1 1 1 2\n1\nEND\n", "line 2, column 1: "},
		{"eleven rows", "A\n11 1 1 1 1 2\n1\nEND\n", "line 2, column 1: "},
		{"a hundred columns", "A\n1 100 1 1 1 2\n1\nEND\n", "line 2, column 3: "},
		{"a huge number", "A\n1 1000000000000000000 1 1 1 2\n1\nEND\n", "line 2, column 3: "},
		{"start row outside", "A\n1 2 2 1 1 2\n1 1\nEND\n", "line 2, column 5: "},
		{"start column outside", "A\n2 1 1 2 1 2\n1\n1\nEND\n", "line 2, column 7: "},
		{"top 7", "A\n1 1 1 1 7 2\n1\nEND\n", "line 2, column 9: "},
		{"front 0", "A\n1 1 1 1 1 0\n1\nEND\n", "line 2, column 11: "},
		{"top equals front", "A\n1 1 1 1 1 1\n1\nEND\n", "line 2, column 11: "},
		{"top opposite front", "A\n1 1 1 1 1 6\n1\nEND\n", "line 2, column 11: "},
		{"a square of 7", "A\n1 2 1 1 1 2\n1 7\nEND\n", "line 3, column 3: "},
		{"a square of -2", "A\n1 2 1 1 1 2\n-2 1\nEND\n", "line 3, column 1: "},
		{"a row too short", "A\n1 2 1 1 1 2\n1\nEND\n", "line 3, column 2: "},
		{"a row too long", "A\n1 2 1 1 1 2\n1 1 1\nEND\n", "line 3, column 4: "},
		{"a row missing", "A\n2 1 1 1 1 2\n1\nEND\n", "line 4, column 1: "},
		{"the end inside a maze", "A\n2 1 1 1 1 2\n1\n", "line 4, column 1: "},

		{"two ways to turn back", "A\n1 1 1 1 1 2\n0\nB\n1 3 1 2 1 2\n-1 -1 -1\nEND\n", "line 4, column 1: maze B has more than one solution"},
		{"a ring both ways round", "A\n2 2 1 1 1 2\n-1 -1\n-1 -1\nEND\n", "line 1, column 1: maze A has more than one solution"},
	} {
		var errs bytes.Buffer
		status := run([]string{"-input"}, strings.NewReader(c.in), io.Discard, &errs)
		if c.want == "" && (status != exitValid || errs.Len() > 0) {
			t.Errorf("%s: status %d, stderr %q, want it valid", c.why, status, &errs)
		}
		if c.want != "" && (status != exitInvalid || !strings.HasPrefix(errs.String(), c.want) || strings.Count(errs.String(), "\n") != 1) {
			t.Errorf("%s: status %d, stderr %q, want %q", c.why, status, &errs, c.want)
		}
	}
}

// TestExtents checks the ranges that -input prints for judge verify.
func TestExtents(t *testing.T) {
	for _, test := range []struct{ why, input, want string }{
		{"the statement", statement, "name 9 9\nR 3 4\nC 3 7\ntop 2 5\nfront 1 6\nsquare -1 6\nmazes 3 3\n"},
		{"no mazes: only their number is printed", "END\n", "mazes 0 0\n"},
		{"an invalid input: nothing is printed", "A\n1 1 1 1 1 2\n1\n", ""},
	} {
		var stdout, stderr bytes.Buffer
		status := run([]string{"-input"}, strings.NewReader(test.input), &stdout, &stderr)
		if (status == exitValid) != (test.want != "") || stdout.String() != test.want {
			t.Errorf("%s: status %d, %q%s, want %q", test.why, status, &stdout, &stderr, test.want)
		}
	}
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{nil, {"-output"}, {"-input", "file"}, {"in", "ans", "dir"}} {
		if status := run(args, strings.NewReader("END\n"), io.Discard, io.Discard); status != exitUsage {
			t.Errorf("check %q: status %d, want %d", args, status, exitUsage)
		}
	}
}

// countBySteps counts solutions by their definition, up to two: it tries every walk that repeats no
// state. It gives up and returns false after too many steps.
func countBySteps(m *maze) (count, bool) {
	const most = 20_000
	found, steps := none, 0
	onWalk := make(map[state]bool)
	var try func(from state)
	try = func(from state) {
		for _, to := range m.rolls(from) {
			if steps++; found == several || steps > most {
				return
			}
			if to.square == m.start {
				found++
				continue
			}
			if !onWalk[to] {
				onWalk[to] = true
				try(to)
				delete(onWalk, to)
			}
		}
	}
	try(state{m.start, m.die})
	return found, steps <= most
}

func TestWalksAgainstCounting(t *testing.T) {
	rng := rand.New(rand.NewPCG(810, 1872))
	var seen [several + 1]int
	for range 30_000 {
		m := &maze{rows: 1 + rng.IntN(4), cols: 1 + rng.IntN(4)}
		top, front := 1+rng.IntN(6), 1+rng.IntN(6)
		if top == front || top+front == 7 {
			continue
		}
		m.start, m.die = rng.IntN(m.rows*m.cols), lying(top, front)
		wilds := rng.IntN(50)
		for range m.rows * m.cols {
			need := rng.IntN(7)
			if rng.IntN(100) < wilds {
				need = wild
			}
			m.needs = append(m.needs, need)
		}
		want, ok := countBySteps(m)
		if !ok {
			continue
		}
		seen[want]++
		if got := m.walks(); got != want {
			t.Fatalf("%+v: count %d, want %d", m, got, want)
		}
	}
	for n, times := range seen {
		if times < 1000 {
			t.Errorf("only %d mazes of count %d, too few to tell", times, n)
		}
	}
}

func TestLying(t *testing.T) {
	if d := lying(1, 2); d.right != 3 {
		t.Errorf("with 1 on top and 2 in front %d is on the right", d.right)
	}
	// Rolls turn the die and never mirror it.
	m := &maze{rows: 3, cols: 3, needs: []int{0, wild, 0, wild, wild, wild, 0, wild, 0}}
	for top := 1; top <= 6; top++ {
		for front := 1; front <= 6; front++ {
			if top == front || top+front == 7 {
				continue
			}
			rolled := m.rolls(state{4, lying(top, front)})
			if len(rolled) != 4 {
				t.Fatalf("%d rolls from the middle", len(rolled))
			}
			for _, to := range rolled {
				if again := lying(to.die.top, to.die.front); again != to.die {
					t.Errorf("%d on top, %d in front: rolled to %v, which is a mirror image of %v", top, front, to.die, again)
				}
			}
		}
	}
}

// TestWideMazeIsFast counts the solutions of a maze with too many walks to try them one by one.
func TestWideMazeIsFast(t *testing.T) {
	row := strings.Repeat(" -1", 9) + "\n"
	in := "A\n10 10 1 1 1 2\n0" + row + strings.Repeat("-1"+row, 9)
	var errs bytes.Buffer
	if status := run([]string{"-input"}, strings.NewReader(in+"END\n"), io.Discard, &errs); status != exitValid {
		t.Errorf("status %d, stderr %q", status, &errs)
	}
}

func FuzzCheckInput(f *testing.F) {
	f.Add([]byte(statement))
	f.Add([]byte("END\n"))
	f.Add([]byte("A\n1 2 1 1 1 2\n-1 -1\nEND\n"))
	f.Fuzz(func(t *testing.T, in []byte) {
		_, _, err := checkInput(in)
		if err == nil {
			return
		}
		bad, ok := err.(*fault)
		if !ok {
			t.Fatalf("error %v is not a *fault", err)
		}
		if lines := bytes.Count(in, []byte("\n")) + 1; bad.line < 1 || bad.line > lines || bad.column < 1 {
			t.Errorf("%v: no such place in %d lines", bad, lines)
		}
		if strings.Contains(fmt.Sprint(bad), "\n") {
			t.Errorf("%q takes more than one line", bad)
		}
	})
}
