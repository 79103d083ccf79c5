package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"tribunal/internal/tier"
)

var (
	crossBoards = flag.Int("crosscheck", 3_000, "random boards that TestCrosscheck gives to both programs")
	crossSeed   = flag.Uint64("crosscheckseed", 1, "seed of the first thousand of them; each thousand has its own")
)

// TestCrosscheck gives the same random boards to the solver and to brute, and expects the same
// bytes. Both print the alphabetically first of the shortest sequences, so it notices a wrong order
// of ties as well as a wrong move.
func TestCrosscheck(t *testing.T) {
	const atATime = 1_000
	dir := t.TempDir()
	brute, solver := buildProgram(t, dir, "./brute"), buildProgram(t, dir, ".")
	var won, long, lost, tried int
	for seed := *crossSeed; tried < *crossBoards; seed++ {
		draw := rand.New(rand.NewPCG(seed, 0))
		boards := make([]string, min(atATime, *crossBoards-tried))
		for i := range boards {
			boards[i] = smallBoard(draw)
		}
		input := strings.Join(boards, "") + "0 0 0\n"
		want, got := answers(t, brute, input), answers(t, solver, input)
		if len(want) != len(boards) || len(got) != len(boards) {
			t.Fatalf("seed %d: %d boards, the brute answers %d, the solver %d", seed, len(boards), len(want), len(got))
		}
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("seed %d: got %q, the brute has %q, for\n%s", seed, got[i], want[i], boards[i])
			}
			var moves int
			switch _, err := fmt.Sscanf(want[i], fmt.Sprintf("Case %d: %%d moves", i+1), &moves); {
			case err != nil:
				lost++
			default:
				won++
				if moves >= 5 {
					long++
				}
			}
		}
		tried += len(boards)
	}
	t.Logf("%d boards: %d won, %d of them in 5 moves or more, %d impossible", tried, won, long, lost)
	if tried >= atATime && (won < tried/5 || long < tried/20 || lost < tried/5) {
		t.Errorf("of %d boards %d were won, %d of these in 5 moves or more, and %d impossible: too few of a kind", tried, won, long, lost)
	}
}

// buildProgram compiles a package into dir.
func buildProgram(t testing.TB, dir, pkg string) string {
	t.Helper()
	if tier.T2(t, "real programs"); pkg != "." {
		tier.T3(t, "programs of a problem against each other")
	}
	name := filepath.Join(dir, filepath.Base(pkg)+".exe")
	if pkg == "." {
		name = filepath.Join(dir, "marble.exe")
	}
	if out, err := exec.Command("go", "build", "-o", name, pkg).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return name
}

// answers runs a program and splits its output after every empty line.
func answers(t testing.TB, program, input string) []string {
	t.Helper()
	command := exec.Command(program)
	command.Stdin = strings.NewReader(input)
	var stderr strings.Builder
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil || stderr.Len() > 0 {
		t.Fatalf("%s: %v\n%s", program, err, &stderr)
	}
	return strings.SplitAfter(strings.TrimSuffix(string(out), "\n\n")+"\n\n", "\n\n")[:strings.Count(string(out), "\n\n")]
}

// smallBoard draws a board with anything on it that the solver accepts. At most `movers` marbles
// are not at home already, so that brute does not take long.
func smallBoard(draw *rand.Rand) string {
	n := 2 + draw.IntN(5)
	movers := 1 + draw.IntN([]int{0, 0, 2, 4, 3, 2, 2}[n])
	squares := draw.Perm(n * n)
	marbles := squares[:movers]
	holes := append([]int(nil), squares[movers:2*movers]...)
	switch draw.IntN(6) {
	case 0: // holes on any squares, also below their own or other marbles
		holes = draw.Perm(n * n)[:movers]
	case 1: // marbles at home on the rest of the board
		for _, s := range squares[2*movers:] {
			if draw.IntN(3) > 0 {
				marbles, holes = append(marbles[:len(marbles):len(marbles)], s), append(holes, s)
			}
		}
	case 2: // as many marbles as squares, two of them perhaps exchanged
		marbles, holes = squares, append([]int(nil), squares...)
		i, k := draw.IntN(len(holes)), draw.IntN(len(holes))
		holes[i], holes[k] = holes[k], holes[i]
	}
	var text strings.Builder
	walls := smallWalls(draw, n)
	fmt.Fprintln(&text, n, len(marbles), len(walls))
	order := draw.Perm(len(marbles))
	for _, list := range [][]int{marbles, holes} {
		for _, i := range order {
			fmt.Fprintln(&text, list[i]/n, list[i]%n)
		}
	}
	return text.String() + strings.Join(walls, "")
}

// smallWalls draws no walls, or walls in up to half of all places, given from either side and
// sometimes repeatedly.
func smallWalls(draw *rand.Rand, n int) []string {
	var walls []string
	for range draw.IntN(n * n) {
		one, two := [2]int{draw.IntN(n), draw.IntN(n - 1)}, [2]int{}
		two = [2]int{one[0], one[1] + 1}
		if draw.IntN(2) == 0 {
			one, two = [2]int{one[1], one[0]}, [2]int{two[1], two[0]}
		}
		for range 1 + draw.IntN(6)/5 {
			if draw.IntN(2) == 0 {
				one, two = two, one
			}
			walls = append(walls, fmt.Sprintln(one[0], one[1], two[0], two[1]))
		}
	}
	return walls
}

func TestAgainstBrute(t *testing.T) {
	brute := buildProgram(t, t.TempDir(), "./brute")
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

// randomBoards returns an input of boards of sides 2 to 5 with everything that the solver accepts:
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
		case 0: // holes on any squares
			holes = chance.Perm(n * n)[:m]
		case 1: // many marbles, all but a few of them at home
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

// TestSmallAsLarge changes the sizes of search.go so that small boards are searched like large
// ones: pruned, cut into parts, by several threads, with all shapes found.
func TestSmallAsLarge(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	defer func(a, b, c, d, e, f int) {
		splitAt, pruneAt, aloneSize, pieceSize, heldBytes, shapesAt = a, b, c, d, e, f
	}(splitAt, pruneAt, aloneSize, pieceSize, heldBytes, shapesAt)
	brute := buildProgram(t, t.TempDir(), "./brute")
	chance := rand.New(rand.NewPCG(5, 6))
	for round, at := range [][6]int{
		{1, 0, 0, 1, 1 << 20, 1 << 20}, {1, 1 << 20, 2, 3, 1 << 20, 0}, {20, 4, 1 << 20, 2, 1 << 20, 30}, {1 << 20, 8, 4, 4, 1 << 20, 0},
		{1, 0, 0, 1, 1 << 20, 0}, {1, 0, 1 << 20, 1, 1 << 20, 8}, // with shapes from the beginning or soon after
		{1, 4, 0, 1, 8, 10}, {20, 4, 2, 9, 100, 1 << 20}, // with room for hardly any found position
	} {
		splitAt, pruneAt, aloneSize, pieceSize, heldBytes, shapesAt = at[0], at[1], at[2], at[3], at[4], at[5]
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
