package grade

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/fixture"
	"tribunal/judge/internal/points"
	"tribunal/judge/internal/verdict"
)

// played are cases that no file holds.
type played map[string]fixture.Fixture

func (p played) Make(_ context.Context, c *cases.Case) (fixture.Fixture, error) {
	f, known := p[c.Name]
	if !known {
		return f, errors.New("no such case")
	}
	return f, nil
}

// list returns cases of these names, of a group of their own.
func list(names ...string) []cases.Case {
	var l []cases.Case
	for _, name := range names {
		l = append(l, cases.Case{Name: name, Group: filepath.Dir(name)})
	}
	return l
}

// answers is a validator that does what its flags say.
const answers = `
case $4 in
says) echo "$5" > "$3/judgemessage.txt"; exit 43 ;;
score) printf '%s' "$5" > "$3/score.txt"; exit 42 ;;
praise) echo "$5" > "$3/judgemessage.txt"; exit 42 ;;
status) echo "said so" >&2; exit $5 ;;
part) echo "partially correct ($5) almost" >&2; exit $5 ;;
same) [ "$(cat)" = "$(cat "$2")" ] && exit 42; exit 43 ;;
shown) [ "$(cat "$2")" = "$(cat "$3")" ] && exit 0; echo "wrong answer differs" >&2; exit 1 ;;
flood) head -c 2000000 /dev/zero; exit 42 ;;
esac
`

// TestValidator has a validator decide alone, by either protocol. The submission prints
// its input.
func TestValidator(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why         string
		protocol    Protocol
		input, want string
		flags       []string
		v           verdict.Verdict
		cause       string // what it contains
		score       string
	}{
		{"right by other bytes", ICPC, "1", "2", []string{"status", "42"}, verdict.AC, "", ""},
		{"wrong by the same bytes", ICPC, "1", "1", []string{"status", "43"}, verdict.WA, "wrong, without a message", ""},
		{"white space is no presentation error of its own", ICPC, "1 2", "1  2", []string{"says", "no"}, verdict.WA, "the checker says: no", ""},
		{"the output is its standard input", ICPC, "1", "1", []string{"same"}, verdict.AC, "", ""},
		{"points", ICPC, "1", "1", []string{"score", "12.5"}, verdict.AC, "", "12.5"},
		{"words about what is right", ICPC, "1", "1", []string{"praise", "well done"}, verdict.AC, "", ""},
		{"points that are none", ICPC, "1", "1", []string{"score", "many"}, verdict.JE, "the judge failed: checker: score.txt: \"many\" is not a number", ""},
		{"points that are no number", ICPC, "1", "1", []string{"score", "NaN"}, verdict.JE, "is not a number", ""},
		{"another status is its own failure", ICPC, "1", "1", []string{"status", "44"}, verdict.JE, "ended with status 44: said so", ""},
		{"a flood is its own failure", ICPC, "1", "1", []string{"flood"}, verdict.JE, "checker: wrote more than 1MiB", ""},

		{"testlib: right", Testlib, "1", "2", []string{"status", "0"}, verdict.AC, "", ""},
		{"testlib: wrong", Testlib, "1", "1", []string{"status", "1"}, verdict.WA, "the checker says: said so", ""},
		{"testlib: the form", Testlib, "1", "1", []string{"status", "2"}, verdict.PE, "the checker says: said so", ""},
		{"testlib: something left over", Testlib, "1", "1", []string{"status", "4"}, verdict.PE, "said so", ""},
		{"testlib: too little", Testlib, "1", "1", []string{"status", "8"}, verdict.PE, "said so", ""},
		{"testlib: its own failure", Testlib, "1", "1", []string{"status", "3"}, verdict.JE, "ended with status 3 (its own failure): said so", ""},
		{"testlib: points that it does not tell", Testlib, "1", "1", []string{"status", "7"}, verdict.JE, "status 7 (points): \"said\" is not a number", ""},
		{"testlib: an unknown status", Testlib, "1", "1", []string{"status", "42"}, verdict.JE, "ended with status 42", ""},
		{"testlib: a part of what is right, with the status of all", Testlib, "1", "1", []string{"part", "0"}, verdict.JE, "ended with status 0 (_pc, which is not supported): partially correct (0) almost", ""},
		{"testlib: output before answer", Testlib, "1", "2", []string{"shown"}, verdict.WA, "wrong answer differs", ""},
	} {
		t.Run(tt.why, func(t *testing.T) {
			t.Parallel()
			j := newJudge(t, nil, 1, map[string]string{"reference/p/check/main.sh": answers})
			program, err := j.Fixtures.Program(t.Context(), j.Fixtures.Checker())
			if err != nil {
				t.Fatal(err)
			}
			task := newTask(list("secret/1"), submit(t, "cat"))
			task.Validator = &Validator{Program: program, Protocol: tt.protocol, Always: true}
			task.Data = played{"secret/1": {Input: []byte(tt.input), Want: []byte(tt.want), Flags: tt.flags}}
			events := gradeAll(t, j, task)
			if begin := events[0].(*Begin); begin.Compare != "validator" {
				t.Errorf("compare is called %s", begin.Compare)
			}
			c := caseEvents(events)[0]
			score := ""
			if c.Score != nil {
				score = fmt.Sprint(*c.Score)
			}
			if c.Verdict != tt.v || !strings.Contains(c.Cause, tt.cause) || score != tt.score {
				t.Errorf("got %v %q score %q, want %v %q %q", c.Verdict, c.Cause, score, tt.v, tt.cause, tt.score)
			}
			if tt.flags[0] == "praise" && c.Message != "well done" {
				t.Errorf("the message is %q", c.Message)
			}
			if c.Mismatch != nil {
				t.Errorf("a difference is shown that does not count: %v", c.Mismatch)
			}
		})
	}
}

// TestSeveralValidators asks one after the other, up to the first that finds an output
// wrong, or those that a case wants asked. The submission prints its input.
func TestSeveralValidators(t *testing.T) {
	t.Parallel()
	j := newJudge(t, nil, 1, nil)
	var first *Validator
	for _, v := range []struct{ name, script string }{
		{"value", "read n; case $n in 1) exit 42 ;; 2) exit 43 ;; esac; echo $n is no value >&2; exit 1"},
		{"form", "echo form >> \"$3/judgemessage.txt\"; [ \"$(cat)\" = bad ] && exit 43; exit 42"},
	} {
		program, err := j.Builder.Build(t.Context(), submit(t, v.script)[0].Source)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { program.Close() })
		first = &Validator{Name: v.name, Program: program, Protocol: ICPC, Always: true, Then: first}
	}
	data := played{}
	var names []string
	tests := []struct {
		why, output, asked string
		v                  verdict.Verdict
		cause, message     string
	}{
		{"all-right", "1", "", verdict.AC, "", "form"},
		{"wrong-for-the-first", "bad", "", verdict.WA, "the checker says: form", "form"},
		{"wrong-for-the-second", "2", "", verdict.WA, "wrong, without a message", "wrong, without a message"},
		{"failure-of-the-second", "3", "", verdict.JE, "the judge failed: checker value: ended with status 1: 3 is no value", ""},
		{"only-the-first", "3", "form", verdict.AC, "", "form"},
		{"only-the-second", "1", "value", verdict.AC, "", ""},
		{"only-the-second-which-fails", "bad", "value", verdict.JE, "bad is no value", ""},
	}
	for _, tt := range tests {
		names = append(names, tt.why)
		data[tt.why] = fixture.Fixture{Input: []byte(tt.output), Asked: tt.asked}
	}
	task := newTask(list(names...), submit(t, "cat"))
	task.Validator, task.Data, task.All = first, data, true
	for i, c := range caseEvents(gradeAll(t, j, task)) {
		if tt := tests[i]; c.Verdict != tt.v || !strings.Contains(c.Cause, tt.cause) || c.Message != tt.message {
			t.Errorf("%s: got %v %q %q, want %v %q %q", tt.why, c.Verdict, c.Cause, c.Message, tt.v, tt.cause, tt.message)
		}
	}
}

// TestTestlibPoints reads what testlib writes.
func TestTestlibPoints(t *testing.T) {
	for said, want := range map[string]float64{"points 12.5 almost": 12.5, "points 3": 3, "7 so": 7, "points -1 x": -1} {
		a, err := testlibAnswer(testlibPoints, said)
		if err != nil || !a.right || *a.score != want {
			t.Errorf("%q: %+v, %v", said, a, err)
		}
	}
}

// TestCaseOfItsOwn has cases with arguments and ways to compare of their own.
func TestCaseOfItsOwn(t *testing.T) {
	t.Parallel()
	j := newJudge(t, nil, 1, nil)
	task := newTask(list("secret/args", "secret/tokens", "secret/exact"), submit(t, `cat; echo "$#" "$@"`))
	task.All = true
	task.Data = played{
		"secret/args":   {Want: []byte("2 a b c\n"), Args: []string{"a", "b c"}},
		"secret/tokens": {Input: []byte("x  y\n"), Want: []byte("x y 0"), Compare: &diff.Options{Mode: diff.Tokens}},
		"secret/exact":  {Input: []byte("x  y\n"), Want: []byte("x y 0")},
	}
	var got []verdict.Verdict
	for _, c := range caseEvents(gradeAll(t, j, task)) {
		got = append(got, c.Verdict)
	}
	if fmt.Sprint(got) != "[AC AC PE]" {
		t.Errorf("got %v", got)
	}
}

// passes is a validator that has the program run until the number it prints is 0: it
// keeps a note of each pass.
const passes = `
read -r n
echo "$n" >> "$3notes"
case $n in
0) echo "$(cat "$3notes" | tr '\n' ' ')of $(cat "$1")" > "$3judgemessage.txt"; [ "$4" = right ] && exit 42; exit 43 ;;
wrong) echo 1 > "$3nextpass.in"; exit 43 ;;
esac
echo $((n - 1)) > "$3nextpass.in"
exit 42
`

// TestPasses has a validator ask for more runs of the program.
func TestPasses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, program, input string
		flags               []string
		v                   verdict.Verdict
		cause               string // what it contains
	}{
		{"one pass", "cat", "0", []string{"right"}, verdict.AC, ""},
		{"four passes, the most there may be", "cat", "3", []string{"right"}, verdict.AC, ""},
		{"five", "cat", "4", []string{"right"}, verdict.JE, "checker: asked for more than 4 passes"},
		{"the last is wrong, and notes are kept", "cat", "2", nil, verdict.WA, "the checker says: 2 1 0 of 0"},
		{"wrong, and yet another pass", "cat", "wrong", nil, verdict.JE, "asked for another pass (nextpass.in) of an output that is wrong"},
		{"the program fails in the second pass", "read n; [ $n = 1 ] && exit 7; echo $n", "2", nil, verdict.RTE, "ended with status 7"},
	} {
		t.Run(tt.why, func(t *testing.T) {
			t.Parallel()
			j := newJudge(t, nil, 1, map[string]string{"reference/p/check/main.sh": passes})
			program, err := j.Fixtures.Program(t.Context(), j.Fixtures.Checker())
			if err != nil {
				t.Fatal(err)
			}
			task := newTask(list("secret/1", "secret/2"), submit(t, tt.program))
			task.All = true
			task.Validator = &Validator{Program: program, Always: true, Passes: 4}
			f := fixture.Fixture{Input: []byte(tt.input + "\n"), Flags: tt.flags}
			task.Data = played{"secret/1": f, "secret/2": f}
			for _, c := range caseEvents(gradeAll(t, j, task)) {
				if c.Verdict != tt.v || !strings.Contains(c.Cause, tt.cause) {
					t.Errorf("%s: got %v %q, want %v %q", c.Name, c.Verdict, c.Cause, tt.v, tt.cause)
				}
			}
		})
	}
}

// TestTaskPoints adds up the points of two groups, of which one cannot earn any after its
// first failure and the other goes on.
func TestTaskPoints(t *testing.T) {
	t.Parallel()
	j := newJudge(t, nil, 1, nil)
	forty, sixty := 40.0, 60.0
	group := func() *points.Group {
		return &points.Group{Rule: points.Later{}, Groups: []*points.Group{{Name: "secret", Rule: points.Later{}, Groups: []*points.Group{
			{Name: "secret/a", Cases: []int{0, 1}, Rule: points.Later{Max: &forty}},
			{Name: "secret/b", Cases: []int{2, 3, 4}, Rule: points.Later{Max: &sixty, Aggregation: points.Sum}},
		}}}}
	}
	for _, all := range []bool{false, true} {
		task := newTask(list("secret/a/1", "secret/a/2", "secret/b/1", "secret/b/2", "secret/b/3"), submit(t, "cat", "exit 1"))
		task.All = all
		task.Data = played{}
		for i, c := range task.Cases {
			f := fixture.Fixture{Input: []byte("x"), Want: []byte("x")}
			if i == 0 || i == 2 {
				f.Want = []byte("y")
			}
			task.Data.(played)[c.Name] = f
		}
		task.Points = group()
		if err := task.Points.Check(); err != nil {
			t.Fatal(err)
		}
		judged, err := j.Collect(t.Context(), task)
		if err != nil {
			t.Fatal(err)
		}
		d := judged[0].Done
		if d.Points == nil || d.Points.Points != 40 || d.Points.Best != 100 || d.Verdict != verdict.WA || d.First != "secret/a/1" {
			t.Errorf("all %t: %+v, points %+v, want 40 of 100", all, d, d.Points)
		}
		if want := map[bool]int{false: 4, true: 5}[all]; d.Judged != want {
			t.Errorf("all %t: %d cases were judged, want %d", all, d.Judged, want)
		}
		if d := judged[1].Done; d.Points == nil || d.Points.Points != 0 || d.Verdict != verdict.RTE {
			t.Errorf("all %t: nothing is right: %+v, points %+v", all, d, d.Points)
		}
	}
}
