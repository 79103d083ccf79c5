package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
)

const statement = `DICEMAZE1
3 3 1 2 5 1
-1 2 4
5 5 6
6 -1 -1
DICEMAZE2
4 7 2 6 3 6
6 4 6 0 2 6 4
1 2 -1 5 3 6 1
5 3 4 5 6 4 2
4 1 2 0 3 -1 6
DICEMAZE3
3 3 1 1 2 4
2 2 3
4 5 6
-1 -1 -1
END
`

const statementAnswer = `DICEMAZE1
  (1,2),(2,2),(2,3),(3,3),(3,2),(3,1),(2,1),(1,1),(1,2)
DICEMAZE2
  (2,6),(2,5),(2,4),(2,3),(2,2),(3,2),(4,2),(4,1),(3,1),
  (2,1),(2,2),(2,3),(2,4),(2,5),(1,5),(1,6),(1,7),(2,7),
  (3,7),(4,7),(4,6),(3,6),(2,6)
DICEMAZE3
  No Solution Possible
`

// outcome returns the exit status, the output and the messages of run.
func outcome(in string) (status int, out, errs string) {
	var stdout, stderr bytes.Buffer
	status = run(strings.NewReader(in), &stdout, &stderr)
	return status, stdout.String(), stderr.String()
}

func TestSolve(t *testing.T) {
	const none = "  No Solution Possible\n"
	for _, c := range []struct{ why, in, want string }{
		{"the statement's mazes", statement, statementAnswer},
		{"no maze, no output", "END\n", ""},
		{"a single square has no neighbour", "A\n1 1 1 1 1 2\n-1\nEND\n", "A\n" + none},
		{"turning back at once, in the orientation of the beginning", "A\n1 2 1 1 1 2\n-1 -1\nEND\n", "A\n  (1,1),(1,2),(1,1)\n"},
		{"the start's number does not matter for leaving it", "A\n1 2 1 1 1 2\n4 1\nEND\n", "A\n  (1,1),(1,2),(1,1)\n"},
		{"the start's number matters for coming back", "A\n1 2 1 1 1 2\n1 1\nEND\n", "A\n" + none},
		{"an empty start is never entered again", "A\n1 2 1 1 1 2\n0 -1\nEND\n", "A\n" + none},
		{"an empty square is not wild", "A\n1 2 1 1 1 2\n-1 0\nEND\n", "A\n" + none},
		{"the top counts before the roll", "A\n2 2 1 2 3 6\n5 5\n-1 -1\nEND\n", "A\n" + none},
		{"home in another orientation", "A\n2 2 2 2 5 4\n1 -1\n-1 5\nEND\n", "A\n  (2,2),(2,1),(1,1),(1,2),(2,2)\n"},
		{"home in the same orientation after a ring", "A\n3 3 2 3 3 5\n-1 2 1\n5 2 5\n-1 -1 -1\nEND\n",
			"A\n  (2,3),(3,3),(3,2),(3,1),(2,1),(1,1),(1,2),(1,3),(2,3)\n"},
		{"a square visited twice with the same top", "A\n4 3 1 3 2 1\n-1 -1 5\n5 -1 2\n2 3 -1\n1 1 4\nEND\n",
			"A\n  (1,3),(1,2),(1,1),(2,1),(2,2),(1,2),(1,3)\n"},
		{"nineteen positions: one on the last line", "A\n4 4 2 2 5 1\n5 1 1 3\n3 2 2 1\n5 -1 -1 -1\n-1 4 -1 1\nEND\n",
			"A\n  (2,2),(3,2),(3,3),(3,4),(4,4),(4,3),(3,3),(3,2),(3,1),\n" +
				"  (4,1),(4,2),(3,2),(3,3),(3,4),(4,4),(4,3),(3,3),(3,2),\n  (2,2)\n"},
		{"only the whole word ends the input", "ENDGAME\n1 1 1 1 1 2\n1\nend\n1 1 1 1 1 2\n1\nEND\n", "ENDGAME\n" + none + "end\n" + none},
		{"names are copied byte by byte", "%d%s\\\"\n1 1 1 1 1 2\n1\nEND\n", "%d%s\\\"\n" + none},
		{"a name of twenty characters", "ABCDEFGHIJKLMNOPQRST\n1 1 1 1 1 2\n1\nEND\n", "ABCDEFGHIJKLMNOPQRST\n" + none},
		{"outside the domain: up goes before down", "A\n3 1 2 1 1 2\n-1\n-1\n-1\nEND\n", "A\n  (2,1),(1,1),(2,1)\n"},
		{"outside the domain: left goes before right", "A\n1 3 1 2 1 2\n-1 -1 -1\nEND\n", "A\n  (1,2),(1,1),(1,2)\n"},
		{"outside the domain: down goes before left", "A\n2 2 1 2 1 2\n-1 -1\n-1 -1\nEND\n", "A\n  (1,2),(2,2),(1,2)\n"},
	} {
		if status, out, errs := outcome(c.in); status != 0 || out != c.want || errs != "" {
			t.Errorf("%s:\n%s\nstatus %d, stderr %q, got\n%s\nwant\n%s", c.why, c.in, status, errs, out, c.want)
		}
	}
}

func TestLayoutIsFree(t *testing.T) {
	for _, c := range []struct{ why, in string }{
		{"CRLF", strings.ReplaceAll(statement, "\n", "\r\n")},
		{"no final newline", strings.TrimSuffix(statement, "\n")},
		{"CR at the very end", strings.TrimSuffix(statement, "\n") + "\r"},
		{"runs of blanks and tabs", strings.ReplaceAll(statement, " ", " \t  ")},
		{"blanks round every line", " \t" + strings.ReplaceAll(statement, "\n", "  \t\n\t") + " "},
		{"empty lines everywhere", "\n\n" + strings.ReplaceAll(statement, "\n", "\n \r\n\n")},
		{"leading zeros", strings.ReplaceAll(strings.ReplaceAll(statement, " 3", " 0003"), "-1", "-00000000000000000000001")},
		{"minus zero", strings.ReplaceAll(statement, " 0", " -0")},
	} {
		if status, out, errs := outcome(c.in); status != 0 || out != statementAnswer {
			t.Errorf("%s: status %d, stderr %q, got\n%s", c.why, status, errs, out)
		}
	}
}

func TestMalformed(t *testing.T) {
	const good = "A\n1 2 1 1 1 2\n-1 -1\n"
	for _, c := range []struct {
		why, in string
		line    int
	}{
		{"nothing at all", "", 1},
		{"empty lines only", "\n\n", 3},
		{"no END", good, 4},
		{"ends after a name", "A\n", 2},
		{"ends after a header", "A\n1 1 1 1 1 2", 3},
		{"ends inside a maze", "A\n2 1 1 1 1 2\n1\n", 4},
		{"END inside a maze", "A\n2 1 1 1 1 2\n1\nEND\n", 4},
		{"text after END", good + "END\nB\n", 5},
		{"text on the line of END", good + "END END\n", 4},
		{"a name of two words", "A B\n1 1 1 1 1 2\n1\nEND\n", 1},
		{"a name of 21 characters", "ABCDEFGHIJKLMNOPQRSTU\n1 1 1 1 1 2\n1\nEND\n", 1},
		{"a name with a control character", "A\x01\n1 1 1 1 1 2\n1\nEND\n", 1},
		{"a name with a NUL", "A\x00\n1 1 1 1 1 2\n1\nEND\n", 1},
		{"a name that is not UTF-8", "\xff\xfe\n1 1 1 1 1 2\n1\nEND\n", 1},
		{"a name beyond ASCII", "Ä\n1 1 1 1 1 2\n1\nEND\n", 1},
		{"CR inside a line", "A\rB\n1 1 1 1 1 2\n1\nEND\n", 1},
		{"five numbers in the header", "A\n1 1 1 1 1\n1\nEND\n", 2},
		{"seven numbers in the header", "A\n1 1 1 1 1 2 3\n1\nEND\n", 2},
		{"no rows", "A\n0 1 1 1 1 2\n1\nEND\n", 2},
		{"eleven rows", "A\n11 1 1 1 1 2\n1\nEND\n", 2},
		{"eleven columns", "A\n1 11 1 1 1 2\n1\nEND\n", 2},
		{"a huge number of rows", "A\n1000000000000000000 1 1 1 1 2\n1\nEND\n", 2},
		{"a number beyond 64 bits", "A\n1 99999999999999999999 1 1 1 2\n1\nEND\n", 2},
		{"start row 0", "A\n1 1 0 1 1 2\n1\nEND\n", 2},
		{"start row below the maze", "A\n1 2 2 1 1 2\n1 1\nEND\n", 2},
		{"start column right of the maze", "A\n2 1 1 2 1 2\n1\n1\nEND\n", 2},
		{"top 0", "A\n1 1 1 1 0 2\n1\nEND\n", 2},
		{"front 7", "A\n1 1 1 1 1 7\n1\nEND\n", 2},
		{"top equals front", "A\n1 1 1 1 3 3\n1\nEND\n", 2},
		{"top opposite front", "A\n1 1 1 1 3 4\n1\nEND\n", 2},
		{"a row too short", "A\n1 2 1 1 1 2\n1\nEND\n", 3},
		{"a row too long", "A\n1 2 1 1 1 2\n1 1 1\nEND\n", 3},
		{"a square of 7", "A\n2 2 1 1 1 2\n1 1\n1 7\nEND\n", 4},
		{"a square of -2", "A\n1 2 1 1 1 2\n1 -2\nEND\n", 3},
		{"a plus sign", "A\n1 2 1 1 1 2\n1 +5\nEND\n", 3},
		{"a hexadecimal number", "A\n1 2 1 1 1 2\n1 0x5\nEND\n", 3},
		{"an underscore", "A\n1 2 1 1 1 2\n1 0_5\nEND\n", 3},
		{"an exponent", "A\n1 2 1 1 1 2\n1 5e0\nEND\n", 3},
		{"a fraction", "A\n1 2 1 1 1 2\n1 5.0\nEND\n", 3},
		{"a lone minus", "A\n1 2 1 1 1 2\n1 -\nEND\n", 3},
		{"an Arabic digit", "A\n1 2 1 1 1 2\n1 \u0665\nEND\n", 3},
		{"a no-break space is not a blank", "A\n1 2 1 1 1 2\n1\u00a05\nEND\n", 3},
		{"a very long line", "A\n1 2 1 1 1 2\n" + strings.Repeat("1", 1<<20) + "\nEND\n", 3},
		{"a line of very many fields", "A\n1 2 1 1 1 2\n" + strings.Repeat("1 ", 1<<18) + "\nEND\n", 3},
		{"empty lines and CRLF count", "\n\r\nA\r\n\n1 2 1 1 1 2\n\n\n1 9\nEND\n", 8},
		{"maze 1,001", strings.Repeat("A\n1 1 1 1 1 2\n1\n", 1001) + "END\n", 3001},
	} {
		status, out, errs := outcome(c.in)
		want := fmt.Sprintf("line %d: ", c.line)
		if status != 3 || out != "" || !strings.HasPrefix(errs, want) || strings.Count(errs, "\n") != 1 || len(errs) > 300 {
			t.Errorf("%s: status %d, stdout %q, stderr %q; want 3, nothing and %q", c.why, status, out, errs, want)
		}
	}
}

func TestReadErrorIsNoVerdictOnTheInput(t *testing.T) {
	in := io.MultiReader(strings.NewReader("A\n"), brokenReader{})
	var out, errs bytes.Buffer
	if status := run(in, &out, &errs); status != 1 || out.Len() > 0 {
		t.Errorf("status %d, stdout %q, stderr %q; want 1 and nothing", status, &out, &errs)
	}
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, fmt.Errorf("cable cut") }

func FuzzSolve(f *testing.F) {
	for _, seed := range []string{
		statement, "END", "", "A\n1 2 1 1 1 2\n-1 -1\nEND\n", "A\r\n1 1 1 1 1 2\r\n\r\n3\r\nEND\r\n",
		"A\n10 10 99999999999999999999 1 1 2\n", "\x00\n", "A\n1 1 1 1 1 6\n1\nEND\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		status, out, errs := outcome(in)
		switch status {
		case 0:
			if errs != "" || out != "" && !strings.HasSuffix(out, "\n") {
				t.Errorf("stdout %q, stderr %q", out, errs)
			}
		case 3:
			if out != "" || !strings.HasPrefix(errs, "line ") || strings.Count(errs, "\n") != 1 {
				t.Errorf("stdout %q, stderr %q", out, errs)
			}
		default:
			t.Errorf("status %d, stderr %q", status, errs)
		}
	})
}
