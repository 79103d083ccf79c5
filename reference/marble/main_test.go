package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
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
		{"lift-east", "lifting a side rolls away from it", "2 1 0\n0 1\n0 0\n0 0 0\n", "Case 1: 1 moves E\n\n"},
		{"lift-north", "lifting a side rolls away from it", "2 1 0\n0 1\n1 1\n0 0 0\n", "Case 1: 1 moves N\n\n"},
		{"lift-south", "lifting a side rolls away from it", "2 1 0\n1 1\n0 1\n0 0 0\n", "Case 1: 1 moves S\n\n"},
		{"lift-west", "lifting a side rolls away from it", "2 1 0\n0 0\n0 1\n0 0 0\n", "Case 1: 1 moves W\n\n"},
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
		{"on-own-hole-filled", "and its hole is floor from the first move on",
			"3 2 0\n0 1\n0 0\n0 1\n0 2\n0 0 0\n", "Case 1: 1 moves W\n\n"},
		{"on-wrong-hole", "one that starts on a wrong hole makes the board impossible",
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

func TestMalformed(t *testing.T) {
	const good = "2 1 1\n0 1\n0 0\n0 0 1 0\n"
	for _, test := range []struct {
		why   string
		input string
		line  int
	}{
		{"nothing at all", "", 1},
		{"no end marker", good, 5},
		{"no end marker and no newline", strings.TrimSuffix(good, "\n"), 4},
		{"cut short in a board", "2 1 1\n0 1\n\n", 4},
		{"cut short in a line", "2 1", 1},
		{"cut short before a wall", "2 1 1\n0 1\n0 0\n", 4},
		{"text after the end", good + "0 0 0\n\n1\n", 7},
		{"text after the end on its line", good + "0 0 0 0\n", 5},
		{"NUL after the end", good + "0 0 0\n\x00", 6},
		{"N too small", "1 1 0\n0 0\n0 0\n0 0 0\n", 1},
		{"N too large", "41 1 0\n0 0\n0 1\n0 0 0\n", 1},
		{"N zero, but not all", "0 0 1\n", 1},
		{"M zero", "2 0 0\n0 0 0\n", 1},
		{"M more than the squares", "2 5 0\n0 0 0\n", 1},
		{"a count beyond any integer", "2 1 1000000000000000000000\n0 0 0\n", 1},
		{"M beyond any memory", "40 1000000000000000000 0\n0 0 0\n", 1},
		{"more walls than all edges twice", "2 1 9\n0 0\n0 1\n0 0 0\n", 1},
		{"a row outside", "2 1 0\n2 0\n0 0\n0 0 0\n", 2},
		{"a column outside", "2 1 0\n1 0\n0 2\n0 0 0\n", 3},
		{"two marbles on one square", "2 2 0\n0 0\n0 0\n0 1\n1 0\n0 0 0\n", 3},
		{"two holes on one square", "2 2 0\n0 0\n0 1\n1 1\n1 1\n0 0 0\n", 5},
		{"a wall on the border", "2 1 1\n0 1\n0 0\n0 1 0 2\n0 0 0\n", 4},
		{"a wall across a corner", "2 1 1\n0 1\n0 0\n0 1 1 0\n0 0 0\n", 4},
		{"a wall inside a square", "2 1 1\n0 1\n0 0\n0 1 0 1\n0 0 0\n", 4},
		{"a wall between far squares", "3 1 1\n0 1\n0 0\n0 0 0 2\n0 0 0\n", 4},
		{"a line too short", "2 1 0\n0\n0 0\n0 0 0\n", 2},
		{"a line too long", "2 1 0\n0 1 0\n0 0\n0 0 0\n", 2},
		{"a negative number", "2 1 0\n0 -1\n0 0\n0 0 0\n", 2},
		{"a plus sign", "2 1 0\n0 +1\n0 0\n0 0 0\n", 2},
		{"hexadecimal", "2 1 0\n0 0x1\n0 0\n0 0 0\n", 2},
		{"an exponent", "2 1 0\n0 1e0\n0 0\n0 0 0\n", 2},
		{"a fraction", "2 1 0\n0 1.0\n0 0\n0 0 0\n", 2},
		{"a NUL", "2 1 0\n0 \x00\n0 0\n0 0 0\n", 2},
		{"not UTF-8", "2 1 0\n0 \xff\n0 0\n0 0 0\n", 2},
		{"a lone carriage return", "2 1 0\r0 1\n0 0\n0 0 0\n", 1},
		{"a form feed", "2 1 0\n0\f1\n0 0\n0 0 0\n", 2},
		{"a very long word", "2 1 0\n0 " + strings.Repeat("z", 1<<20) + "\n", 2},
		{"too many boards", strings.Repeat(good, maxBoards+1) + "0 0 0\n", 4*maxBoards + 1},
	} {
		status, out, bad := solveText(t, test.input)
		head := fmt.Sprintf("line %d: ", test.line)
		if status != 3 || out != "" || !strings.HasPrefix(bad, head) || strings.Count(bad, "\n") != 1 || len(bad) > 200 {
			t.Errorf("%s: got %d %q %q, want 3 and %q…", test.why, status, out, bad, head)
		}
	}
}

// randomBoards writes boards of sides 2 to 5 with all that is in the domain:
// up to n² marbles, marbles that start on holes, walls given repeatedly.
func randomBoards(chance *rand.Rand, boards int) string {
	var text strings.Builder
	for range boards {
		n := 2 + chance.IntN(4)
		squares := chance.Perm(n * n)
		most := []int{0, 0, 2, 4, 3, 2}[n]
		m := 1 + chance.IntN(most)
		marbles, holes := squares[:m], squares[m:2*m]
		switch chance.IntN(4) {
		case 0: // anywhere
			holes = chance.Perm(n * n)[:m]
		case 1: // full of marbles at home, but for some
			m = most + chance.IntN(n*n-most+1)
			marbles, holes = squares[:m], append([]int(nil), squares[:m]...)
			for k, i := range chance.Perm(m)[:chance.IntN(most+1)] {
				if m+k < n*n {
					holes[i] = squares[m+k]
				}
			}
			if chance.IntN(8) == 0 {
				holes[0], holes[m-1] = holes[m-1], holes[0]
			}
		}
		var walls []string
		for range chance.IntN(n * n) {
			r, c := chance.IntN(n), chance.IntN(n-1)
			one, two := [2]int{r, c}, [2]int{r, c + 1}
			if chance.IntN(2) == 0 {
				one, two = [2]int{c, r}, [2]int{c + 1, r}
			}
			if chance.IntN(2) == 0 {
				one, two = two, one
			}
			walls = append(walls, fmt.Sprintln(one[0], one[1], two[0], two[1]))
		}
		fmt.Fprintln(&text, n, m, len(walls))
		for _, s := range append(append([]int(nil), marbles...), holes...) {
			fmt.Fprintln(&text, s/n, s%n)
		}
		text.WriteString(strings.Join(walls, ""))
	}
	return text.String() + "0 0 0\n"
}

func TestAgainstBrute(t *testing.T) {
	brute := filepath.Join(t.TempDir(), "brute")
	if out, err := exec.Command("go", "build", "-o", brute, "./brute").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for seed := range uint64(3) {
		input := randomBoards(rand.New(rand.NewPCG(seed, 1)), 300)
		command := exec.Command(brute)
		command.Stdin = strings.NewReader(input)
		want, err := command.Output()
		if err != nil {
			t.Fatal(err)
		}
		status, out, bad := solveText(t, input)
		if status != 0 {
			t.Fatalf("seed %d: status %d: %s", seed, status, bad)
		}
		got, expected := strings.SplitAfter(out, "\n\n"), strings.SplitAfter(string(want), "\n\n")
		for i := range expected {
			if got[i] != expected[i] {
				t.Errorf("seed %d: got %q, brute %q", seed, got[i], expected[i])
			}
		}
	}
}

// Small boards go the ways of large ones here: pruned, cut into parts, searched by
// several threads.
func TestSmallAsLarge(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	defer func(a, b, c, d, e int) { splitAt, pruneAt, aloneSize, pieceSize, heldBytes = a, b, c, d, e }(splitAt, pruneAt, aloneSize, pieceSize, heldBytes)
	brute := buildProgram(t, t.TempDir(), "./brute")
	chance := rand.New(rand.NewPCG(5, 6))
	for round, at := range [][5]int{
		{1, 0, 0, 1, 1 << 20}, {1, 1 << 20, 2, 3, 1 << 20}, {20, 4, 1 << 20, 2, 1 << 20}, {1 << 20, 8, 4, 4, 1 << 20},
		{1, 4, 0, 1, 8}, {20, 4, 2, 9, 100}, // with next to no room for what is found
	} {
		splitAt, pruneAt, aloneSize, pieceSize, heldBytes = at[0], at[1], at[2], at[3], at[4]
		var boards strings.Builder
		for range 300 {
			boards.WriteString(smallBoard(chance))
		}
		input := boards.String() + "0 0 0\n"
		status, out, bad := solveText(t, input)
		if status != 0 {
			t.Fatal(status, bad)
		}
		want := answers(t, brute, input)
		for i, got := range strings.SplitAfter(strings.TrimSuffix(out, "\n"), "\n\n") {
			if strings.TrimSpace(got) != strings.TrimSpace(want[i]) {
				t.Fatalf("%v: board %d: got %q, brute %q", round, i+1, got, want[i])
			}
		}
	}
}

// everyPosition calls do with each position of a board that can occur.
func everyPosition(f *field, do func(at []int16)) {
	at := make([]int16, len(f.start))
	var place func(i int)
	place = func(i int) {
		if i < len(at) {
			for s := range f.n * f.n {
				at[i] = int16(s)
				place(i + 1)
			}
			return
		}
		taken := make(map[int16]bool)
		for i, s := range at {
			if s == f.holes[i] {
				continue
			}
			if o := f.owner[s]; taken[s] || o >= 0 && at[o] != s {
				return
			}
			taken[s] = true
		}
		do(at)
	}
	place(0)
}

// An un-tilt must find exactly what tilts lead from: all positions that are
// outcomes of moves, with none left out and none added.
func TestUntiltIsExact(t *testing.T) {
	type key = [1]uint64
	chance := rand.New(rand.NewPCG(2, 3))
	found := 0
	for range 100 {
		n := 3 + chance.IntN(2)
		squares := chance.Perm(n * n)
		m := 1 + chance.IntN(6-n)
		b := &board{n: n, wallEast: make([]uint64, n), wallSouth: make([]uint64, n)}
		for i := range m {
			b.marbles = append(b.marbles, int16(squares[i]))
			b.holes = append(b.holes, int16(squares[m+i]))
		}
		for i := range n {
			b.wallEast[i] = chance.Uint64() & chance.Uint64() & (1<<(n-1) - 1)
			if i+1 < n {
				b.wallSouth[i] = chance.Uint64() & chance.Uint64() & (1<<n - 1)
			}
		}
		f, _ := newField(b) // not pruned: any square will do, here
		r := newRoller[key](f)
		r.un.limit = 1 << 60
		before := make(map[key]map[[2]key]bool) // by the outcome: move and position before
		var all []key
		everyPosition(f, func(at []int16) {
			k := pack[key](f, at)
			all = append(all, k)
			r.load(k)
			var settled [len(lifts)]bool
			for v := range settled {
				settled[v] = r.settled(v)
			}
			dropped := len(r.rolling) < m
			for v := range len(lifts) {
				// Rolling back without a drop is never part of a shortest way.
				leans := false
				for p := range settled {
					leans = leans || settled[p] && (p != 3-v || dropped)
				}
				if next, ok := r.tilt(k, v); ok && next != k && leans {
					if before[next] == nil {
						before[next] = make(map[[2]key]bool)
					}
					before[next][[2]key{{uint64(v)}, k}] = true
				}
			}
		})
		for _, k := range all {
			got := make(map[[2]key]bool)
			r.load(k)
			for v := range len(lifts) {
				r.untilt(v, func(p key) { got[[2]key{{uint64(v)}, p}] = true })
			}
			for p := range got {
				if !before[k][p] {
					t.Fatalf("n=%d m=%d: move %c does not turn %x into %x", n, m, lifts[p[0][0]], p[1], k)
				}
			}
			if len(got) != len(before[k]) {
				t.Fatalf("n=%d m=%d: %d ways into %x, found %d", n, m, len(before[k]), k, len(got))
			}
			found += len(got)
		}
	}
	if found < 5_000 {
		t.Errorf("only %d un-tilts tried", found)
	}
}

// crowded is a board of side n with every row cut off from the next, holes in
// one half and marbles in the other, so that its key is as wide as can be.
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

// The number of threads must not show, on a board large enough to be sharded
// and to be searched by several.
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
		// Only the reading can go wrong by its input; a large board would
		// be searched for as long as it takes.
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
