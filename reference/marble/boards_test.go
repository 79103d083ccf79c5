package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tribunal/internal/tier"
)

// TestBoardsAreKept checks that every board kept for the benchmarks can be read and has an answer
// whose moves win. Only the benchmarks solve the large boards.
func TestBoardsAreKept(t *testing.T) {
	inputs, err := filepath.Glob("testdata/boards/*.in")
	if err != nil || len(inputs) < 10 {
		t.Fatalf("%d boards, %v", len(inputs), err)
	}
	readme, err := os.ReadFile("testdata/boards/README.md")
	if err != nil {
		t.Fatal(err)
	}
	check := buildProgram(t, t.TempDir(), "./check")
	for _, input := range inputs {
		name := strings.TrimSuffix(filepath.Base(input), ".in")
		answer, err := os.ReadFile(strings.TrimSuffix(input, ".in") + ".ans")
		if err != nil {
			t.Error(err)
			continue
		}
		if !bytes.Contains(readme, []byte("| "+name+" |")) {
			t.Errorf("%s is not in the table of README.md", name)
		}
		full := filepath.Join(t.TempDir(), "answer")
		if err := os.WriteFile(full, append(answer, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
		command := exec.Command(check, input, full, t.TempDir())
		command.Stdin = bytes.NewReader(append(answer, '\n'))
		if out, _ := command.CombinedOutput(); command.ProcessState.ExitCode() != 42 {
			t.Errorf("%s: check exits with %v, %s", name, command.ProcessState, out)
		}
	}
}

// TestQuickBoards solves the deep boards and those that are easy from one end, because they take
// little time.
func TestQuickBoards(t *testing.T) {
	tier.T3(t, "boards that take seconds")
	solver := buildProgram(t, t.TempDir(), ".")
	inputs, _ := filepath.Glob("testdata/boards/*.in")
	tried := 0
	for _, input := range inputs {
		name := filepath.Base(input)
		if !strings.HasPrefix(name, "deep-") && !strings.HasPrefix(name, "one-end-") {
			continue
		}
		tried++
		text, err := os.ReadFile(input)
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(strings.TrimSuffix(input, ".in") + ".ans")
		if err != nil {
			t.Fatal(err)
		}
		if got := answers(t, solver, string(text)); len(got) != 1 || got[0] != string(want)+"\n" {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	if tried < 5 {
		t.Errorf("only %d boards", tried)
	}
}

// TestProgramRefuses checks that the program exits with status 3 for malformed inputs, writes one
// line with the place to standard error, and prints nothing for the boards before it.
func TestProgramRefuses(t *testing.T) {
	const good = "2 1 1\n0 1\n0 0\n0 0 1 0\n"
	program := buildProgram(t, t.TempDir(), ".")
	type test struct {
		why, input string
		line       int
	}
	tests := []test{
		{"a good board first, and then a bad one", good + "2 1 0\n0 1\n0 2\n0 0 0\n", 7},
		{"N beyond 32 bits", "4294967298 1 0\n0 1\n0 0\n0 0 0\n", 1},
		{"N beyond 64 bits", "18446744073709551618 1 0\n0 1\n0 0\n0 0 0\n", 1},
		{"M beyond 32 bits", "2 4294967297 0\n0 1\n0 0\n0 0 0\n", 1},
		{"W beyond 64 bits", "2 1 18446744073709551616\n0 1\n0 0\n0 0 0\n", 1},
		{"a row beyond 64 bits", "2 1 0\n18446744073709551616 1\n0 0\n0 0 0\n", 2},
		{"a number of ten megabytes", strings.Repeat("9", 10<<20) + "\n", 1},
		{"blanks of ten megabytes", strings.Repeat(" ", 10<<20), 1},
		{"very many empty lines", strings.Repeat("\n", 1<<20) + "x", 1<<20 + 1},
		{"NULs", strings.Repeat("\x00", 1<<20), 1},
		{"a byte order mark", "\xef\xbb\xbf" + good + "0 0 0\n", 1},
		{"digits of another script", "٢ 1 0\n0 1\n0 0\n0 0 0\n", 1},
		{"commas", "2,1,0\n0 1\n0 0\n0 0 0\n", 1},
		{"a vertical tab", "2 1 0\v\n0 1\n0 0\n0 0 0\n", 1},
		{"ten thousand boards, the last one malformed", strings.Repeat(good, maxBoards-1) + "2 1 0\n0 1\n0 2\n0 0 0\n", 4*maxBoards - 1},
		{"one marble more than squares", "40 1601 0\n0 0 0\n", 1},
		{"one wall more than all places twice", "40 1 6241\n0 0 0\n", 1},
	}
	for cut := range len(good) + len("0 0 0") {
		part := (good + "0 0 0")[:cut]
		tests = append(tests, test{fmt.Sprintf("cut after %d bytes", cut), part, 1 + strings.Count(part, "\n")})
	}
	for _, test := range tests {
		command := exec.Command(program)
		command.Stdin = strings.NewReader(test.input)
		var stdout, stderr bytes.Buffer
		command.Stdout, command.Stderr = &stdout, &stderr
		_ = command.Run()
		head := fmt.Sprintf("line %d: ", test.line)
		if status := command.ProcessState.ExitCode(); status != 3 || stdout.Len() > 0 ||
			!strings.HasPrefix(stderr.String(), head) || strings.Count(stderr.String(), "\n") != 1 || stderr.Len() > 250 {
			t.Errorf("%s: status %d, %d bytes on stdout, %q, want 3, 0, %q…", test.why, status, stdout.Len(), &stderr, head)
		}
	}
}

// TestProgramTakesTheLargest solves valid inputs with as many marbles as squares, or with the most
// boards.
func TestProgramTakesTheLargest(t *testing.T) {
	const n = maxSize
	full := func(turn, walls int) string {
		var text strings.Builder
		fmt.Fprintln(&text, n, n*n, walls)
		for _, by := range []int{0, turn} {
			for s := range n * n {
				s = (s + by) % (n * n)
				fmt.Fprintln(&text, s/n, s%n)
			}
		}
		for i := range walls { // all places of walls, each from both sides
			r, c := i/4%n, i/4/n
			wall := [2][2]int{{r, c}, {r, c + 1}}
			if i&1 != 0 {
				wall = [2][2]int{{c, r}, {c + 1, r}}
			}
			if i&2 != 0 {
				wall[0], wall[1] = wall[1], wall[0]
			}
			fmt.Fprintln(&text, wall[0][0], wall[0][1], wall[1][0], wall[1][1])
		}
		return text.String()
	}
	program := buildProgram(t, t.TempDir(), ".")
	for _, test := range []struct{ why, input, last string }{
		{"all marbles at home", full(0, 0), "Case 1: 0 moves\n\n"},
		{"all marbles in other holes", full(1, 0), "Case 1: impossible\n\n"},
		{"every wall twice", full(0, maxWalls(n)), "Case 1: 0 moves\n\n"},
		{"ten thousand boards", strings.Repeat("2 1 0\n0 1\n0 0\n", maxBoards), "Case 10000: 1 moves E\n\n"},
	} {
		got := answers(t, program, test.input+"0 0 0\n")
		if len(got) == 0 || got[len(got)-1] != test.last {
			t.Errorf("%s: %d answers, the last is not %q", test.why, len(got), test.last)
		}
	}
}
