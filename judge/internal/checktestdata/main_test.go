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
		says       string
	}{
		{"as described", "1\n", []string{one}, exitAccepts, ""},
		{"whatever the arguments", "1\n", []string{one, "x", "-y"}, exitAccepts, ""},
		{"not as described", "2\n", []string{one}, exitRefuses, "line 1, column 1: INT(1,1) of one.ctd:1: 2 is greater than 1\n"},
		{"a program that cannot be read", "1\n", []string{broken}, exitFails, "broken.ctd:1:7: expected an expression, found end of file\n"},
		{"one that cannot go on", "1\n", []string{unset}, exitFails, "unset.ctd:1:7: n has no value, at 1:1 of the input\n"},
		{"only read", "2\n", []string{Only, one}, 0, ""},
		{"only read, in vain", "", []string{Only, broken}, exitFails, "broken.ctd:1:7: expected an expression, found end of file\n"},
		{"no program", "", []string{filepath.Join(dir, "none.ctd")}, exitFails, "open " + filepath.Join(dir, "none.ctd") + ": no such file or directory\n"},
	} {
		var stderr strings.Builder
		if got := interpret(c.args, strings.NewReader(c.input), &stderr); got != c.want || stderr.String() != c.says {
			t.Errorf("%s: status %d, want %d; says %q, want %q", c.why, got, c.want, stderr.String(), c.says)
		}
	}
}
