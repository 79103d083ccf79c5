package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tribunal/internal/tier"
	"tribunal/reference/internal/family"
)

// generate runs gen and returns the input, the exit status and the message.
func generate(args ...string) (input []byte, status int, reason string) {
	var out, errs bytes.Buffer
	status = family.Run(families, args, &out, &errs)
	return out.Bytes(), status, errs.String()
}

// mustGenerate fails the test if there is no such input.
func mustGenerate(t *testing.T, args ...string) []byte {
	t.Helper()
	input, status, reason := generate(args...)
	if status != 0 {
		t.Fatalf("%v: status %d: %s", args, status, reason)
	}
	return input
}

// validator returns a function that returns the message of check -input, or nothing if it accepts.
func validator(t *testing.T) func(input []byte) string {
	t.Helper()
	tier.T3(t, "programs of a problem against each other")
	check := filepath.Join(t.TempDir(), "check")
	if out, err := exec.Command("go", "build", "-o", check, "../check").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return func(input []byte) string {
		command := exec.Command(check, "-input")
		command.Stdin = bytes.NewReader(input)
		if out, err := command.CombinedOutput(); command.ProcessState.ExitCode() != 42 {
			return fmt.Sprintf("%v: %s", err, out)
		}
		return ""
	}
}

func TestFamilies(t *testing.T) {
	invalid := validator(t)
	for _, f := range families {
		one, two, other := mustGenerate(t, f.Name, "-seed=5"), mustGenerate(t, f.Name, "-seed=5"), mustGenerate(t, f.Name, "-seed=6")
		if !bytes.Equal(one, two) {
			t.Errorf("%s: two runs with one seed differ", f.Name)
		}
		if bytes.Equal(one, other) {
			t.Errorf("%s: two seeds give the same", f.Name)
		}
		if reason := invalid(one); reason != "" {
			t.Errorf("%s: %s", f.Name, reason)
		}
	}
}

// TestLadders checks that ladders begin small enough to check by hand, grow, and have valid inputs.
func TestLadders(t *testing.T) {
	invalid := validator(t)
	for _, f := range families {
		if len(f.Ladder) < 5 {
			t.Errorf("%s: a ladder of %d rungs", f.Name, len(f.Ladder))
		}
		below := 0
		for i, r := range f.Ladder {
			input := mustGenerate(t, append([]string{f.Name, "-seed=2"}, strings.Fields(r.Flags)...)...)
			if reason := invalid(input); reason != "" {
				t.Errorf("%s %s: %s", f.Name, r.Flags, reason)
			}
			if r.Size <= below {
				t.Errorf("%s %s: size %d after %d", f.Name, r.Flags, r.Size, below)
			}
			below = r.Size
			if lines := bytes.Count(input, []byte("\n")); i == 0 && lines > 25 {
				t.Errorf("%s %s: the first input has %d lines", f.Name, r.Flags, lines)
			}
		}
	}
}

// TestFixed pins the bytes of inputs, because a change would change the cases made by gen.
func TestFixed(t *testing.T) {
	var all []byte
	for _, args := range []string{
		"tiny -boards=50 -seed=1", "random -seed=2", "twice -seed=3", "maze -seed=4", "stairs -m=3 -seed=5",
		"boxed -seed=6", "crowd -n=7 -seed=7", "rollover -boards=5 -seed=8", "deep -steps=20 -seed=9", "played -seed=10",
		"mistaken -boards=20 -seed=11", "wander -seed=12",
	} {
		all = append(all, mustGenerate(t, strings.Fields(args)...)...)
	}
	const want = "122e5a8040817506"
	if got := fmt.Sprintf("%x", sha256.Sum256(all))[:16]; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestMistaken checks that each wrong rule gives another answer on each of its boards.
func TestMistaken(t *testing.T) {
	for i, name := range mistakes {
		for k, b := range parse(t, mustGenerate(t, "mistaken", "-rule="+name, "-boards=3")) {
			right, wrong := newPlay(b, rightRules).solve(), newPlay(b, rules(i+1)).solve()
			if right <= 0 || right == wrong {
				t.Errorf("%s: board %d: %d moves, and %d by the wrong rule", name, k+1, right, wrong)
			}
		}
	}
}

func TestMisuse(t *testing.T) {
	for _, test := range []struct {
		why, args string
		status    int
		reason    string
	}{
		{"too many marbles", "random -n=3 -m=5", 2, "gen: random: -m=5 is too large: marbles and holes need 10 squares, the board has 9\n"},
		{"too many walls", "random -n=3 -w=13", 2, "gen: random: -w=13 is too large: the board has places for 12 walls\n"},
		{"too short a corridor", "stairs -n=2 -m=2", 2, "gen: stairs: -m=2 is too large for -n=2\n"},
		{"no such board", "wander -n=2 -m=1 -w=0 -positions=100000", 1, "gen: wander: no such board found (hint: use other flags, or another -seed)\n"},
	} {
		input, status, reason := generate(strings.Fields(test.args)...)
		if status != test.status || len(input) > 0 || reason != test.reason {
			t.Errorf("%s: got %d %q, want %d %q", test.why, status, reason, test.status, test.reason)
		}
	}
}

// parse returns the boards of a generated input.
func parse(t *testing.T, input []byte) []*board {
	t.Helper()
	in := bytes.NewReader(input)
	read := func() (x int) {
		if _, err := fmt.Fscan(in, &x); err != nil {
			t.Fatal(err)
		}
		return x
	}
	at := func() square { return square{read(), read()} }
	var boards []*board
	for {
		b := &board{n: read()}
		m, w := read(), read()
		if b.n == 0 {
			return boards
		}
		for range m {
			b.marbles = append(b.marbles, at())
		}
		for range m {
			b.holes = append(b.holes, at())
		}
		for range w {
			b.walls = append(b.walls, wall{at(), at()})
		}
		boards = append(boards, b)
	}
}
