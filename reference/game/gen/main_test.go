package main

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"tribunal/reference/internal/family"
	"tribunal/reference/internal/programs"
)

func generate(t *testing.T, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if status := family.Run(families, args, &stdout, &stderr); status != 0 {
		t.Fatalf("gen %q: status %d, %s", args, status, stderr.String())
	}
	return stdout.String()
}

func TestLaddersAreValid(t *testing.T) {
	p := programs.Build(t, "../check")
	for rung := range strings.Lines(generate(t, "-ladder")) {
		args := strings.Fields(rung)[1:]
		for seed := range 3 {
			input := generate(t, append(args, fmt.Sprintf("-seed=%d", seed))...)
			if _, errs, status := p.Run(t, []byte(input), "check", "-input"); status != 42 {
				t.Errorf("gen %q, seed %d: check: status %d, %s", args, seed, status, errs)
			}
		}
	}
}

// TestStable pins one output of each family, because lock files hold hashes of outputs.
func TestStable(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"random -seed=1", "WWBW WWWW WBWW WWBB 011 001 100"},
		{"random -pattern=010111010 -seed=2", "WBBB WBWW BBBW WBWW 010 111 010"},
		{"exact -moves=9 -goal=black -seed=3", "WBWB WWBW WBBB BWBW 010 011 001"},
		{"far -seed=4", "BWBB WBBW WBWW WBWB 110 111 010"},
		{"deepest -seed=5", "WWWW WBBW BBBW WWWB 010 000 100"},
		{"impossible -seed=6", "WBBW BBBB BBBW WBWB 010 000 100"},
		{"ones -seed=7", "WWBW BBBW BWWW WBWB 111 111 111"},
		{"centre -seed=8", "WBBW BBBB WWWW WBWB 000 010 000"},
		{"zero -seed=18446744073709551615", "WWWW BWBW BWWB BWBW 000 000 000"},
	} {
		got := generate(t, strings.Fields(test.args)...)
		if strings.Join(strings.Fields(got), " ") != test.want {
			t.Errorf("gen %s:\n%swant %s", test.args, got, test.want)
		}
		if again := generate(t, strings.Fields(test.args)...); again != got {
			t.Errorf("gen %s: a second run prints another input", test.args)
		}
	}
}

func TestPromises(t *testing.T) {
	draw := func(args string) game {
		t.Helper()
		return read(t, generate(t, strings.Fields(args)...))
	}
	for moves := range mostMoves + 1 {
		for _, goal := range []goal{anyGoal, white, black} {
			g := draw(fmt.Sprintf("exact -moves=%d -goal=%s", moves, goal))
			if table := newTable(g.pattern); table.answer(g.board) != moves || !table.leadsTo(g.board, goal) {
				t.Errorf("exact, %d moves to %s: got %d", moves, goal, table.answer(g.board))
			}
		}
	}
	for _, test := range []struct {
		args string
		want int
	}{
		{"deepest", mostMoves},
		{"far -pattern=010111010", 6},
		{"far -pattern=111111111", mostMoves},
		{"impossible", never},
		{"impossible -pattern=010111010", never},
		{"zero", never},
		{"zero -goal=white", 0},
		{"zero -goal=black", 0},
	} {
		g := draw(test.args)
		if got := newTable(g.pattern).answer(g.board); got != test.want {
			t.Errorf("gen %s: %d moves, want %d", test.args, got, test.want)
		}
	}
}

func TestFaults(t *testing.T) {
	for _, test := range []struct {
		args    string
		status  int
		message string
	}{
		{"ones -pattern=000000000", 2, "flag provided but not defined: -pattern"},
		{"random -pattern=01011101", 2, "want nine digits 0 or 1"},
		{"random -pattern=010111012", 2, "want nine digits 0 or 1"},
		{"random -pattern=+10111010", 2, "want nine digits 0 or 1"},
		{"far -goal=red", 2, "want any|white|black"},
		{"exact -moves=15", 2, "want a number from 0 to 14"},
		{"exact -moves=7 -pattern=010111010", 1, "no board takes exactly 7 moves"},
		{"far -pattern=111111111 -goal=black", 1, "no board takes the most moves and leads to black"},
		{"impossible -pattern=000010000", 1, "no board is impossible"},
	} {
		var stdout, stderr bytes.Buffer
		status := family.Run(families, strings.Fields(test.args), &stdout, &stderr)
		message := stderr.String()
		if status != test.status || stdout.Len() > 0 || !strings.Contains(message, test.message) || !strings.Contains(message, "(hint: ") ||
			strings.Count(message, "\n") != 1 {
			t.Errorf("gen %s: status %d, output %q, message %q, want %d, %q", test.args, status, stdout.String(), message, test.status, test.message)
		}
	}
}

// read returns the game that an input describes.
func read(t *testing.T, input string) game {
	t.Helper()
	digits := strings.NewReplacer("W", "0", "B", "1", "\n", "").Replace(input)
	b, err := strconv.ParseUint(digits[:16], 2, 16)
	if err != nil {
		t.Fatal(err)
	}
	p, err := strconv.ParseUint(digits[16:], 2, 9)
	if err != nil {
		t.Fatal(err)
	}
	return game{board(b), pattern(p)}
}
