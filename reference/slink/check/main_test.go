package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestCheck(t *testing.T) {
	const good = "2 2\n2 2\n2 2\n"
	for _, test := range []struct{ why, input, fault string }{
		{"no puzzles", "0 0\n", ""},
		{"one puzzle", good + "0 0\n", ""},
		{"smallest sizes", "1 2\n3 3\n2 1\n3\n3\n0 0\n", ""},
		{"a row of zeros is not the end", "3 2\n3 3\n1 1\n0 0\n0 0\n", ""},
		{"another colouring that is two loops does no harm", "4 4\n3 2 2 3\n1 2 2 1\n2 2 2 2\n3 1 1 3\n0 0\n", ""},
		{"as many puzzles as allowed", strings.Repeat("1 2\n3 3\n", maxPuzzles) + "0 0\n", ""},
		{"as many cells as allowed", strings.Repeat(ring(20), 100) + "0 0\n", ""},

		{"empty", "", "line 1, column 1: expected the number of rows, found the end of the input"},
		{"blank before", " 0 0\n", `line 1, column 1: expected the number of rows, found " "`},
		{"empty line before", "\n0 0\n", `line 1, column 1: expected the number of rows, found "\n"`},
		{"two spaces", "0  0\n", `line 1, column 3: expected the number of columns, found " "`},
		{"tab", "0\t0\n", `line 1, column 2: expected one space and the number of columns, found "\t"`},
		{"trailing blank after a size", "0 0 \n", `line 1, column 4: expected the end of the line after the size, found " "`},
		{"CRLF", "0 0\r\n", `line 1, column 4: expected the end of the line after the size, found "\r"`},
		{"no final newline", "0 0", "line 1, column 4: expected the end of the line after the size, found the end of the input"},
		{"empty line after", "0 0\n\n", `line 2, column 1: expected the end of the input, found "\n"`},
		{"text after", "0 0\n0 0\n", `line 2, column 1: expected the end of the input, found "0"`},
		{"leading zero", "02 2\n", "line 1, column 1: the number of rows has a leading zero"},
		{"two zeros", "00 0\n", "line 1, column 1: the number of rows has a leading zero"},
		{"plus sign", "+2 2\n", `line 1, column 1: expected the number of rows, found "+"`},
		{"minus sign", "2 -2\n", `line 1, column 3: expected the number of columns, found "-"`},
		{"too many rows", "21 1\n", "line 1, column 1: the number of rows is more than 20"},
		{"an absurd size", "1 99999999999999999999999\n", "line 1, column 3: the number of columns is more than 20"},
		{"no rows", "0 2\n", "line 1, column 1: only the last line, 0 0, has a zero for a size"},
		{"no columns", "2 0\n", "line 1, column 1: only the last line, 0 0, has a zero for a size"},
		{"number 4", "1 2\n3 4\n0 0\n", "line 2, column 3: number 2 of 2 is more than 3"},
		{"leading zero in a row", "1 2\n3 03\n0 0\n", "line 2, column 3: number 2 of 2 has a leading zero"},
		{"trailing blank in a row", "1 2\n3 3 \n0 0\n", `line 2, column 4: expected the end of the line after number 2, found " "`},
		{"row too short", "1 2\n3\n0 0\n", `line 2, column 2: expected one space and number 2 of 2, found "\n"`},
		{"row too long", "1 2\n3 3 1\n0 0\n", `line 2, column 4: expected the end of the line after number 2, found " "`},
		{"empty line between", good + "\n0 0\n", `line 4, column 1: expected the number of rows, found "\n"`},
		{"end marker missing", good, "line 4, column 1: expected the number of rows, found the end of the input"},
		{"rows missing", "2 2\n2 2\n", "line 3, column 1: expected number 1 of 2, found the end of the input"},
		{"NUL", "1 2\n3 \x00\n0 0\n", `line 2, column 3: expected number 2 of 2, found "\x00"`},
		{"not UTF-8", "1 2\n3 \xff\n0 0\n", `line 2, column 3: expected number 2 of 2, found "\xff"`},
		{"nothing drawn is no loop", good + "1 1\n0\n0 0\n", "line 4, column 1: puzzle 2 has no solution"},
		{"two loops only", "1 5\n3 3 2 3 3\n0 0\n", "line 1, column 1: puzzle 1 has no solution"},
		{"a loop that touches itself only", "3 3\n2 3 3\n3 2 1\n3 1 0\n0 0\n", "line 1, column 1: puzzle 1 has no solution"},
		{"a hole", "3 3\n2 2 2\n2 0 2\n2 2 2\n0 0\n", "line 1, column 1: puzzle 1 has several solutions"},
		{"one puzzle too many", strings.Repeat("1 2\n3 3\n", maxPuzzles+1) + "0 0\n", "line 2001, column 1: more than 1000 puzzles"},
		{"one cell too many", strings.Repeat(ring(20), 100) + "1 2\n3 3\n0 0\n", "line 2101, column 3: more than 40000 cells in all puzzles together"},
		{"longer than any valid input", strings.Repeat("1 2\n3 3\n", 1<<16), "line 2001, column 1: more than 1000 puzzles"},
	} {
		var stderr bytes.Buffer
		status := run([]string{"-input"}, strings.NewReader(test.input), io.Discard, &stderr)
		want, message := exitValid, ""
		if test.fault != "" {
			want, message = exitInvalid, test.fault+"\n"
		}
		if status != want || stderr.String() != message {
			t.Errorf("%s: status %d, %q; want %d, %q", test.why, status, &stderr, want, message)
		}
	}
}

// TestExtents checks the ranges that -input prints for judge verify.
func TestExtents(t *testing.T) {
	for _, test := range []struct{ why, input, want string }{
		{"cells of all puzzles together", "1 2\n3 3\n2 2\n2 2\n2 2\n0 0\n", "r 1 2\nc 2 2\nnumber 2 3\npuzzles 2 2\ncells 6 6\n"},
		{"no puzzles: only their number and cells are printed", "0 0\n", "puzzles 0 0\ncells 0 0\n"},
		{"an invalid input: nothing is printed", "1 1\n0\n0 0\n", ""},
	} {
		var stdout, stderr bytes.Buffer
		status := run([]string{"-input"}, strings.NewReader(test.input), &stdout, &stderr)
		if (status == exitValid) != (test.want != "") || stdout.String() != test.want {
			t.Errorf("%s: status %d, %q%s, want %q", test.why, status, &stdout, &stderr, test.want)
		}
	}
}

// ring returns the puzzle of n by n cells whose loop runs along the edge of the grid.
func ring(n int) string {
	text := fmt.Sprintf("%d %d\n", n, n)
	for i := range n {
		for j := range n {
			digit := 0
			for _, k := range []int{i, j} {
				if k == 0 || k == n-1 {
					digit++
				}
			}
			end := " "
			if j == n-1 {
				end = "\n"
			}
			text += fmt.Sprint(digit) + end
		}
	}
	return text
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{nil, {"input"}, {"-input", "x"}, {"-output"}, {"--input=x"}} {
		var stderr bytes.Buffer
		if status := run(args, strings.NewReader("0 0\n"), io.Discard, &stderr); status != exitUsage || stderr.Len() == 0 {
			t.Errorf("%q: status %d, %q", args, status, &stderr)
		}
	}
	var stderr bytes.Buffer
	if status := run([]string{"-input"}, iotest.ErrReader(fmt.Errorf("broken")), io.Discard, &stderr); status != exitIO {
		t.Errorf("broken input: status %d", status)
	}
}

func FuzzCheck(f *testing.F) {
	f.Add([]byte("0 0\n"))
	f.Add([]byte("2 2\n2 2\n2 2\n0 0\n"))
	f.Fuzz(func(t *testing.T, input []byte) {
		var stderr bytes.Buffer
		status := run([]string{"-input"}, bytes.NewReader(input), io.Discard, &stderr)
		valid := status == exitValid && stderr.Len() == 0
		invalid := status == exitInvalid && bytes.Count(stderr.Bytes(), []byte("\n")) == 1
		if !valid && !invalid {
			t.Errorf("status %d, %q", status, &stderr)
		}
	})
}
