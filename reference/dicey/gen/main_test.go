package main

import (
	"bytes"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// generate runs gen and returns its output.
func generate(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if status := run(args, &out, &errs); status != 0 || errs.Len() > 0 {
		t.Fatalf("gen %q: status %d, stderr %q", args, status, &errs)
	}
	return out.String()
}

func TestEveryFamilyIsValid(t *testing.T) {
	check := filepath.Join(t.TempDir(), "check")
	if out, err := exec.Command("go", "build", "-o", check, "../check").CombinedOutput(); err != nil {
		t.Fatalf("go build ../check: %v\n%s", err, out)
	}
	runs := [][]string{
		{"wide", "-mazes=2", "-solved=1"},
		{"length", "-positions=45", "-side=8"},
		{"length", "-positions=3", "-side=3", "-mazes=20"},
		{"revisit", "-times=5"},
		{"random", "-side=1", "-mazes=3"},
		{"names", "-mazes=100"},
	}
	for _, f := range families {
		runs = append(runs, []string{f.name})
	}
	for _, args := range runs {
		in := generate(t, append(args, "-seed=7")...)
		cmd := exec.Command(check, "-input")
		cmd.Stdin = strings.NewReader(in)
		message, _ := cmd.CombinedOutput() // the exit status tells
		if status := cmd.ProcessState.ExitCode(); status != 42 {
			t.Errorf("gen %q: check says %d, %s", args, status, message)
		}
		if again := generate(t, append(args, "-seed=7")...); again != in {
			t.Errorf("gen %q: two runs differ", args)
		}
	}
}

// The bytes must not change: the cases depend on them.
func TestOutputIsPinned(t *testing.T) {
	const want = `RANDOM1
1 2 1 1 2 3
-1 -1
RANDOM2
3 2 2 1 1 2
0 -1
0 -1
-1 -1
END
`
	if got := generate(t, "random", "-mazes=2", "-side=3", "-seed=1"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if generate(t, "random", "-seed=1") == generate(t, "random", "-seed=2") {
		t.Error("the seed does not matter")
	}
}

func TestLengthIsExact(t *testing.T) {
	for _, c := range []struct {
		args []string
		want int
	}{
		{[]string{"length", "-positions=3", "-side=4"}, 3},
		{[]string{"length", "-positions=19", "-side=5"}, 19},
		{[]string{"length", "-positions=27", "-side=7"}, 27},
	} {
		g, f, err := parse(c.args)
		if err != nil {
			t.Fatal(err)
		}
		m, err := g.climb(g.option["side"], anyLie, func(walk []int) int { return abs(len(walk) - c.want) })
		if err != nil {
			t.Fatal(err)
		}
		if found := g.survey(m); found.solutions != 1 || len(found.walk) != c.want {
			t.Errorf("%s: %d solutions, the first of %d positions, want one of %d", f.name, found.solutions, len(found.walk), c.want)
		}
	}
}

func TestUsage(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string // in the message
	}{
		{nil, "no family"},
		{[]string{"rnadom"}, `unknown family "rnadom"`},
		{[]string{"-seed=1"}, `unknown family "-seed=1"`},
		{[]string{"random", "-rows=3"}, "-rows"},
		{[]string{"random", "-mazes=0"}, "1 to 1000"},
		{[]string{"random", "-mazes=1001"}, "1 to 1000"},
		{[]string{"random", "-mazes=many"}, "many"},
		{[]string{"random", "-seed=-1"}, "-seed"},
		{[]string{"random", "4"}, `unexpected "4"`},
		{[]string{"length", "-positions=8"}, "even"},
		{[]string{"empty", "-mazes=1"}, "-mazes"},
	} {
		var out, errs bytes.Buffer
		status := run(c.args, &out, &errs)
		message := errs.String()
		if status != exitUsage || out.Len() > 0 || !strings.Contains(message, c.want) ||
			!strings.Contains(message, "(hint: ") || strings.Count(message, "\n") != 1 {
			t.Errorf("gen %q: status %d, stdout %q, stderr %q", c.args, status, &out, message)
		}
	}
}

func TestGivesUp(t *testing.T) {
	var out, errs bytes.Buffer
	if status := run([]string{"length", "-side=3", "-positions=101"}, &out, &errs); status != exitFailure || out.Len() > 0 {
		t.Errorf("status %d, stdout %q, stderr %q", status, &out, &errs)
	}
}

func TestList(t *testing.T) {
	var out bytes.Buffer
	if status := run([]string{"-list"}, &out, io.Discard); status != 0 {
		t.Fatalf("status %d", status)
	}
	for _, f := range families {
		if !strings.Contains(out.String(), f.name) {
			t.Errorf("family %s is not listed", f.name)
		}
	}
}
