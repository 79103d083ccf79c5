package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tribunal/internal/tier"
)

// For a longer test than by default:
//
//	go test ./reference/maze -run Random -count 1 -mazes 250000 -seed 7 -v
var (
	mazes = flag.Int("mazes", 4000, "least number of random mazes to test")
	seed  = flag.Uint64("seed", 1, "seed of the random tests")
)

// families lists the kinds of random mazes: arguments of gen, and the number of mazes in its input.
var families = []struct {
	args  string
	count int
}{
	{"random -mazes=50 -rows=0 -columns=0 -most=7 -flips=10", 50},
	{"bursts -mazes=50 -rows=0 -columns=0 -most=7 -flips=20", 50},
	{"length -mazes=50 -rows=0 -columns=0 -most=7 -flips=5", 50},
	{"dead -mazes=50 -rows=0 -columns=0 -most=7 -flips=25", 50},
	{"first -mazes=50 -rows=0 -columns=0 -most=7 -flips=15", 50},
	{"live -mazes=50 -rows=0 -columns=0 -most=7 -flips=20", 50},
	{"tiny -mazes=500 -flips=3", 500},
	{"tiny -mazes=400 -most=5 -flips=30", 400},
	{"random -mazes=2 -rows=39 -columns=39 -flips=500", 2},
	{"dead -mazes=2 -rows=20 -columns=39 -flips=900", 2},
}

// inputs yields random inputs, each with its number of mazes.
func inputs(t *testing.T) func(yield func([]byte, int) bool) {
	gen := build(t, "gen")
	return func(yield func([]byte, int) bool) {
		done := 0
		for round := *seed << 32; done < *mazes; round++ {
			for _, f := range families {
				args := append(strings.Fields(f.args), fmt.Sprint("-seed=", round))
				input, err := exec.Command(gen, args...).Output()
				if err != nil {
					t.Fatalf("gen %v: %v", args, err)
				}
				if !yield(input, f.count) {
					return
				}
				done += f.count
			}
		}
	}
}

// TestRandomAgainstBrute compares solve with brute. Every input of the generator must pass the
// validator too.
func TestRandomAgainstBrute(t *testing.T) {
	brute, check := build(t, "brute"), build(t, "check")
	all := 0
	for input, count := range inputs(t) {
		if status, message := filter(t, check, input, "-input"); status != 42 {
			t.Fatalf("check exits with %d: %s on\n%s", status, message, input)
		}
		_, want := filter(t, brute, input)
		got, err := solve(bytes.NewReader(input))
		if err != nil || string(got) != want {
			t.Fatalf("error %v, output\n%swant\n%sfor\n%s", err, got, want, input)
		}
		all += count
	}
	t.Logf("%d mazes drawn alike", all)
}

// TestRandomPicturesAreTrees looks at the pictures alone: the openings of a maze join all its
// cells, and no two paths lead to the same cell.
func TestRandomPicturesAreTrees(t *testing.T) {
	for input, count := range inputs(t) {
		output, err := solve(bytes.NewReader(input))
		if err != nil {
			t.Fatal(err)
		}
		pictures := strings.SplitAfter(string(output), "\n\n")
		if pictures = pictures[:len(pictures)-1]; len(pictures) != count {
			t.Fatalf("%d pictures of %d mazes", len(pictures), count)
		}
		for _, picture := range pictures {
			if err := isTree(picture); err != nil {
				t.Fatalf("%v:\n%s", err, picture)
			}
		}
	}
}

// isTree returns an error unless the openings of a picture form a spanning tree.
func isTree(picture string) error {
	lines := strings.Split(strings.TrimSuffix(picture, "\n\n"), "\n")
	top, lines := lines[0], lines[1:]
	columns := len(top) / 2
	if top != strings.Repeat(" _", columns) {
		return fmt.Errorf("the first line is %q", top)
	}
	type place struct{ line, column int }
	openings := 0
	neighbours := make(map[place][]place)
	join := func(a, b place) {
		openings++
		neighbours[a] = append(neighbours[a], b)
		neighbours[b] = append(neighbours[b], a)
	}
	for i, line := range lines {
		if len(line) != 2*columns+1 || line[0] != '|' {
			return fmt.Errorf("line %d has no left wall or another width than the first", i+2)
		}
		for c := range columns {
			switch floor := line[2*c+1]; {
			case floor == ' ' && i < len(lines)-1:
				join(place{i, c}, place{i + 1, c})
			case floor != '_':
				return fmt.Errorf("line %d, cell %d: the floor is %q", i+2, c+1, floor)
			}
			switch wall := line[2*c+2]; {
			case wall == ' ' && c < columns-1:
				join(place{i, c}, place{i, c + 1})
			case wall != '|':
				return fmt.Errorf("line %d, cell %d: the wall is %q", i+2, c+1, wall)
			}
		}
	}
	reached := map[place]bool{{0, 0}: true}
	for queue := []place{{0, 0}}; len(queue) > 0; queue = queue[1:] {
		for _, next := range neighbours[queue[0]] {
			if !reached[next] {
				reached[next] = true
				queue = append(queue, next)
			}
		}
	}
	cells := len(lines) * columns
	if len(reached) != cells || openings != cells-1 {
		return fmt.Errorf("%d of %d cells can be reached, through %d openings", len(reached), cells, openings)
	}
	return nil
}

// TestIsTree makes sure that isTree refuses pictures that are not trees.
func TestIsTree(t *testing.T) {
	for _, tt := range []struct {
		why, picture string
		want         bool
	}{
		{"a tree", " _ _\n|  _|\n|_ _|\n\n", true},
		{"one cell", " _\n|_|\n\n", true},
		{"a ring", " _ _\n|   |\n|_ _|\n\n", false},
		{"two parts", " _ _\n| | |\n|_|_|\n\n", false},
		{"a ring and a part, with as many openings as a tree has", " _ _ _\n|   |_|\n|_ _|_|\n\n", false},
		{"open to the right", " _ _\n|_ _ \n\n", false},
		{"open below", " _ _\n|_  |\n\n", false},
	} {
		if err := isTree(tt.picture); (err == nil) != tt.want {
			t.Errorf("%s: %v", tt.why, err)
		}
	}
}

// build compiles one of the programs beside the solver.
func build(t testing.TB, name string) string {
	t.Helper()
	tier.T3(t, "programs of a problem against each other")
	path := filepath.Join(t.TempDir(), name)
	if output, err := exec.Command("go", "build", "-o", path, "./"+name).CombinedOutput(); err != nil {
		t.Fatalf("building %s: %v\n%s", name, err, output)
	}
	return path
}

// filter runs a program on an input and returns its exit status and its output.
func filter(t testing.TB, program string, input []byte, arguments ...string) (int, string) {
	t.Helper()
	command := exec.Command(program, arguments...)
	command.Stdin = bytes.NewReader(input)
	output, err := command.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return command.ProcessState.ExitCode(), string(output)
}
