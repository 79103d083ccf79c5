package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var (
	crossBoards = flag.Int("crosscheck", 3_000, "random boards that TestCrosscheck gives to both programs")
	crossSeed   = flag.Uint64("crosscheckseed", 1, "seed of the first thousand of them; each thousand has its own")
)

// TestCrosscheck gives the same random boards to the solver and to the brute
// and wants the same bytes. Both print the alphabetically first of the
// shortest sequences, so a wrong order of ties shows as much as a wrong move.
func TestCrosscheck(t *testing.T) {
	const atATime = 1_000
	dir := t.TempDir()
	solver, brute := buildProgram(t, dir, "."), buildProgram(t, dir, "./brute")
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
	name := filepath.Join(dir, filepath.Base(pkg)+".exe")
	if pkg == "." {
		name = filepath.Join(dir, "marble.exe")
	}
	if out, err := exec.Command("go", "build", "-o", name, pkg).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return name
}

// answers runs a program and cuts its output behind every empty line.
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

// smallBoard draws a board with anything on it that the solver takes. At most
// `movers` of the marbles have a way to go, so that the brute ends soon.
func smallBoard(draw *rand.Rand) string {
	n := 2 + draw.IntN(5)
	movers := 1 + draw.IntN([]int{0, 0, 2, 4, 3, 2, 2}[n])
	squares := draw.Perm(n * n)
	marbles := squares[:movers]
	holes := append([]int(nil), squares[movers:2*movers]...)
	switch draw.IntN(6) {
	case 0: // each hole anywhere: below its own marble, or below another
		holes = draw.Perm(n * n)[:movers]
	case 1: // the rest of the board full of marbles at home
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

// smallWalls draws walls, none or up to half of all places, from either side,
// and sometimes again.
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
