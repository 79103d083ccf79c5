package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

const (
	sampleInput = "2\n3 3\n1 1\nU\nU\nR\nD\nD\nR\nU\nU\n3 4\n2 1\nR\nU\nL\nF 2\nR\nU\nR\nD\nD\nF 4\nD\nL\nL\n"

	sampleOutput = ` _ _ _
|   | |
| | | |
|_|_ _|

 _ _ _ _
|_  |   |
|_ _  | |
|_ _ _|_|

`
)

func TestSolve(t *testing.T) {
	for _, tt := range []struct {
		name, why, input, want string
	}{
		{"statement", "the statement's own mazes",
			sampleInput, sampleOutput},
		{"no maze", "zero mazes are legal and print nothing",
			"0\n", ""},
		{"one cell", "a 1×1 maze has no commands, and the maze after it loses none",
			"2\n1 1\n1 1\n1 2\n1 2\nL\n", " _\n|_|\n\n _ _\n|_ _|\n\n"},
		{"one column", "U goes to a higher row, which is printed above",
			"1\n3 1\n2 1\nU\nD\n", " _\n| |\n| |\n|_|\n\n"},
		{"slot", "an opened wall is a blank even between two floors",
			"1\n1 3\n1 2\nL\nR\n", " _ _ _\n|_ _ _|\n\n"},
		{"no-op", "a flip from the last position changes nothing",
			"1\n1 3\n1 1\nF 1\nR\nF 2\nR\n", " _ _ _\n|_ _ _|\n\n"},
		{"whole list", "F 1 brings the start back to the end",
			"1\n1 4\n1 2\nR\nF 1\nL\nR\n", " _ _ _ _\n|_ _ _ _|\n\n"},
		{"dead cell uncovered", "after F 1 the start is last and dead: it is removed before R is read, which then starts from (1, 2)",
			"1\n3 3\n1 1\nR\nU\nL\nU\nF 1\nR\nU\nU\nL\n", " _ _ _\n| |_  |\n|_  | |\n|_ _ _|\n\n"},
		{"dead cell counts", "(1, 1) is dead but still position 2, so F 3 makes (2, 1) last, which moves up",
			"1\n3 3\n1 2\nL\nU\nR\nF 3\nU\nR\nR\nD\nD\n", " _ _ _\n|  _  |\n|  _| |\n|_ _|_|\n\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := solve(strings.NewReader(tt.input))
			if err != nil || string(got) != tt.want {
				t.Errorf("%s: error %v, output\n%swant\n%s", tt.why, err, got, tt.want)
			}
		})
	}
}

// TestTolerance gives the solver inputs in layouts other than the statement's.
func TestTolerance(t *testing.T) {
	for _, tt := range []struct {
		name, why, input string
	}{
		{"CRLF", "line ends of another system",
			strings.ReplaceAll(sampleInput, "\n", "\r\n")},
		{"no final newline", "some editors leave the final newline out",
			strings.TrimSuffix(sampleInput, "\n")},
		{"CR at the end", "the last line ends in CR alone",
			strings.TrimSuffix(sampleInput, "\n") + "\r"},
		{"empty lines", "between all lines, before the first and after the last",
			"\n" + strings.ReplaceAll(sampleInput, "\n", "\n \t\n\n")},
		{"blanks", "round every field",
			" " + strings.ReplaceAll(strings.ReplaceAll(sampleInput, " ", "\t  "), "\n", " \t\n  ")},
		{"long run of blanks", "longer than any buffer of the usual size",
			strings.ReplaceAll(sampleInput, "F 2", "F"+strings.Repeat(" ", 200_000)+"2")},
		{"leading zeros", "leading zeros do not change a number",
			strings.ReplaceAll(sampleInput, "F ", "F 000")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := solve(strings.NewReader(tt.input))
			if err != nil || string(got) != sampleOutput {
				t.Errorf("%s: error %v, output\n%s", tt.why, err, got)
			}
		})
	}
}

func TestMalformed(t *testing.T) {
	for _, tt := range []struct {
		name, why, input string
		line             int
	}{
		{"empty", "the number of mazes is missing", "", 1},
		{"blank", "the same after empty lines", "\n\n", 3},
		{"text first", "a word is not a number", "mazes\n", 1},
		{"plus sign", "a plain decimal number has no sign", "+1\n1 1\n1 1\n", 1},
		{"minus sign", "not even -0 is valid", "-0\n", 1},
		{"hexadecimal", "not decimal", "0x1\n1 1\n1 1\n", 1},
		{"underscore", "digits are not grouped", "1_0\n", 1},
		{"exponent", "1e1 is not a plain decimal number", "1e1\n", 1},
		{"other digits", "only ASCII digits make a number", "١\n", 1},
		{"two counts", "a field too many on the first line", "1 1\n1 1\n1 1\n", 1},
		{"too many mazes", "one more than the bound", "1001\n", 1},
		{"huge count", "does not fit an integer and must not be allocated", "1000000000000000000000\n", 1},
		{"maze missing", "fewer mazes than announced", "2\n1 1\n1 1\n", 4},
		{"no rows", "a grid has a row", "1\n0 3\n1 1\n", 2},
		{"no columns", "and a column", "1\n3 0\n1 1\n", 2},
		{"40 rows", "one more than the bound", "1\n40 1\n1 1\n", 2},
		{"40 columns", "one more than the bound", "1\n1 40\n1 1\n", 2},
		{"rows alone", "the number of columns is missing", "1\n3\n3\n1 1\n", 2},
		{"no start", "the input ends after the size", "1\n3 3\n", 3},
		{"start at row 0", "rows count from 1", "1\n3 3\n0 1\n", 3},
		{"start above", "row 3 of 2", "1\n2 3\n3 1\n", 3},
		{"start to the right", "column 3 of 2: swapping the two would be silent otherwise", "1\n3 2\n1 3\n", 3},
		{"start too long", "three fields", "1\n3 2\n1 1 1\n", 3},
		{"command missing", "a cell is left", "1\n2 2\n1 1\nU\nR\n", 6},
		{"command missing in between", "the size of the next maze is not a command", "2\n1 2\n1 1\n1 1\n1 1\n", 4},
		{"command too many", "the maze is complete", "1\n1 2\n1 1\nR\nL\n", 5},
		{"command too many in between", "it is where the size of the next maze should be", "2\n1 2\n1 1\nR\nF 1\n1 1\n1 1\n", 5},
		{"command after one cell", "a 1×1 maze takes none", "1\n1 1\n1 1\nF 1\n", 4},
		{"small letter", "commands are capital letters", "1\n1 2\n1 1\nr\n", 4},
		{"unknown letter", "neither move nor flip", "1\n1 2\n1 1\nX\n", 4},
		{"word", "a move is one letter", "1\n1 3\n1 1\nRR\n", 4},
		{"letters of a move", "a part of UDLR that is longer than one letter", "1\n2 2\n1 1\nUD\n", 4},
		{"two commands on a line", "each line holds one command", "1\n1 3\n1 1\nR R\n", 4},
		{"move with a number", "only flips have a number", "1\n1 2\n1 1\nR 1\n", 4},
		{"flip without position", "F needs one", "1\n1 2\n1 1\nF\nR\n", 4},
		{"flip with two", "and only one", "1\n1 2\n1 1\nF 1 1\nR\n", 4},
		{"flip without space", "F1 is one field", "1\n1 2\n1 1\nF1\nR\n", 4},
		{"flip from 0", "positions count from 1", "1\n1 2\n1 1\nF 0\nR\n", 4},
		{"flip from -1", "no sign", "1\n1 2\n1 1\nF -1\nR\n", 4},
		{"flip beyond the list", "the list has two cells", "1\n1 3\n1 1\nR\nF 3\nR\n", 5},
		{"flip beyond what a flip left", "F 1 drops the dead start, so that the list has four cells", "1\n3 3\n1 1\nR\nU\nL\nU\nF 1\nF 5\n", 9},
		{"huge position", "does not fit an integer", "1\n1 2\n1 1\nF 99999999999999999999\nR\n", 4},
		{"out below", "D from row 1", "1\n2 2\n1 1\nD\n", 4},
		{"out above", "U from row M", "1\n2 2\n2 1\nU\n", 4},
		{"out left", "L from column 1", "1\n2 2\n1 1\nL\n", 4},
		{"out right", "R from column N, which in a plain array is the next row", "1\n2 2\n1 2\nR\n", 4},
		{"visited", "back to where it came from", "1\n2 2\n1 1\nU\nD\n", 5},
		{"text after the end", "nothing may follow", "1\n1 1\n1 1\n.\n", 4},
		{"text after no maze", "nothing may follow", "0\n0\n", 2},
		{"NUL", "not a blank", "1\n1 2\n1 1\nR\x00\n", 4},
		{"not UTF-8", "shown escaped", "1\n1 2\n1 1\n\xff\xfe\n", 4},
		{"byte order mark", "a byte order mark is not a blank", "\ufeff0\n", 1},
		{"CR alone", "ends no line and is no blank", "1\r1 1\r1 1\r", 1},
		{"very long word", "one field of 100,000 bytes", "1\n1 2\n1 1\n" + strings.Repeat("R", 100_000) + "\n", 4},
		{"endless line", "no line end within a mebibyte", "1\n1 2\n" + strings.Repeat(" ", 2*maxLine), 3},
		{"too many commands", "flips alone never finish a maze", "1\n1 2\n1 1\n" + strings.Repeat("F 1\n", maxCommands) + "R\n", 4 + maxCommands},
		{"error after mazes", "nothing is printed of the mazes before", sampleInput + "x", 27},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			status := run(strings.NewReader(tt.input), &stdout, &stderr)
			if status != statusMalformed || stdout.Len() > 0 {
				t.Errorf("%s: exit status %d with %d bytes of output, want %d with none", tt.why, status, stdout.Len(), statusMalformed)
			}
			prefix := fmt.Sprintf("line %d: ", tt.line)
			message := stderr.String()
			if !strings.HasPrefix(message, prefix) || strings.Count(message, "\n") != 1 || !strings.HasSuffix(message, "\n") || len(message) > 200 {
				t.Errorf("%s: message %q, want one line that begins with %q", tt.why, message, prefix)
			}
		})
	}
}

// TestAgreesWithCheck changes whole lines of valid inputs. The results keep the strict layout, so
// solver and validator must accept the same ones.
func TestAgreesWithCheck(t *testing.T) {
	check := build(t, "check")
	random := rand.New(rand.NewPCG(3, 4))
	accepted := 0
	for range 150 {
		lines := strings.SplitAfter(strings.TrimSuffix(sampleInput, "\n"), "\n")
		lines[len(lines)-1] += "\n"
		i, j := random.IntN(len(lines)), random.IntN(len(lines))
		switch random.IntN(4) {
		case 0:
			lines = slices.Delete(lines, i, i+1)
		case 1:
			lines = slices.Insert(lines, i, lines[j])
		case 2:
			lines[i], lines[j] = lines[j], lines[i]
		case 3:
			lines = slices.Insert(lines, i, fmt.Sprintf("F %d\n", 1+random.IntN(8)))
		}
		input := strings.Join(lines, "")
		_, err := solve(strings.NewReader(input))
		want := 42
		if err != nil {
			want = 43
		} else {
			accepted++
		}
		if status, message := filter(t, check, []byte(input), "-input"); status != want {
			t.Errorf("check exits with %d (%q), the solver says %v, on\n%s", status, message, err, input)
		}
	}
	if accepted == 0 {
		t.Error("every changed input was malformed, so that no accepted one was compared")
	}
}

// FuzzSolve looks for inputs that make the solver panic, or write both output and a message.
func FuzzSolve(f *testing.F) {
	for _, seed := range []string{
		sampleInput,
		"0\n",
		"2\r\n1 1\r\n1 1\r\n\r\n1 03\r\n1 2\r\nL\r\n F  1\r\nR",
		"1\n2 2\n1 1\nF 1\nU\nF 2\nR\nF 1\nF 3\nD\n",
		"1\n39 39\n39 39\nL\nF 99999999999999999999\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		var stdout, stderr bytes.Buffer
		switch status := run(bytes.NewReader(input), &stdout, &stderr); status {
		case 0:
			if stderr.Len() > 0 {
				t.Errorf("a message without a fault: %s", &stderr)
			}
		case statusMalformed:
			if stdout.Len() > 0 || !strings.HasPrefix(stderr.String(), "line ") {
				t.Errorf("output %q beside the message %q", &stdout, &stderr)
			}
		default:
			t.Errorf("exit status %d", status)
		}
	})
}

// TestLongNumberIsCut makes sure that a message marks a number that it shows only in part.
func TestLongNumberIsCut(t *testing.T) {
	for _, tt := range []struct{ why, number, shown string }{
		{"20 digits are shown", strings.Repeat("9", 20), strings.Repeat("9", 20) + ","},
		{"the 21st digit is not shown", strings.Repeat("9", 21), strings.Repeat("9", 20) + "…,"},
	} {
		_, err := solve(strings.NewReader(tt.number + "\n"))
		if want := "line 1: the number of mazes is " + tt.shown + " not 0 to 1000"; err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", tt.why, err, want)
		}
	}
}
