package main

import (
	"fmt"
	"strings"
	"testing"
)

func TestMalformed(t *testing.T) {
	const good = "2 1 1\n0 1\n0 0\n0 0 1 0\n"
	for _, test := range []struct {
		why   string
		input string
		line  int
	}{
		{"nothing at all", "", 1},
		{"no end marker", good, 5},
		{"no end marker and no newline", strings.TrimSuffix(good, "\n"), 4},
		{"cut short in a board", "2 1 1\n0 1\n\n", 4},
		{"cut short in a line", "2 1", 1},
		{"cut short before a wall", "2 1 1\n0 1\n0 0\n", 4},
		{"text after the end", good + "0 0 0\n\n1\n", 7},
		{"text after the end on its line", good + "0 0 0 0\n", 5},
		{"NUL after the end", good + "0 0 0\n\x00", 6},
		{"N too small", "1 1 0\n0 0\n0 0\n0 0 0\n", 1},
		{"N too large", "41 1 0\n0 0\n0 1\n0 0 0\n", 1},
		{"N is 0, but W is not", "0 0 1\n", 1},
		{"M zero", "2 0 0\n0 0 0\n", 1},
		{"M more than the squares", "2 5 0\n0 0 0\n", 1},
		{"a count beyond any integer", "2 1 1000000000000000000000\n0 0 0\n", 1},
		{"M beyond any memory", "40 1000000000000000000 0\n0 0 0\n", 1},
		{"more walls than all edges twice", "2 1 9\n0 0\n0 1\n0 0 0\n", 1},
		{"a row outside", "2 1 0\n2 0\n0 0\n0 0 0\n", 2},
		{"a column outside", "2 1 0\n1 0\n0 2\n0 0 0\n", 3},
		{"two marbles on one square", "2 2 0\n0 0\n0 0\n0 1\n1 0\n0 0 0\n", 3},
		{"two holes on one square", "2 2 0\n0 0\n0 1\n1 1\n1 1\n0 0 0\n", 5},
		{"a wall on the border", "2 1 1\n0 1\n0 0\n0 1 0 2\n0 0 0\n", 4},
		{"a wall across a corner", "2 1 1\n0 1\n0 0\n0 1 1 0\n0 0 0\n", 4},
		{"a wall inside a square", "2 1 1\n0 1\n0 0\n0 1 0 1\n0 0 0\n", 4},
		{"a wall between far squares", "3 1 1\n0 1\n0 0\n0 0 0 2\n0 0 0\n", 4},
		{"a line too short", "2 1 0\n0\n0 0\n0 0 0\n", 2},
		{"a line too long", "2 1 0\n0 1 0\n0 0\n0 0 0\n", 2},
		{"a negative number", "2 1 0\n0 -1\n0 0\n0 0 0\n", 2},
		{"a plus sign", "2 1 0\n0 +1\n0 0\n0 0 0\n", 2},
		{"hexadecimal", "2 1 0\n0 0x1\n0 0\n0 0 0\n", 2},
		{"an exponent", "2 1 0\n0 1e0\n0 0\n0 0 0\n", 2},
		{"a fraction", "2 1 0\n0 1.0\n0 0\n0 0 0\n", 2},
		{"a NUL", "2 1 0\n0 \x00\n0 0\n0 0 0\n", 2},
		{"not UTF-8", "2 1 0\n0 \xff\n0 0\n0 0 0\n", 2},
		{"a lone carriage return", "2 1 0\r0 1\n0 0\n0 0 0\n", 1},
		{"a form feed", "2 1 0\n0\f1\n0 0\n0 0 0\n", 2},
		{"a very long word", "2 1 0\n0 " + strings.Repeat("z", 1<<20) + "\n", 2},
		{"too many boards", strings.Repeat(good, maxBoards+1) + "0 0 0\n", 4*maxBoards + 1},
	} {
		status, out, bad := solveText(t, test.input)
		head := fmt.Sprintf("line %d: ", test.line)
		if status != 3 || out != "" || !strings.HasPrefix(bad, head) || strings.Count(bad, "\n") != 1 || len(bad) > 200 {
			t.Errorf("%s: got %d %q %q, want 3 and %q…", test.why, status, out, bad, head)
		}
	}
}
