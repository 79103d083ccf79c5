package main

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tribunal/reference/internal/family"
	"tribunal/reference/internal/programs"
)

// generate runs gen and returns its output.
func generate(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if status := family.Run(families, args, &out, &errs); status != 0 || errs.Len() > 0 {
		t.Fatalf("gen %q: status %d, stderr %q", args, status, &errs)
	}
	return out.String()
}

func TestLaddersAreValid(t *testing.T) {
	p := programs.Build(t, "../check")
	for rung := range strings.Lines(generate(t, "-ladder")) {
		args := strings.Fields(rung)[1:]
		in := generate(t, append(args, "-seed=7")...)
		if _, errs, status := p.Run(t, []byte(in), "check", "-input"); status != 42 {
			t.Errorf("gen %q: check says %d, %s", args, status, errs)
		}
	}
}

func TestRunsAreTheSame(t *testing.T) {
	for _, f := range families {
		if in := generate(t, f.Name, "-seed=7"); generate(t, f.Name, "-seed=7") != in {
			t.Errorf("gen %s: two runs differ", f.Name)
		}
	}
}

// TestOutputIsPinned pins the bytes of outputs, because the cases depend on them.
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

// read returns the mazes of an input.
func read(t *testing.T, in string) []*maze {
	t.Helper()
	words := strings.Fields(in)
	number := func() int {
		n, err := strconv.Atoi(words[0])
		if err != nil {
			t.Fatal(err)
		}
		words = words[1:]
		return n
	}
	var all []*maze
	for len(words) > 1 {
		m := &maze{name: words[0]}
		words = words[1:]
		m.rows, m.cols = number(), number()
		m.start = (number()-1)*m.cols + number() - 1
		top, front := number(), number()
		m.die = slices.IndexFunc(lies, func(l lie) bool { return l.top == top && l.front == front })
		for range m.rows * m.cols {
			m.needs = append(m.needs, number())
		}
		all = append(all, m)
	}
	return all
}

func TestPromises(t *testing.T) {
	solved := func(positions ...int) func(*maze, survey) bool {
		return func(_ *maze, s survey) bool { return s.solutions == 1 && slices.Contains(positions, len(s.walk)) }
	}
	for _, c := range []struct {
		args  string
		mazes int
		holds func(*maze, survey) bool
	}{
		{"length -positions=3 -side=4", 1, solved(3)},
		{"length -positions=19 -side=5", 1, solved(19)},
		{"length -positions=27 -side=7 -mazes=2", 2, solved(27)},
		{"lies -positions=7", 24, solved(7)},
		{"lines", 20, solved(7, 9, 11, 17, 19, 21, 25, 27, 29)},
		{"revisit -times=3 -mazes=4", 4, func(_ *maze, s survey) bool { return s.solutions == 1 && mostVisits(s.walk) >= 3 }},
		{"wide -solved=1 -side=4", 10, func(_ *maze, s survey) bool { return s.solutions == 1 && s.reached >= 64 }},
		{"wide", 10, func(_ *maze, s survey) bool { return s.solutions == 0 && s.reached >= 400 }},
		{"longest", 1, func(_ *maze, s survey) bool { return s.solutions == 1 && len(s.walk) > 100 }},
		{"latest", 1, func(_ *maze, s survey) bool { return s.solutions == 1 && s.before > 1000 }},
		{"field -mazes=3", 3, func(m *maze, s survey) bool { return s.solutions == 0 && s.reached > 1000 }},
		{"thin", 20, func(m *maze, _ survey) bool { return m.rows == 1 || m.cols == 1 }},
		{"none", 100, func(_ *maze, s survey) bool { return s.solutions == 0 }},
	} {
		mazes := read(t, generate(t, strings.Fields(c.args)...))
		if len(mazes) != c.mazes {
			t.Errorf("gen %s: %d mazes, want %d", c.args, len(mazes), c.mazes)
		}
		var s surveyor
		for _, m := range mazes {
			if found := s.survey(m); !c.holds(m, found) {
				t.Errorf("gen %s: %s has %d solutions, the first of %d positions, and %d states", c.args, m.name, found.solutions, len(found.walk), found.reached)
			}
		}
	}
}

func TestFaults(t *testing.T) {
	for _, c := range []struct {
		args   string
		status int
		want   string // part of the message
	}{
		{"random -rows=3", 2, "-rows"},
		{"random -mazes=0", 2, "1 to 1000"},
		{"random -mazes=1001", 2, "1 to 1000"},
		{"length -positions=8", 2, "even"},
		{"lies -positions=8", 2, "even"},
		{"empty -mazes=1", 2, "-mazes"},
		{"length -side=3 -positions=101", 1, "no such maze found"},
	} {
		var out, errs bytes.Buffer
		status := family.Run(families, strings.Fields(c.args), &out, &errs)
		message := errs.String()
		if status != c.status || out.Len() > 0 || !strings.Contains(message, c.want) ||
			!strings.Contains(message, "(hint: ") || strings.Count(message, "\n") != 1 {
			t.Errorf("gen %s: status %d, stdout %q, stderr %q", c.args, status, &out, message)
		}
	}
}

// TestKnown checks that a maze that is turned or renumbered is as hard as before.
func TestKnown(t *testing.T) {
	var s surveyor
	for _, known := range []maze{longest, latest} {
		want := s.survey(&known)
		if want.solutions != 1 {
			t.Errorf("a known maze has %d solutions", want.solutions)
		}
		m := &known
		for range 4 {
			m = m.turned()
			for _, l := range lies {
				got := s.survey(m.renumbered(l))
				if got.solutions != 1 || len(got.walk) != len(want.walk) || got.reached != want.reached {
					t.Errorf("%d solutions, %d positions, %d states; want 1, %d, %d", got.solutions, len(got.walk), got.reached, len(want.walk), want.reached)
				}
			}
		}
	}
}
