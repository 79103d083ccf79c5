package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
)

func TestInput(t *testing.T) {
	const valid = ""
	for _, tt := range []struct {
		name, why, input string
		want             string // place of the fault; empty for a valid input
	}{
		{"no maze", "the least number of mazes",
			"0\n", valid},
		{"most mazes", "the largest number of mazes, none of which has a command",
			"1000\n" + strings.Repeat("1 1\n1 1\n", 1000), valid},
		{"all commands", "a 2×2 maze with every letter and a flip",
			"2\n2 2\n1 1\nU\nR\nF 3\nD\n2 2\n2 2\nL\nD\nR\n", valid},
		{"dead cell uncovered", "F 1 makes the dead start last; it is removed before R",
			"1\n3 3\n1 1\nR\nU\nL\nU\nF 1\nF 4\nR\nU\nU\nL\n", valid},
		{"most commands", "flips fill the bound",
			"1\n1 2\n1 1\n" + strings.Repeat("F 1\n", maxCommands-1) + "R\n", valid},

		{"empty", "no number at all", "", "line 1, column 1"},
		{"no final newline", "the last line must end with a newline, too", "0", "line 1, column 2"},
		{"CRLF", "lines end in LF alone", "0\r\n", "line 1, column 2"},
		{"leading zero", "one way to write a number", "00\n", "line 1, column 1"},
		{"plus sign", "no signs", "+0\n", "line 1, column 1"},
		{"too many mazes", "one beyond the bound", "1001\n", "line 1, column 1"},
		{"huge count", "more digits than fit an integer", strings.Repeat("9", 100) + "\n", "line 1, column 1"},
		{"empty line", "no empty line may stand between mazes", "1\n\n1 1\n1 1\n", "line 2, column 1"},
		{"blank in front", "a line begins with its first field", "1\n 1 1\n1 1\n", "line 2, column 1"},
		{"two blanks", "one space between numbers", "1\n1  1\n1 1\n", "line 2, column 3"},
		{"tab", "a space, not a tab", "1\n1\t1\n1 1\n", "line 2, column 2"},
		{"blank behind", "a line ends after its last number", "1\n1 1 \n1 1\n", "line 2, column 4"},
		{"no rows", "at least one", "1\n0 1\n1 1\n", "line 2, column 1"},
		{"40 columns", "at most 39", "1\n39 40\n1 1\n", "line 2, column 4"},
		{"start row outside", "row 3 of 2", "1\n2 3\n3 1\n", "line 3, column 1"},
		{"start column outside", "column 3 of 2", "1\n3 2\n1 3\n", "line 3, column 3"},
		{"unknown command", "none of the five letters", "1\n1 2\n1 1\nX\n", "line 4, column 1"},
		{"blank behind a move", "the letter is the whole line", "1\n1 2\n1 1\nR \n", "line 4, column 2"},
		{"out of the grid", "row 0", "1\n2 2\n1 1\nD\n", "line 4, column 1"},
		{"visited", "straight back", "1\n2 2\n1 1\nU\nD\n", "line 5, column 1"},
		{"flip without space", "a space before the position", "1\n1 2\n1 1\nF1\nR\n", "line 4, column 2"},
		{"flip from 0", "positions count from 1", "1\n1 2\n1 1\nF 0\nR\n", "line 4, column 3"},
		{"flip beyond the list", "two cells, position 3", "1\n1 3\n1 1\nR\nF 3\nR\n", "line 5, column 3"},
		{"commands missing", "a cell is left", "1\n1 3\n1 1\nR\n", "line 5, column 1"},
		{"a command too many", "the maze is finished", "1\n1 2\n1 1\nR\nL\n", "line 5, column 1"},
		{"text after the end", "an empty line is text too", "0\n\n", "line 2, column 1"},
		{"too many commands", "one beyond the bound", "1\n1 2\n1 1\n" + strings.Repeat("F 1\n", maxCommands) + "R\n", fmt.Sprintf("line %d, column 1", 4+maxCommands)},
		{"far too long", "longer than maxInput, where reading ends", "1\n1 2\n1 1\nR\n" + strings.Repeat("\n", 2*maxInput), "line 5, column 1"},
		{"NUL", "shown escaped", "1\n1 2\n1 1\n\x00\n", "line 4, column 1"},
		{"not UTF-8", "shown escaped", "\xff\n", "line 1, column 1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var stderr bytes.Buffer
			status := run([]string{"-input"}, strings.NewReader(tt.input), io.Discard, &stderr)
			message := stderr.String()
			switch {
			case tt.want == valid:
				if status != statusValid || message != "" {
					t.Errorf("%s: exit status %d, message %q, want %d and none", tt.why, status, message, statusValid)
				}
			case status != statusInvalid || !strings.HasPrefix(message, tt.want+": ") || strings.Count(message, "\n") != 1:
				t.Errorf("%s: exit status %d, message %q, want %d and one line that begins with %q", tt.why, status, message, statusInvalid, tt.want)
			}
		})
	}
}

// TestExtents checks the ranges that -input prints for judge verify.
func TestExtents(t *testing.T) {
	for _, test := range []struct{ why, input, want string }{
		{"commands of all mazes together", "2\n2 2\n1 1\nU\nR\nF 3\nD\n1 2\n1 1\nR\n", "mazes 2 2\nM 1 2\nN 2 2\ncommands 5 5\n"},
		{"no mazes: only their number and commands are printed", "0\n", "mazes 0 0\ncommands 0 0\n"},
		{"an invalid input: nothing is printed", "1\n1 3\n1 1\nR\n", ""},
	} {
		var stdout, stderr bytes.Buffer
		status := run([]string{"-input"}, strings.NewReader(test.input), &stdout, &stderr)
		if (status == statusValid) != (test.want != "") || stdout.String() != test.want {
			t.Errorf("%s: status %d, %q%s, want %q", test.why, status, &stdout, &stderr, test.want)
		}
	}
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{nil, {"-output"}, {"-input", "file"}, {"input", "answer", "feedback"}} {
		var stderr bytes.Buffer
		status := run(args, strings.NewReader("0\n"), io.Discard, &stderr)
		if status != statusUsage || strings.Count(stderr.String(), "\n") != 1 {
			t.Errorf("check %q: exit status %d, message %q, want %d and one line", args, status, stderr.String(), statusUsage)
		}
	}
}
