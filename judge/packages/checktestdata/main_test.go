package checktestdata

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestInterpret runs the interpreter as a process would.
func TestInterpret(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	one, broken, unset := write("one.ctd", "INT(1,1) NEWLINE"), write("broken.ctd", "INT(1,"), write("unset.ctd", "INT(1,n)")
	for _, c := range []struct {
		why, input string
		args       []string
		want       int
		stderr     string
	}{
		{"a valid input", "1\n", []string{one}, exitAccepts, ""},
		{"other arguments", "1\n", []string{one, "x", "-y"}, exitAccepts, ""},
		{"an invalid input", "2\n", []string{one}, exitRejects, "line 1, column 1: INT(1,1) of one.ctd:1: 2 is greater than 1\n"},
		{"a program that cannot be parsed", "1\n", []string{broken}, exitFails, "broken.ctd:1:7: expected an expression, found end of file\n"},
		{"a program that cannot continue", "1\n", []string{unset}, exitFails, "unset.ctd:1:7: n has no value, at 1:1 of the input\n"},
		{"parse only", "2\n", []string{"-only-read", one}, 0, ""},
		{"parse only, with a mistake", "", []string{"-only-read", broken}, exitFails, "broken.ctd:1:7: expected an expression, found end of file\n"},
		{"a missing program", "", []string{filepath.Join(dir, "none.ctd")}, exitFails, "open " + filepath.Join(dir, "none.ctd") + ": no such file or directory\n"},
	} {
		var stderr strings.Builder
		if got := interpret(c.args, "-only-read", strings.NewReader(c.input), &stderr); got != c.want || stderr.String() != c.stderr {
			t.Errorf("%s: status %d, want %d; standard error %q, want %q", c.why, got, c.want, stderr.String(), c.stderr)
		}
	}
}
