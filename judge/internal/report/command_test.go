package report

import (
	"os/exec"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestCommandFor reads the line back with a shell.
func TestCommandFor(t *testing.T) {
	t.Parallel()
	words := []string{"judge", "grade", "--limits=cpu=2s", "my game"}
	for _, tt := range []struct{ why, submission, name, want string }{
		{"plain", "a.cpp", "edge/one", "judge|grade|--limits=cpu=2s|my game|--case|edge/one|a.cpp|"},
		{"quotes, variables and commands are text", "it's $(x) `y`.c", "e/1", "judge|grade|--limits=cpu=2s|my game|--case|e/1|it's $(x) `y`.c|"},
		{"a name that reads as a flag", "-q", "e/1", "judge|grade|--limits=cpu=2s|my game|--case|e/1|--|-q|"},
		{"a pattern in the name of a case", "a.c", `e/[1]*?\`, `judge|grade|--limits=cpu=2s|my game|--case|e/\[1]\*\?\\|a.c|`},
		{"a name that would write control characters", "a\x1b[31m.c", "e/1", ""},
		{"a name of two lines", "a\nb.c", "e/1", ""},
	} {
		line := commandFor(words, tt.submission, tt.name)
		if tt.want == "" {
			if line != "" {
				t.Errorf("%s: %q", tt.why, line)
			}
			continue
		}
		out, err := exec.Command("/bin/sh", "-c", "printf '%s|' "+line).Output()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, string(out)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.why, diff)
		}
	}
	if line := commandFor(nil, "a.c", "e/1"); line != "" {
		t.Errorf("without a command: %q", line)
	}
}
