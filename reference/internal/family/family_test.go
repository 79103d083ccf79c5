package family

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
)

var families = []Family{
	{
		Name: "dots", About: "so many dots",
		Options: []Option{
			Int("n", 1, 9, 3, "how many"),
			Choice("end", "what comes last", "none", "bang"),
			Text("mark", "LETTER", ".", "the dot", func(s string) error {
				if len(s) != 1 {
					return errors.New("want one letter")
				}
				return nil
			}),
		},
		Ladder: []Rung{{1, "-n=1"}, {9, "-n=9 -end=bang"}},
		Make: func(a *Args) ([]byte, error) {
			text := strings.Repeat(a.Text("mark"), a.Int("n"))
			if a.Text("end") == "bang" {
				text += "!"
			}
			return []byte(text + "\n"), nil
		},
	},
	{
		Name: "chance", About: "a number", Ladder: []Rung{{1, ""}},
		Make: func(a *Args) ([]byte, error) { return fmt.Appendln(nil, a.Chance("test").Uint64()), nil },
	},
	{Name: "none", About: "never", Make: func(*Args) ([]byte, error) { return nil, errors.New("nothing found") }},
	{Name: "odd", About: "never", Make: func(*Args) ([]byte, error) { return nil, Misuse("does not fit") }},
}

func TestRun(t *testing.T) {
	for _, test := range []struct {
		why, args string
		status    int
		out, errs string
	}{
		{"presets", "dots", 0, "...\n", ""},
		{"flags of every kind", "dots -n=2 -end=bang -mark=x", 0, "xx!\n", ""},
		{"two dashes are as good as one", "dots --n 2", 0, "..\n", ""},
		{"a seed always yields the same numbers", "chance -seed=7", 0, "3472911498189999142\n", ""},
		{"the default seed is 1", "chance", 0, "3350591890767419243\n", ""},
		{"the ladder lists all families", "-ladder", 0, "1 dots -n=1\n9 dots -n=9 -end=bang\n1 chance\n", ""},
		{"no family", "", 2, "", "gen: no family named (hint: gen -list shows them)\n"},
		{"unknown family", "dost", 2, "", "gen: unknown family \"dost\" (hint: gen -list shows them)\n"},
		{"unknown flag", "dots -m=1", 2, "", "gen: dots: flag provided but not defined: -m (hint: gen -list shows its flags)\n"},
		{"out of range", "dots -n=10", 2, "", "gen: dots: invalid value \"10\" for flag -n: want a number from 1 to 9 (hint: gen -list shows its flags)\n"},
		{"not a word of the choice", "dots -end=x", 2, "", "gen: dots: invalid value \"x\" for flag -end: want none|bang (hint: gen -list shows its flags)\n"},
		{"refused by the flag's own check", "dots -mark=xx", 2, "", "gen: dots: invalid value \"xx\" for flag -mark: want one letter (hint: gen -list shows its flags)\n"},
		{"negative seed", "chance -seed=-1", 2, "", "gen: chance: invalid value \"-1\" for flag -seed: parse error (hint: gen -list shows its flags)\n"},
		{"a word too many", "dots 3", 2, "", "gen: dots: unexpected \"3\", flags are written -name=value (hint: gen -list shows its flags)\n"},
		{"no such input", "none", 1, "", "gen: none: nothing found\n"},
		{"flags that do not go together", "odd", 2, "", "gen: odd: does not fit\n"},
	} {
		var out, errs bytes.Buffer
		status := Run(families, strings.Fields(test.args), &out, &errs)
		if status != test.status || out.String() != test.out || errs.String() != test.errs {
			t.Errorf("%s: gen %s: got %d %q %q, want %d %q %q", test.why, test.args, status, &out, &errs, test.status, test.out, test.errs)
		}
	}
}

func TestList(t *testing.T) {
	const want = `dots: so many dots
  -n=1…9 (3)  how many
  -end=none|bang (none)  what comes last
  -mark=LETTER (.)  the dot
chance: a number
none: never
odd: never
every family:
  -seed=N (1)  another input of the same kind
`
	var out, errs bytes.Buffer
	if Run(families, []string{"-list"}, &out, &errs) != 0 || out.String() != want {
		t.Errorf("got %s%s, want %s", &out, &errs, want)
	}
}
