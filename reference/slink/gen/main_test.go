package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tribunal/internal/tier"
	"tribunal/reference/internal/family"
)

// build compiles the program of a folder and returns its path.
func build(t *testing.T, dir, name, folder string) string {
	t.Helper()
	tier.T3(t, "programs of a problem against each other")
	exe := filepath.Join(dir, name)
	if out, err := exec.Command("go", "build", "-o", exe, folder).CombinedOutput(); err != nil {
		t.Fatalf("building %s: %v\n%s", name, err, out)
	}
	return exe
}

// TestFamilies runs every family, also for each rung of its ladder. Validator and reference must
// accept the inputs.
func TestFamilies(t *testing.T) {
	dir := t.TempDir()
	check := build(t, dir, "check", "../check")
	slink := build(t, dir, "slink", "..")
	unused := make(map[string]bool)
	all := []string{
		"all -rows=3 -cols=3",
		"random -n=30 -seed=1",
		"random -n=20 -rows=20 -cols=20 -fill=70 -seed=2",
		"random -n=1000 -max=6 -seed=3",
		"lines -max=20",
		"domino -n=30 -max=6 -seed=4",
		"spiral -n=8 -rows=20 -cols=20 -seed=5",
		"spiral -n=8 -max=9 -seed=5",
		"comb -n=8 -rows=20 -cols=20 -seed=6",
		"comb -n=8 -rows=3 -seed=6",
		"images -rows=5 -cols=4 -seed=7",
		"climb -n=2 -max=10 -goal=twos -steps=1000 -seed=8",
		"climb -n=2 -max=10 -goal=threes -steps=1000 -seed=8",
		"climb -n=2 -max=10 -goal=work -steps=1000 -seed=8",
		"climb -n=2 -max=10 -goal=open -steps=1000 -seed=8",
		"twins -n=3 -rows=4 -cols=4 -seed=9",
		"twins -rows=6 -cols=6 -seed=9",
	}
	for _, k := range kinds {
		unused[k.name] = true
		for i, r := range k.ladder {
			if i > 0 && r.Size <= k.ladder[i-1].Size {
				t.Errorf("%s: rung %d is no larger than the one before", k.name, i+1)
			}
			all = append(all, k.name+" "+r.Flags)
		}
	}
	for _, args := range all {
		var input, stderr bytes.Buffer
		if status := family.Run(families(), strings.Fields(args), &input, &stderr); status != 0 {
			t.Errorf("gen %s: status %d, %s", args, status, &stderr)
			continue
		}
		delete(unused, strings.Fields(args)[0])
		for _, program := range []struct {
			argv   []string
			status int
		}{{[]string{check, "-input"}, 42}, {[]string{slink}, 0}} {
			cmd := exec.Command(program.argv[0], program.argv[1:]...)
			cmd.Stdin = bytes.NewReader(input.Bytes())
			cmd.Stderr = &stderr
			if err := cmd.Run(); cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != program.status {
				t.Errorf("gen %s: %s: %v, %s", args, filepath.Base(program.argv[0]), err, &stderr)
			}
		}
	}
	for name := range unused {
		t.Errorf("family %s is not tested", name)
	}
}

// TestStable pins some inputs, because the cases depend on them.
func TestStable(t *testing.T) {
	for args, want := range map[string]string{
		"random -n=5 -seed=1":                      "6b640d844412820d",
		"twins -rows=5 -cols=5 -seed=1":            "ec44e6ee5e2db14e",
		"climb -rows=6 -cols=6 -steps=100 -seed=0": "29e1ae309318759f",
		"domino -n=3 -seed=18446744073709551615":   "63a50efb3667ec30",
	} {
		var input, stderr bytes.Buffer
		family.Run(families(), strings.Fields(args), &input, &stderr)
		if got := fmt.Sprintf("%x", sha256.Sum256(input.Bytes()))[:16]; got != want {
			t.Errorf("gen %s: %s%s, want %s", args, got, &stderr, want)
		}
	}
}

// TestProperties checks what families promise beyond valid inputs.
func TestProperties(t *testing.T) {
	for _, test := range []struct {
		name    string
		options options
		make    func(*options, chance) ([]*puzzle, error)
		has     func(*puzzle) bool
		what    string
	}{
		{"twins", options{n: 5, rows: 4, cols: 4}, makeTwins, func(p *puzzle) bool { return count(p).others > 0 }, "another colouring"},
		{"images", options{rows: 5, cols: 5}, makeImages, func(p *puzzle) bool { return openEdges(p) > 0 }, "edges that counting leaves open"},
		{"domino", options{n: 9, max: maxSide}, makeDominoes, func(p *puzzle) bool { return p.tally(3) >= 2 }, "two 3s"},
	} {
		puzzles, err := test.make(&test.options, chance{rand.NewChaCha8([32]byte{})})
		if err != nil {
			t.Fatal(err)
		}
		for n, p := range puzzles {
			if !test.has(p) {
				t.Errorf("%s: puzzle %d lacks %s:\n%s", test.name, n+1, test.what, p.appendTo(nil))
			}
		}
	}
}

func TestArguments(t *testing.T) {
	for _, test := range []struct {
		args   string
		status int
		says   string
	}{
		{"random -rows=21", 2, "want a number from 0 to 20"},
		{"random -n=101 -rows=20 -cols=20", 2, "101 puzzles with 40400 cells are too many"},
		{"random -rows=1 -cols=1", 1, "no such puzzle"},
		{"all", 2, "must be given"},
		{"all -rows=4 -cols=4", 2, "at most 12 cells"},
		{"climb -goal=up", 2, "want twos|threes|work|open"},
		{"twins -rows=2 -cols=3", 1, "no such puzzle"},
	} {
		var stdout, stderr bytes.Buffer
		status := family.Run(families(), strings.Fields(test.args), &stdout, &stderr)
		if status != test.status || stdout.Len() > 0 || !strings.Contains(stderr.String(), test.says) || strings.Count(stderr.String(), "\n") != 1 {
			t.Errorf("gen %s: status %d, stdout %q, stderr %q; want %d, %q", test.args, status, &stdout, &stderr, test.status, test.says)
		}
	}
}
