package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
)

// solveText runs the whole program on an input.
func solveText(t testing.TB, input string) (status int, stdout, stderr string) {
	t.Helper()
	var out, bad bytes.Buffer
	status = run(nil, strings.NewReader(input), &out, &bad)
	return status, out.String(), bad.String()
}

func TestSolve(t *testing.T) {
	for _, test := range []struct{ name, why, input, want string }{
		{
			"statement", "the two boards of the statement",
			"4 3 1\n0 1\n1 0\n1 2\n2 3\n2 1\n3 2\n1 1 1 2\n3 2 2\n0 0\n0 1\n0 2\n2 0\n2 0 1 0\n2 0 2 1\n0 0 0\n",
			"Case 1: 5 moves ENSWN\n\nCase 2: impossible\n\n",
		},
		{"nothing", "an input without boards prints nothing", "0 0 0\n", ""},
		{"lift-east", "lifting a side rolls marbles away from it", "2 1 0\n0 1\n0 0\n0 0 0\n", "Case 1: 1 moves E\n\n"},
		{"lift-north", "lifting a side rolls marbles away from it", "2 1 0\n0 1\n1 1\n0 0 0\n", "Case 1: 1 moves N\n\n"},
		{"lift-south", "lifting a side rolls marbles away from it", "2 1 0\n1 1\n0 1\n0 0 0\n", "Case 1: 1 moves S\n\n"},
		{"lift-west", "lifting a side rolls marbles away from it", "2 1 0\n0 0\n0 1\n0 0 0\n", "Case 1: 1 moves W\n\n"},
		{"tie", "EN and NE both win: the alphabetically first is printed", "2 1 0\n0 1\n1 0\n0 0 0\n", "Case 1: 2 moves EN\n\n"},
		{"over-filled", "the first marble fills the hole, the next rolls over it in the same move",
			"4 2 0\n0 1\n0 0\n0 2\n0 3\n0 0 0\n", "Case 1: 1 moves W\n\n"},
		{"front-first", "marbles ahead roll first whatever their numbers",
			"4 2 0\n0 0\n0 1\n0 3\n0 2\n0 0 0\n", "Case 1: 1 moves W\n\n"},
		{"lost", "a marble in a wrong hole stays there, so W alone is no way home",
			"4 2 0\n0 0\n0 1\n0 2\n0 3\n0 0 0\n", "Case 1: 3 moves NWS\n\n"},
		{"wall", "a wall stops a marble short of the hole for good",
			"2 1 2\n0 0\n0 1\n0 0 0 1\n1 1 0 1\n0 0 0\n", "Case 1: impossible\n\n"},
		{"wall-reversed", "a wall may be given from either side, and twice",
			"2 1 3\n0 0\n1 1\n0 1 0 0\n0 0 0 1\n0 1 0 0\n0 0 0\n", "Case 1: 2 moves NW\n\n"},
		{"on-own-hole", "a marble that starts on its own hole drops before the first move",
			"2 1 0\n0 0\n0 0\n0 0 0\n", "Case 1: 0 moves\n\n"},
		{"on-own-hole-filled", "the hole of such a marble is floor from the first move on",
			"3 2 0\n0 1\n0 0\n0 1\n0 2\n0 0 0\n", "Case 1: 1 moves W\n\n"},
		{"on-wrong-hole", "a marble that starts on a wrong hole makes the board impossible",
			"2 2 0\n0 0\n0 1\n0 1\n0 0\n0 0 0\n", "Case 1: impossible\n\n"},
		{"full-board", "as many marbles as squares, all at home",
			"2 4 0\n0 0\n0 1\n1 0\n1 1\n0 0\n0 1\n1 0\n1 1\n0 0 0\n", "Case 1: 0 moves\n\n"},
		{"between-holes", "a hole may fill beyond one that stays open",
			"3 3 1\n2 1\n1 0\n2 2\n2 1\n1 2\n1 1\n0 1 1 1\n0 0 0\n", "Case 1: 4 moves ESWN\n\n"},
		{"layout", "CRLF, blanks, empty lines, leading zeros and no final newline are tolerated",
			"\r\n  2\t1   00 \r\n\n0 01\t\r\n\n \n0 0\n\n0 0 0 ", "Case 1: 1 moves E\n\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			status, out, bad := solveText(t, test.input)
			if status != 0 || out != test.want || bad != "" {
				t.Errorf("%s:\ngot  %d %q %q\nwant 0 %q", test.why, status, out, bad, test.want)
			}
		})
	}
}

// crowded returns a board of side n whose rows are cut off from each other, each with marbles in
// one half and holes in the other. It has the widest keys of valid boards of this side.
func crowded(n int) string {
	var marbles, holes, walls strings.Builder
	for row := range n {
		for k := range n / 2 {
			marble, hole := n/2-1-k, n/2+k
			if row%2 == 1 {
				marble, hole = n-1-marble, n-1-hole
			}
			fmt.Fprintln(&marbles, row, marble)
			fmt.Fprintln(&holes, row, hole)
		}
		for col := range n {
			if row+1 < n {
				fmt.Fprintln(&walls, row, col, row+1, col)
			}
		}
	}
	return fmt.Sprintln(n, n*(n/2), n*(n-1)) + marbles.String() + holes.String() + walls.String()
}

func TestWideKeys(t *testing.T) {
	for n := 2; n <= maxSize; n += 2 {
		_, out, bad := solveText(t, crowded(n)+"0 0 0\n")
		if want := "Case 1: 2 moves EW\n\n"; out != want {
			t.Errorf("n=%d: got %q %q, want %q", n, out, bad, want)
		}
	}
}

// TestThreads checks that the answer does not depend on the number of threads, on boards large
// enough to be cut into parts and searched by several threads.
func TestThreads(t *testing.T) {
	chance := rand.New(rand.NewPCG(10, 7))
	const n, m, walls = 16, 4, 80
	var text strings.Builder
	for range 3 {
		fmt.Fprintln(&text, n, m, walls)
		for _, s := range chance.Perm(n * n)[:2*m] {
			fmt.Fprintln(&text, s/n, s%n)
		}
		for range walls {
			r, c := chance.IntN(n), chance.IntN(n-1)
			if chance.IntN(2) == 0 {
				fmt.Fprintln(&text, r, c, r, c+1)
			} else {
				fmt.Fprintln(&text, c, r, c+1, r)
			}
		}
	}
	text.WriteString("0 0 0\n")
	const want = "Case 1: 25 moves ESWSNWSENENWSENENWNSESWSE\n\n" +
		"Case 2: 50 moves ESENWNENESESWSWNESWSESWNWNENENENENEWNWSWSWNWNENWNE\n\n" +
		"Case 3: impossible\n\n"
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, threads := range []int{1, 2, 5} {
		runtime.GOMAXPROCS(threads)
		if _, got, _ := solveText(t, text.String()); got != want {
			t.Errorf("%d threads: got %q, want %q", threads, got, want)
		}
	}
}

func FuzzSolve(f *testing.F) {
	f.Add([]byte("4 3 1\n0 1\n1 0\n1 2\n2 3\n2 1\n3 2\n1 1 1 2\n0 0 0\n"))
	f.Add([]byte("2 1 0\r\n\r\n0 1\r\n0 0\r\n0 0 0"))
	f.Add([]byte("2 1 99999999999999999999\n"))
	f.Add([]byte("0 0 0\n\x00\xff"))
	f.Fuzz(func(t *testing.T, input []byte) {
		// A large board might be searched for a long time, so only small ones are solved.
		boards, err := readBoards(bytes.NewReader(input))
		for _, b := range boards {
			if err == nil && (b.n > 4 || len(b.marbles) > 3) {
				return
			}
		}
		status, out, bad := solveText(t, string(input))
		switch {
		case status != 0 && status != 3:
			t.Errorf("status %d", status)
		case status == 3 && (out != "" || !strings.HasPrefix(bad, "line ")):
			t.Errorf("malformed, but printed %q and %q", out, bad)
		case status == 0 && strings.Count(out, "\n\n") != len(boards):
			t.Errorf("%d boards, but printed %q", len(boards), out)
		}
	})
}
