package main

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

const valid = "WWWW\nWBBW\nWBWW\nWWWW\n101\n010\n101\n"

func TestValidate(t *testing.T) {
	for _, test := range []struct {
		why, input string
		fault      string // prefix of the message; empty for a valid input
	}{
		{"the sample", valid, ""},
		{"one colour and no move", "BBBB\nBBBB\nBBBB\nBBBB\n000\n000\n000\n", ""},
		{"empty", "", "line 1, column 1: the input ends, want W or B"},
		{"cut within the board", "WWWW\nWB", "line 2, column 3: the input ends, want W or B"},
		{"cut before the pattern", "WWWW\nWBBW\nWBWW\nWWWW\n", "line 5, column 1: the input ends, want 0 or 1"},
		{"no final newline", strings.TrimSuffix(valid, "\n"), "line 7, column 4: the input ends, want the end of the line"},
		{"an empty line at the end", valid + "\n", `line 8, column 1: got "\n", want the end of the input`},
		{"a second game", valid + valid, `line 8, column 1: got "W"`},
		{"an empty line in between", strings.Replace(valid, "\n1", "\n\n1", 1), `line 5, column 1: got "\n", want 0 or 1`},
		{"an empty line in front", "\n" + valid, `line 1, column 1: got "\n", want W or B`},
		{"CRLF", strings.ReplaceAll(valid, "\n", "\r\n"), `line 1, column 5: got "\r", want the end of the line`},
		{"a blank at the end of a row", strings.Replace(valid, "\n", " \n", 1), `line 1, column 5: got " "`},
		{"a blank in front of a row", strings.Replace(valid, "\nWB", "\n WB", 1), `line 2, column 1: got " "`},
		{"a short row", strings.Replace(valid, "WBBW", "WBB", 1), `line 2, column 4: got "\n", want W or B`},
		{"a long row", strings.Replace(valid, "WBBW", "WBBWW", 1), `line 2, column 5: got "W", want the end of the line`},
		{"a small letter", strings.Replace(valid, "WBBW", "WbBW", 1), `line 2, column 2: got "b", want W or B`},
		{"a digit in the board", "0" + valid[1:], `line 1, column 1: got "0", want W or B`},
		{"a letter in the pattern", strings.Replace(valid, "010", "01B", 1), `line 6, column 3: got "B", want 0 or 1`},
		{"a digit that is too large", strings.Replace(valid, "010", "012", 1), `line 6, column 3: got "2", want 0 or 1`},
		{"a tab", strings.Replace(valid, "010", "0\t0", 1), `line 6, column 2: got "\t"`},
		{"a NUL byte", strings.Replace(valid, "WBWW", "WB\x00W", 1), `line 3, column 3: got "\x00"`},
		{"not UTF-8", strings.Replace(valid, "WBWW", "WB\xffW", 1), `line 3, column 3: got "\xff"`},
	} {
		var stderr bytes.Buffer
		status := run([]string{"-input"}, strings.NewReader(test.input), io.Discard, &stderr)
		want := exitInvalid
		if test.fault == "" {
			want = exitValid
		}
		if status != want || !strings.HasPrefix(stderr.String(), test.fault) || test.fault == "" && stderr.Len() > 0 {
			t.Errorf("%s: status %d, message %q, want %d, %q", test.why, status, stderr.String(), want, test.fault)
		}
	}
}

// TestExtents checks the ranges that -input prints for judge verify.
func TestExtents(t *testing.T) {
	for _, test := range []struct{ why, input, want string }{
		{"the sample", valid, "board 4 4\npattern 3 3\n"},
		{"an invalid input: nothing is printed", valid + valid, ""},
	} {
		var stdout, stderr bytes.Buffer
		status := run([]string{"-input"}, strings.NewReader(test.input), &stdout, &stderr)
		if (status == exitValid) != (test.want != "") || stdout.String() != test.want {
			t.Errorf("%s: status %d, %q%s, want %q", test.why, status, &stdout, &stderr, test.want)
		}
	}
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{nil, {"input"}, {"-output"}, {"-input", "-input"}, {"input", "answer", "feedback"}} {
		var stderr bytes.Buffer
		if status := run(args, strings.NewReader(valid), io.Discard, &stderr); status != exitUsage || !strings.HasPrefix(stderr.String(), "usage: ") {
			t.Errorf("check %q: status %d, message %q", args, status, stderr.String())
		}
	}
}
