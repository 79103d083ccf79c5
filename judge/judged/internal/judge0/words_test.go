package judge0

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

var lines = []string{
	"", " ", "a  b\t c", `a\ b \'c \"d`, `'a b'"c d"e ''`, `"a\b" "a\\b" "a\"b"`, `'a\b'`, `a\`, `"a`, `'a`, "a\nb", "'a\nb'", "\"a\\\nb\" c\\\nd",
	"a#b", "#a", "a #b", "(a)", "'(a)'", "é \u00a0x", `x="a b"`, "--a=b -- -", `\\`, `"\ "`,
}

// TestWords splits lines as a real shell does.
func TestWords(t *testing.T) {
	t.Parallel()
	shell, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("not checked: words as a shell splits them (no bash)")
	}
	for _, line := range lines {
		got, err := words(line)
		// -f leaves patterns of files alone, and +B braces. The line must be all that there is to read.
		out, failed := exec.CommandContext(t.Context(), shell, "-f", "+B", "-c", "set -- "+line+"\n[ $# = 0 ] || printf '%s\\0' \"$@\"").Output()
		if err != nil {
			if strings.ContainsAny(line, "\n#(") || failed != nil || strings.HasSuffix(line, `\`) {
				continue
			}
			t.Errorf("%q: %v, and the shell has %q", line, err, out)
			continue
		}
		want := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
		if len(out) == 0 {
			want = nil
		}
		if !slices.Equal(got, want) || failed != nil {
			t.Errorf("%q: %q, want %q (%v)", line, got, want, failed)
		}
	}
	if got, err := words("a;b $(c) | `d` > e & <f"); err == nil || got != nil {
		t.Errorf("a parenthesis: %q, %v", got, err)
	}
	if got, _ := words("a;b | `d` > e & <f $g"); !slices.Equal(got, []string{"ab", "d", "e", "f", "g"}) {
		t.Errorf("what Judge0 drops: %q", got)
	}
}

func FuzzWords(f *testing.F) {
	for _, line := range lines {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		list, err := words(line)
		if err != nil {
			return
		}
		if again, err := words(joined(list)); err != nil || !slices.Equal(again, list) {
			t.Errorf("%q is %q, and written as %q it is %q: %v", line, list, joined(list), again, err)
		}
	})
}
