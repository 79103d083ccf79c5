package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"
)

// picture joins the lines of an expected output.
func picture(lines ...string) string {
	return strings.Join(lines, "\n") + "\n"
}

var square = picture(
	"1",
	"#############",
	"#           #",
	"# +-------+ #",
	"# | 2   2 | #",
	"# |       | #",
	"# | 2   2 | #",
	"# +-------+ #",
	"#           #",
	"#############",
)

func TestDrawings(t *testing.T) {
	for _, test := range []struct{ why, input, want string }{
		{"an input without puzzles is legal", "0 0\n", ""},
		{"a loop with two straight sides has no + on them", "2 2\n2 2\n2 2\n0 0\n", square},
		{"adjacent 3s need not have a line between them", "1 2\n3 3\n0 0\n", picture(
			"1",
			"#############",
			"#           #",
			"# +-------+ #",
			"# | 3   3 | #",
			"# +-------+ #",
			"#           #",
			"#############",
		)},
		{"one column; the line is padded where no loop runs", "3 1\n1\n3\n3\n0 0\n", picture(
			"1",
			"#########",
			"#       #",
			"#       #",
			"#   1   #",
			"# +---+ #",
			"# | 3 | #",
			"# |   | #",
			"# | 3 | #",
			"# +---+ #",
			"#       #",
			"#########",
		)},
		{"a row 0 0 does not end the input, and no empty line stands between puzzles", "3 2\n3 3\n1 1\n0 0\n1 2\n3 3\n0 0\n", picture(
			"1",
			"#############",
			"#           #",
			"# +-------+ #",
			"# | 3   3 | #",
			"# +-------+ #",
			"#   1   1   #",
			"#           #",
			"#   0   0   #",
			"#           #",
			"#           #",
			"#############",
			"2",
			"#############",
			"#           #",
			"# +-------+ #",
			"# | 3   3 | #",
			"# +-------+ #",
			"#           #",
			"#############",
		)},
		{"two separate loops would agree with the numbers as well", "4 4\n3 2 2 3\n1 2 2 1\n2 2 2 2\n3 1 1 3\n0 0\n", picture(
			"1",
			"#####################",
			"#                   #",
			"# +---+       +---+ #",
			"# | 3 | 2   2 | 3 | #",
			"# |   +-------+   | #",
			"# | 1   2   2   1 | #",
			"# |   +-------+   | #",
			"# | 2 | 2   2 | 2 | #",
			"# |   |       |   | #",
			"# | 3 | 1   1 | 3 | #",
			"# +---+       +---+ #",
			"#                   #",
			"#####################",
		)},
		{"CRLF", "2 2\r\n2 2\r\n2 2\r\n0 0\r\n", square},
		{"no final newline", "2 2\n2 2\n2 2\n0 0", square},
		{"a carriage return at the very end", "2 2\n2 2\n2 2\n0 0\r", square},
		{"runs of blanks and tabs, before and after", "  2\t2 \n 2  2\n2 \t 2  \n\t0 0\n", square},
		{"empty and blank lines between lines", "\n2 2\n\n2 2\n  \n2 2\r\n\r\n0 0\n\n \n", square},
		{"leading zeros", "02 002\n02 2\n2 0000000000000000000000000000002\n00 0\n", square},
		{"a line far longer than any buffer", "2 2\n2 2\n2" + strings.Repeat(" ", 1<<20) + "2\n0 0\n", square},
	} {
		var stdout, stderr bytes.Buffer
		if status := run(strings.NewReader(test.input), &stdout, &stderr); status != exitOK || stdout.String() != test.want || stderr.Len() > 0 {
			t.Errorf("%s: status %d, stderr %q, stdout\n%s\nwant\n%s", test.why, status, &stderr, &stdout, test.want)
		}
	}
}

func TestMalformed(t *testing.T) {
	const good = "2 2\n2 2\n2 2\n"
	for _, test := range []struct {
		why, input string
		line       int
		says       string
	}{
		{"empty input", "", 1, "ends before the size"},
		{"blank input", " \r\n\n", 3, "ends before the size"},
		{"end marker missing", good, 4, "ends before the size"},
		{"end marker missing, and the final newline", "2 2\n2 2\n2 2", 4, "ends before the size"},
		{"rows missing", "2 2\n2 2\n", 3, "ends before the row"},
		{"a row is missing, so the end marker is read as a row, and no end marker follows", "2 2\n2 2\n0 0\n", 1, "no solution"},
		{"half a size", "2\n", 1, "size of a puzzle with 1 number, not 2"},
		{"half an end marker", good + "0\n", 4, "with 1 number, not 2"},
		{"three numbers for a size", "2 2 2\n2 2\n2 2\n0 0\n", 1, "more than 2 numbers"},
		{"row too short", "2 2\n2 2\n2\n0 0\n", 3, "with 1 number, not 2"},
		{"row too long", "2 2\n2 2 2\n2 2\n0 0\n", 2, "more than 2 numbers"},
		{"two rows on a line", "2 2\n2 2 2 2\n0 0\n", 2, "more than 2 numbers"},
		{"number 4", "1 2\n3 4\n0 0\n", 2, "4 is more than 3"},
		{"a negative number", "1 2\n3 -1\n0 0\n", 2, `"-1" is not a plain decimal number`},
		{"minus zero", "1 2\n3 -0\n0 0\n", 2, "not a plain decimal number"},
		{"a plus sign", "1 2\n+3 3\n0 0\n", 2, "not a plain decimal number"},
		{"hexadecimal", "1 2\n0x3 3\n0 0\n", 2, `"0x3" is not a plain`},
		{"an exponent", "1 2\n3e0 3\n0 0\n", 2, "not a plain decimal number"},
		{"an underscore", "1 2\n0_3 3\n0 0\n", 2, "not a plain decimal number"},
		{"a letter", "1 2\nx 3\n0 0\n", 2, "not a plain decimal number"},
		{"numbers without blanks", "1 2\n33\n0 0\n", 2, "33 is more than 3"},
		{"a decimal point", "1 2\n3.0 3\n0 0\n", 2, "not a plain decimal number"},
		{"NUL", "1 2\n3 3\x00\n0 0\n", 2, "not a plain decimal number"},
		{"not UTF-8", "1 2\n3 \xff\xfe\n0 0\n", 2, "not a plain decimal number"},
		{"carriage returns alone do not end lines", "1 2\r3 3\r0 0\r", 1, "more than 2 numbers"},
		{"a form feed is not a blank", "1 2\n3\f3\n0 0\n", 2, "not a plain decimal number"},
		{"21 rows", "21 1\n0 0\n", 1, "21 is more than 20"},
		{"21 columns", "1 21\n0 0\n", 1, "21 is more than 20"},
		{"rows beyond every integer type", "99999999999999999999999999 2\n0 0\n", 1, "99999999999999999999... is more than 20"},
		{"no rows", "0 3\n0 0\n", 1, "a puzzle of 0 by 3 cells"},
		{"no columns", "3 0\n0 0\n", 1, "a puzzle of 3 by 0 cells"},
		{"text after the end", good + "0 0\nx\n", 5, "text after the end"},
		{"a puzzle after the end", "0 0\n" + good, 2, "text after the end"},
		{"NUL after the end", "0 0\n\x00", 2, "text after the end"},
		{"a lone carriage return after the end", "0 0\n\r \n", 2, "text after the end"},
		{"all zeros: nothing drawn is no loop", "2 2\n0 0\n0 0\n0 0\n", 1, "puzzle 1 has no solution"},
		{"the only loop in a grid of one cell needs a 4", "1 1\n3\n0 0\n", 1, "puzzle 1 has no solution"},
		{"numbers that contradict each other", good + "1 2\n3 2\n0 0\n", 4, "puzzle 2 has no solution"},
		{"two loops and nothing else", "\n1 5\n3 3 2 3 3\n0 0\n", 2, "puzzle 1 has no solution"},
		{"a loop that touches itself at a vertex", "3 3\n2 3 3\n3 2 1\n3 1 0\n0 0\n", 1, "puzzle 1 has no solution"},
		{"the first fault counts: the second puzzle is broken, too", "2 2\n0 0\n0 0\n1 2\n3 x\n0 0\n", 1, "puzzle 1 has no solution"},
		{"two loops that each would do", "3 3\n2 2 2\n2 0 2\n2 2 2\n0 0\n", 1, "puzzle 1 has several solutions"},
		{"one puzzle too many", strings.Repeat("1 2\n3 3\n", 1001) + "0 0\n", 2001, "too many puzzles"},
		{"too many cells", strings.Repeat(ring(20), 101), 2101, "too many cells"},
	} {
		var stdout, stderr bytes.Buffer
		status := run(strings.NewReader(test.input), &stdout, &stderr)
		place := fmt.Sprintf("line %d: ", test.line)
		message := stderr.String()
		if status != exitMalformed || stdout.Len() > 0 || !strings.HasPrefix(message, place) || !strings.Contains(message, test.says) || strings.Count(message, "\n") != 1 {
			t.Errorf("%s: status %d, stdout %q, stderr %q; want status %d, %s…%s…", test.why, status, &stdout, message, exitMalformed, place, test.says)
		}
	}
}

// ring returns the puzzle of n by n cells whose loop runs along the edge of the grid.
func ring(n int) string {
	text := fmt.Appendf(nil, "%d %d\n", n, n)
	for i := range n {
		for j := range n {
			digit := 0
			for _, k := range []int{i, j} {
				if k == 0 || k == n-1 {
					digit++
				}
			}
			text = append(text, byte('0'+digit), ' ')
		}
		text = append(text, '\n')
	}
	return string(text)
}

func TestBounds(t *testing.T) {
	for _, test := range []struct {
		why, input string
		puzzles    int
	}{
		{"as many puzzles as allowed", strings.Repeat("1 2\n3 3\n", 1000) + "0 0\n", 1000},
		{"as many cells as allowed", strings.Repeat(ring(20), 100) + "0 0\n", 100},
		{"small grids after a large one, whose colours must not remain", ring(20) + ring(2) + ring(3) + "0 0\n", 3},
	} {
		answer, err := solve(strings.NewReader(test.input))
		if last := fmt.Sprintf("\n%d\n##", test.puzzles); err != nil || !strings.Contains(string(answer), last) {
			t.Errorf("%s: %v, and the answer lacks %q", test.why, err, last)
		}
	}
}

// TestLayouts solves the same puzzles in other layouts, read in pieces of different sizes.
func TestLayouts(t *testing.T) {
	plain, err := os.ReadFile("testdata/climbed.in")
	if err != nil {
		t.Fatal(err)
	}
	want, err := solve(bytes.NewReader(plain))
	if err != nil || len(want) == 0 {
		t.Fatalf("%q, %v", want, err)
	}
	for _, test := range []struct {
		why      string
		old, new string
		pieces   func(io.Reader) io.Reader
	}{
		{"plain, byte by byte", "", "", iotest.OneByteReader},
		{"plain, and the end comes with the last bytes", "", "", iotest.DataErrReader},
		{"CRLF", "\n", "\r\n", nil},
		{"CRLF, byte by byte", "\n", "\r\n", iotest.OneByteReader},
		{"two blanks", " ", "  ", iotest.HalfReader},
		{"tabs", " ", "\t", nil},
		{"trailing blanks", "\n", " \n", iotest.HalfReader},
		{"leading blanks", "\n", "\n ", nil},
		{"empty lines", "\n", "\n\n", nil},
		{"leading zeros", " ", " 0", nil},
	} {
		text := plain
		if test.old != "" {
			text = bytes.ReplaceAll(plain, []byte(test.old), []byte(test.new))
		}
		var input io.Reader = bytes.NewReader(text)
		if test.pieces != nil {
			input = test.pieces(input)
		}
		if got, err := solve(input); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %v, or another answer", test.why, err)
		}
	}
}

func TestBrokenPipes(t *testing.T) {
	broken := errors.New("broken")
	var stdout, stderr bytes.Buffer
	for _, prefix := range []string{"", "2", "2 2\n", "0 0\n"} {
		input := io.MultiReader(strings.NewReader(prefix), iotest.ErrReader(broken))
		if status := run(input, &stdout, &stderr); status != exitIO || stdout.Len() > 0 {
			t.Errorf("reading fails after %q: status %d, want %d", prefix, status, exitIO)
		}
	}
	read, write := io.Pipe()
	read.Close()
	if status := run(strings.NewReader("1 2\n3 3\n0 0\n"), write, &stderr); status != exitIO {
		t.Errorf("writing fails: status %d, want %d", status, exitIO)
	}
}

func FuzzSolve(f *testing.F) {
	for _, seed := range []string{"0 0\n", "1 2\n3 3\n0 0\n", "2 2\r\n2 2\r\n\r\n2 2\r\n0 0", "3 5\n3 3 3 2 3\n1 2 1 3 2\n3 3 2 2 2\n0 0\n", ring(3) + "0 0\n", "007 +1\n", "1 1\n0\n\x00"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		var stdout, stderr bytes.Buffer
		switch status := run(bytes.NewReader(input), &stdout, &stderr); {
		case status == exitOK && stderr.Len() == 0:
		case status == exitMalformed && stdout.Len() == 0 && bytes.HasPrefix(stderr.Bytes(), []byte("line ")):
		default:
			t.Errorf("status %d, stdout %q, stderr %q", status, &stdout, &stderr)
		}
	})
}
