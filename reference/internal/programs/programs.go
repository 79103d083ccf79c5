// Package programs lets the tests of one program of a problem run the others.
package programs

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"tribunal/internal/tier"
)

// Programs is a folder with executables of one problem, named after their source folders.
type Programs struct{ folder string }

// Build compiles the programs in folders, such as "../gen". They are removed when the test ends. What
// needs several programs of a problem is about that problem, and runs in T3.
func Build(tb testing.TB, folders ...string) Programs {
	tb.Helper()
	tier.T3(tb, "programs of a problem against each other")
	p := Programs{tb.TempDir()}
	if out, err := exec.Command("go", append([]string{"build", "-o", p.folder}, folders...)...).CombinedOutput(); err != nil {
		tb.Fatalf("go build %q: %v\n%s", folders, err, out)
	}
	return p
}

// Run returns a program's standard output, standard error and exit status.
func (p Programs) Run(tb testing.TB, input []byte, name string, args ...string) (out, errs string, status int) {
	tb.Helper()
	var stdout, stderr bytes.Buffer
	cmd := exec.Command(filepath.Join(p.folder, name), args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(input), &stdout, &stderr
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		tb.Fatal(err)
	}
	return stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()
}

// Ladder returns the inputs that gen makes for the rungs of its ladders up to the size most.
func (p Programs) Ladder(tb testing.TB, most int) [][]byte {
	tb.Helper()
	rungs, _, _ := p.Run(tb, nil, "gen", "-ladder")
	var inputs [][]byte
	for rung := range strings.Lines(rungs) {
		words := strings.Fields(rung)
		if size, err := strconv.Atoi(words[0]); err != nil || size > most {
			continue
		}
		input, errs, status := p.Run(tb, nil, "gen", words[1:]...)
		if status != 0 {
			tb.Fatalf("gen %s: %s", rung, errs)
		}
		inputs = append(inputs, []byte(input))
	}
	if len(inputs) == 0 {
		tb.Fatalf("no rung has a size of at most %d:\n%s", most, rungs)
	}
	return inputs
}

// Agree fails the test if the input validator and the solver of a problem disagree about an input.
// strictly is the validator. loosely is a variant of it that ignores layout, and faults that the
// solver does not detect. The solver must answer an input that strictly accepts, with the output of
// brute. It may answer an input that only loosely accepts, and must refuse any other with exit
// status 3.
func (p Programs) Agree(t *testing.T, solver string, input []byte, strictly, loosely func(input []byte) error) {
	t.Helper()
	fault := strictly(input)
	answer, errs, status := p.Run(t, input, solver)
	switch {
	case fault != nil && status == 0:
		if fault := loosely(input); fault != nil {
			t.Errorf("%q is answered, but %v", input, fault)
		}
	case fault != nil && status != 3:
		t.Errorf("%q: the solver exits with %d, want 3 (%v)", input, status, fault)
	case fault == nil && (status != 0 || errs != ""):
		t.Errorf("%q is valid, but the solver exits with %d: %s", input, status, errs)
	case fault == nil:
		if second, _, _ := p.Run(t, input, "brute"); second != answer {
			t.Errorf("%q: solver %q, brute %q", input, answer, second)
		}
	}
}
