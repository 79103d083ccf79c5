package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func generate(t *testing.T, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if status := run(args, &stdout, &stderr); status != 0 {
		t.Fatalf("gen %q: status %d, %s", args, status, stderr.String())
	}
	return stdout.String()
}

func TestFamiliesAreValid(t *testing.T) {
	check := filepath.Join(t.TempDir(), "check")
	if out, err := exec.Command("go", "build", "-o", check, "../check").CombinedOutput(); err != nil {
		t.Fatalf("building check: %v\n%s", err, out)
	}
	for _, f := range families {
		for seed := range 3 {
			input := generate(t, f.name, fmt.Sprintf("-seed=%d", seed))
			command := exec.Command(check, "-input")
			command.Stdin = strings.NewReader(input)
			out, _ := command.CombinedOutput()
			if status := command.ProcessState.ExitCode(); status != 42 {
				t.Errorf("%s, seed %d: check: status %d, %s", f.name, seed, status, out)
			}
		}
	}
}

// TestStable pins one output of each family: lock files depend on them.
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
			t.Errorf("gen %s: twice, with different results", test.args)
		}
	}
}

func TestPromises(t *testing.T) {
	draw := func(args string) (game, options) {
		t.Helper()
		f, o, err := parse(strings.Fields(args))
		if err != nil {
			t.Fatal(err)
		}
		g, err := f.draw(newSource(f.name, o.seed), o)
		if err != nil {
			t.Fatal(err)
		}
		return g, o
	}
	for moves := range mostMoves + 1 {
		for _, goal := range []string{"any", "white", "black"} {
			g, o := draw(fmt.Sprintf("exact -moves=%d -goal=%s", moves, goal))
			if table := newTable(g.pattern); table.answer(g.board) != moves || !table.leadsTo(g.board, o.goal) {
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
		g, _ := draw(test.args)
		if got := newTable(g.pattern).answer(g.board); got != test.want {
			t.Errorf("gen %s: %d moves, want %d", test.args, got, test.want)
		}
	}
}

func TestUsage(t *testing.T) {
	for _, test := range []struct{ args, message string }{
		{"", "no family"},
		{"cube", `unknown family "cube"`},
		{"-seed=1", `unknown family "-seed=1"`},
		{"random -cube=1", "flag provided but not defined: -cube"},
		{"ones -pattern=000000000", "flag provided but not defined: -pattern"},
		{"random 7", `unexpected argument "7"`},
		{"random -seed=-1", "invalid value"},
		{"random -pattern=01011101", "want nine digits 0 or 1"},
		{"random -pattern=010111012", "want nine digits 0 or 1"},
		{"far -goal=red", "want any, white or black"},
		{"exact -moves=15", "-moves=15 is out of range"},
		{"exact -moves=-1", "-moves=-1 is out of range"},
		{"exact -moves=7 -pattern=010111010", "no board takes exactly 7 moves"},
		{"far -pattern=111111111 -goal=black", "no board takes the most moves and leads to black"},
		{"impossible -pattern=000010000", "no board is impossible"},
	} {
		var stdout, stderr bytes.Buffer
		status := run(strings.Fields(test.args), &stdout, &stderr)
		message := stderr.String()
		if status != exitUsage || stdout.Len() > 0 || !strings.Contains(message, test.message) || !strings.Contains(message, "(hint: ") ||
			strings.Count(message, "\n") != 1 {
			t.Errorf("gen %s: status %d, output %q, message %q, want %q", test.args, status, stdout.String(), message, test.message)
		}
	}
}

func TestList(t *testing.T) {
	text := generate(t, "-list")
	for _, f := range families {
		if !strings.Contains(text, "\n"+f.name+" ") && !strings.HasPrefix(text, f.name+" ") {
			t.Errorf("family %s is not listed:\n%s", f.name, text)
		}
	}
}
