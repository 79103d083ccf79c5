package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// build compiles the program of a folder and returns its path.
func build(t *testing.T, dir, name, folder string) string {
	t.Helper()
	exe := filepath.Join(dir, name)
	if out, err := exec.Command("go", "build", "-o", exe, folder).CombinedOutput(); err != nil {
		t.Fatalf("building %s: %v\n%s", name, err, out)
	}
	return exe
}

// TestFamilies runs every family, and asks the validator and the reference
// whether its input is in the domain.
func TestFamilies(t *testing.T) {
	dir := t.TempDir()
	check := build(t, dir, "check", "../check")
	slink := build(t, dir, "slink", "..")
	unused := make(map[string]bool)
	for _, f := range families {
		unused[f.name] = true
	}
	for _, args := range []string{
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
	} {
		var input, stderr bytes.Buffer
		if status := run(strings.Fields(args), &input, &stderr); status != 0 {
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

// TestStable pins some inputs, which the cases rely on.
func TestStable(t *testing.T) {
	for args, want := range map[string]string{
		"random -n=5 -seed=1":                    "6b640d844412820d",
		"twins -rows=5 -cols=5 -seed=1":          "ec44e6ee5e2db14e",
		"climb -rows=6 -cols=6 -steps=100":       "29e1ae309318759f",
		"domino -n=3 -seed=18446744073709551615": "63a50efb3667ec30",
	} {
		var input, stderr bytes.Buffer
		run(strings.Fields(args), &input, &stderr)
		if got := fmt.Sprintf("%x", sha256.Sum256(input.Bytes()))[:16]; got != want {
			t.Errorf("gen %s: %s%s, want %s", args, got, &stderr, want)
		}
	}
}

// TestProperties looks at what families promise beyond the domain.
func TestProperties(t *testing.T) {
	for _, test := range []struct {
		args string
		has  func(*puzzle) bool
		what string
	}{
		{"twins -n=5 -rows=4 -cols=4 -seed=1", func(p *puzzle) bool { return count(p).others > 0 }, "another colouring"},
		{"images -rows=5 -cols=5 -seed=1", func(p *puzzle) bool { return openEdges(p) > 0 }, "edges that counting leaves open"},
		{"domino -n=9 -seed=1", func(p *puzzle) bool { return p.tally(3) >= 2 }, "two 3s"},
	} {
		f := family{}
		for _, g := range families {
			if strings.HasPrefix(test.args, g.name+" ") {
				f = g
			}
		}
		o, err := f.parse(strings.Fields(test.args)[1:])
		if err != nil {
			t.Fatal(err)
		}
		puzzles, err := f.make(o, newChance(f.name, o.seed))
		if err != nil {
			t.Fatal(err)
		}
		for n, p := range puzzles {
			if !test.has(p) {
				t.Errorf("gen %s: puzzle %d lacks %s:\n%s", test.args, n+1, test.what, p.appendTo(nil))
			}
		}
	}
}

func TestArguments(t *testing.T) {
	for _, test := range []struct{ args, says string }{
		{"", "no family given"},
		{"-list -x", "unknown family"},
		{"nothing", `unknown family "nothing"`},
		{"random -x=1", "-x (hint: the flags are -seed -n"},
		{"random 5", `unexpected argument "5"`},
		{"random -n=0", "-n=0 is out of range (hint: from 1 to 1000)"},
		{"random -n=1001", "out of range"},
		{"random -rows=21", "out of range"},
		{"random -n=many", "hint"},
		{"random -seed=-1", "hint"},
		{"random -n=101 -rows=20 -cols=20", "101 puzzles with 40400 cells are too many"},
		{"random -rows=1 -cols=1", "no such puzzle"},
		{"all", "must be given"},
		{"all -rows=4 -cols=4", "at most 12 cells"},
		{"climb -goal=up", `unknown goal "up"`},
		{"twins -rows=2 -cols=3", "no such puzzle"},
	} {
		var stdout, stderr bytes.Buffer
		status := run(strings.Fields(test.args), &stdout, &stderr)
		if status != 2 || stdout.Len() > 0 || !strings.Contains(stderr.String(), test.says) || strings.Count(stderr.String(), "\n") != 1 {
			t.Errorf("gen %s: status %d, stdout %q, stderr %q; want %q", test.args, status, &stdout, &stderr, test.says)
		}
	}
}

func TestList(t *testing.T) {
	var stdout, stderr bytes.Buffer
	if status := run([]string{"-list"}, &stdout, &stderr); status != 0 {
		t.Fatalf("status %d, %s", status, &stderr)
	}
	for _, f := range families {
		if !strings.Contains(stdout.String(), f.name+": ") {
			t.Errorf("family %s is not listed", f.name)
		}
	}
}
