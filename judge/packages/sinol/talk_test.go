package sinol

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestTalker gives the script for interactors of SIO2 their answers.
func TestTalker(t *testing.T) {
	t.Parallel()
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("not checked: the script for interactors of SIO2 (no sh)")
	}
	for _, tt := range []struct {
		why, answer string
		ended       string // exit status of the interactor
		want        int    // exit status of the script
		part, said  string // what it writes for the judge: the part of the points, a message or a complaint
	}{
		{"all points", `OK\n`, "0", 42, "", ""},
		{"all points, without an end of line", `OK`, "0", 42, "", ""},
		{"all points, with a message", `OK\nwell done\n100\n`, "0", 42, "", "well done"},
		{"the exit status does not count beside an answer", `OK\n`, "3", 42, "", ""},
		{"blanks around the answer", ` OK \n  fine  \n 50 \nmore\n`, "0", 42, "0.50000000", "fine"},
		{"half of a percent", `OK\n\n0.5\n`, "0", 42, "0.00500000", ""},
		{"five percent", `OK\n\n05\n`, "0", 42, "0.05000000", ""},
		{"digits after the point", `OK\n\n66.66667\n`, "0", 42, "0.66666600", ""},
		{"nothing before the point", `OK\n\n.25\n`, "0", 42, "0.00250000", ""},
		{"a fraction", `OK\n\n200/3\n`, "0", 42, "0.66666666", ""},
		{"a fraction of fractions", `OK\n\n12.5/0.5`, "0", 42, "0.25000000", ""},
		{"a fraction that is everything", `OK\n\n300/3\n`, "0", 42, "", ""},
		{"more than everything", `OK\n\n150\n`, "0", 42, "1.50000000", ""},
		{"no points", `OK\nnothing\n0\n`, "0", 43, "", "nothing"},
		{"wrong", `WA\nBad answer\n100\n`, "0", 43, "", "Bad answer"},
		{"another word", `ok\n`, "0", 43, "", ""},
		{"a message of % and \\", `WA\n100%% of \\ is %%s`, "0", 43, "", `100% of \ is %s`},
		{"an empty line first", `\nOK\n`, "0", 1, "", "writes no answer"},
		{"nothing", ``, "0", 1, "", "writes no answer"},
		{"a crash", ``, "134", 1, "", "why it crashes"},
		{"the submission has ended", ``, "141", 1, "", "why it crashes\nbroken pipe"},
		{"a percentage that is a word", `OK\n\nhalf\n`, "0", 1, "", "its percentage is no number: half"},
		{"a negative percentage", `OK\n\n-5\n`, "0", 1, "", "its percentage is no number: -5"},
		{"two points", `OK\n\n1.2.3\n`, "0", 1, "", "its percentage is no number: 1.2.3"},
		{"a point", `OK\n\n.\n`, "0", 1, "", "its percentage is no number: ."},
		{"a division by zero", `OK\n\n5/0\n`, "0", 1, "", "its percentage is no number: 5/0"},
		{"a division by nothing", `OK\n\n5/\n`, "0", 1, "", "its percentage is no number: 5/"},
		{"two divisions", `OK\n\n5/1/2\n`, "0", 1, "", "its percentage is no number: 5/1/2"},
		{"a very large number", `OK\n\n99999999999999999999\n`, "0", 1, "", "its percentage is no number: 99999999999999999999"},
		{"code", `OK\n\n$(exit)1\n`, "0", 1, "", "its percentage is no number: $(exit)1"},
	} {
		dir := t.TempDir()
		feedback := filepath.Join(dir, "feedback") + "/"
		if err := errors.Join(os.Mkdir(feedback, 0o755), os.WriteFile(filepath.Join(dir, "input"), nil, 0o644)); err != nil {
			t.Fatal(err)
		}
		program := "program() { printf '" + tt.answer + "'; [ " + tt.ended + " = 0 ] || echo why it crashes >&2; return " + tt.ended + "; }\n"
		cmd := exec.Command(shell, "-c", program+talker, "run", "input", "answer", feedback)
		var stderr strings.Builder
		cmd.Dir, cmd.Stderr = dir, &stderr
		_ = cmd.Run()
		read := func(name string) string {
			text, err := os.ReadFile(feedback + name)
			if err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Fatal(err)
			}
			return strings.TrimSpace(string(text))
		}
		said := strings.TrimSpace(stderr.String())
		if tt.want != 1 {
			said = read("judgemessage.txt")
		}
		if got, part := cmd.ProcessState.ExitCode(), read("score_multiplier.txt"); got != tt.want || part != tt.part || said != tt.said {
			t.Errorf("%s: exit status %d, part %q, %q\nwant %d, %q, %q", tt.why, got, part, said, tt.want, tt.part, tt.said)
		}
	}
}
