package main

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tribunal/internal/tier"
)

// For a longer test than by default:
//
//	go test ./reference/dicey -run Random -count 1 -mazes 200000 -seed 7 -v
var (
	mazes = flag.Int("mazes", 5000, "how many random mazes are tested")
	seed  = flag.Uint64("seed", 1, "seed of the random tests")
)

// randomMazes returns mazes of all kinds, some with several solutions, without a final END.
func randomMazes(rng *rand.Rand, count, side int) string {
	var text strings.Builder
	for i := range count {
		rows, cols := 1+rng.IntN(side), 1+rng.IntN(side)
		top := 1 + rng.IntN(6)
		front := 1 + rng.IntN(6)
		for front == top || front+top == 7 {
			front = 1 + rng.IntN(6)
		}
		fmt.Fprintf(&text, "M%d\n%d %d %d %d %d %d\n", i, rows, cols, 1+rng.IntN(rows), 1+rng.IntN(cols), top, front)
		wilds := rng.IntN(6)
		for range rows {
			for col := range cols {
				need := rng.IntN(8) - 1
				if rng.IntN(6) < wilds {
					need = wild
				}
				fmt.Fprint(&text, need, map[bool]string{true: "\n", false: " "}[col == cols-1])
			}
		}
	}
	return text.String()
}

// program builds one of the folders below and returns its path.
func program(t testing.TB, folder string) string {
	t.Helper()
	tier.T3(t, "programs of a problem against each other")
	exe := filepath.Join(t.TempDir(), folder)
	if out, err := exec.Command("go", "build", "-o", exe, "./"+folder).CombinedOutput(); err != nil {
		t.Fatalf("go build ./%s: %v\n%s", folder, err, out)
	}
	return exe
}

// inputs yields random inputs: thousands of small mazes, and a few of the largest size.
func inputs(yield func(string) bool) {
	rng := rand.New(rand.NewPCG(810, *seed))
	for left := *mazes; left > 0; {
		side, count := 4, maxMazes
		if rng.IntN(5) == 0 {
			side, count = maxRows, 50
		}
		count = min(count, left)
		left -= count
		if !yield(randomMazes(rng, count, side) + "END\n") {
			return
		}
	}
}

func TestRandomAgainstBrute(t *testing.T) {
	brute := program(t, "brute")
	solved := 0
	for in := range inputs {
		cmd := exec.Command(brute)
		cmd.Stdin = strings.NewReader(in)
		cmd.Stderr = os.Stderr
		want, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		if status, out, errs := outcome(in); status != 0 || out != string(want) {
			t.Fatalf("status %d, stderr %q, got\n%s\nwant\n%s\nfor\n%s", status, errs, out, want, in)
		}
		solved += bytes.Count(want, []byte("  ("))
	}
	t.Logf("%d mazes answered alike, in %d lines of positions", *mazes, solved)
}

// A cube holds the number of each face by its direction in space.
type cube map[[3]int]int

// newCube returns the standard die with these numbers on top and in front. x points to the right, y
// away from the player, z up. newCube tries every number on the right. On the standard die 1, 2 and
// 3 meet in a corner, and run around it in the same direction as top, front and right.
func newCube(top, front int) cube {
	for third := 1; third <= 6; third++ {
		c := cube{{0, 0, 1}: top, {0, 0, -1}: 7 - top, {0, -1, 0}: front, {0, 1, 0}: 7 - front, {1, 0, 0}: third, {-1, 0, 0}: 7 - third}
		var at [7][3]int
		for side, number := range c {
			at[number] = side
		}
		a, b, d := at[1], at[2], at[3]
		turn := a[0]*(b[1]*d[2]-b[2]*d[1]) + a[1]*(b[2]*d[0]-b[0]*d[2]) + a[2]*(b[0]*d[1]-b[1]*d[0])
		if turn == 1 { // the direction in which top (0,0,1), front (0,-1,0) and right (1,0,0) run
			return c
		}
	}
	return nil
}

// rolled returns the cube tipped over in the direction (dx, dy): the top moves to that side.
func (c cube) rolled(dx, dy int) cube {
	after := make(cube)
	for side, number := range c {
		x, y, z := side[0], side[1], side[2]
		along := x*dx + y*dy // 1 for the side in front of the roll, -1 for the one behind, else 0
		after[[3]int{x - along*dx + z*dx, y - along*dy + z*dy, -along}] = number
	}
	return after
}

// TestRandomWalksAreWalks rolls a cube along the walks that solve prints for random mazes.
func TestRandomWalksAreWalks(t *testing.T) {
	walks := 0
	for in := range inputs {
		walks += checkWalks(t, in)
	}
	if walks == 0 {
		t.Error("no maze had a walk")
	}
	t.Logf("%d walks", walks)
}

// TestLongWalksAreWalks rolls a cube along walks that are longer than those of random mazes.
func TestLongWalksAreWalks(t *testing.T) {
	gen := program(t, "gen")
	for _, c := range []struct {
		why, args string
		walks     int
	}{
		{"three lines, the last of them full", "length -positions=27 -side=6 -mazes=3", 3},
		{"three lines, the last of one position", "length -positions=19 -side=5 -mazes=3", 3},
		{"squares visited again and again", "revisit -times=3 -mazes=3", 3},
		{"every way the die may lie at the beginning", "lies", lieCount},
	} {
		in, err := exec.Command(gen, append(strings.Fields(c.args), "-seed=1")...).Output()
		if err != nil {
			t.Fatal(err)
		}
		if walks := checkWalks(t, string(in)); walks != c.walks {
			t.Errorf("%s: %d walks, want %d", c.why, walks, c.walks)
		}
	}
}

// checkWalks parses the output for an input, follows every walk and returns how many there are. It
// also checks where lines are broken.
func checkWalks(t *testing.T, in string) (walks int) {
	t.Helper()
	_, out, _ := outcome(in)
	lines := strings.Split(out, "\n")
	for _, one := range alone(in) {
		lines = lines[1:] // the name
		text := lines[0]
		for ; strings.HasSuffix(lines[0], ","); text += lines[0] {
			if n := strings.Count(lines[0], "("); n != 9 {
				t.Errorf("%d positions on a line that is not the last: %s", n, lines[0])
			}
			lines = lines[1:]
		}
		lines = lines[1:]
		if text == "  No Solution Possible" {
			continue
		}
		walks++
		if err := follow(one, text); err != nil {
			t.Fatalf("%v: %s\nfor\n%s", err, text, one)
		}
	}
	return walks
}

// follow rolls a cube along a walk and returns an error if a rule is broken.
func follow(in, walk string) error {
	r := strings.NewReader(in)
	var name string
	var rows, cols, row, col, top, front int
	fmt.Fscan(r, &name, &rows, &cols, &row, &col, &top, &front)
	numbers := make(map[[2]int]int)
	for i := 1; i <= rows; i++ {
		for j := 1; j <= cols; j++ {
			var n int
			fmt.Fscan(r, &n)
			numbers[[2]int{i, j}] = n
		}
	}
	home := [2]int{row, col}
	die := newCube(top, front)
	at := home
	positions := strings.Split(strings.ReplaceAll(strings.Trim(walk, " ()"), ",  (", ",("), "),(")
	for i, position := range positions {
		var to [2]int
		if _, err := fmt.Sscanf(position, "%d,%d", &to[0], &to[1]); err != nil {
			return err
		}
		dx, dy := to[1]-at[1], at[0]-to[0]
		switch {
		case i == 0 && to != home:
			return fmt.Errorf("it begins on %v", to)
		case i == 0:
			continue
		case dx*dx+dy*dy != 1:
			return fmt.Errorf("%v is no neighbour of %v", to, at)
		case numbers[to] != -1 && numbers[to] != die[[3]int{0, 0, 1}]:
			return fmt.Errorf("%v asks for %d, but %d is on top", to, numbers[to], die[[3]int{0, 0, 1}])
		case (to == home) != (i == len(positions)-1):
			return fmt.Errorf("position %d of %d is %v", i+1, len(positions), to)
		}
		at, die = to, die.rolled(dx, dy)
	}
	return nil
}

// TestAnswersWhatCheckAccepts changes inputs: the solver must answer those that check accepts.
func TestAnswersWhatCheckAccepts(t *testing.T) {
	check := program(t, "check")
	rng := rand.New(rand.NewPCG(1872, 1999))
	accepted := 0
	for range 300 {
		in := []byte(randomMazes(rng, 1, 4) + "END\n")
		if rng.IntN(2) == 0 {
			in[rng.IntN(len(in))] = " \n0123456789-+ENDx\r\t\x00"[rng.IntN(21)]
		}
		cmd := exec.Command(check, "-input")
		cmd.Stdin = bytes.NewReader(in)
		_ = cmd.Run() // the exit status is looked at below
		if cmd.ProcessState.ExitCode() != 42 {
			continue
		}
		accepted++
		if status, _, errs := outcome(string(in)); status != 0 {
			t.Errorf("status %d, stderr %q for\n%s", status, errs, in)
		}
	}
	if accepted < 50 {
		t.Errorf("only %d of 300 inputs were valid, too few to tell", accepted)
	}
}
