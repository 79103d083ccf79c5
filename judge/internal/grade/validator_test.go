package grade

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/points"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/verdict"
)

// played holds the data of cases that are in no file.
type played map[string]casedata.Data

// give makes the cases in the list read the data that p has for their names.
func (p played) give(list []cases.Case) {
	for i := range list {
		c := &list[i]
		f, known := p[c.Name]
		read := func(c content.Content) func() (content.Content, error) {
			return func() (content.Content, error) {
				if !known {
					return c, errors.New("no such case")
				}
				return c, nil
			}
		}
		c.Given = &cases.Given{Input: read(f.Input), Output: read(f.Want)}
		c.Args, c.Compare, c.Flags, c.Asked = f.Args, f.Compare, f.Flags, f.Asked
	}
}

// list returns cases with these names, in one group.
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
long) head -c 5000 /dev/zero | tr '\0' ' ' > "$3/$5"; exit 42 ;;
link) echo 0.25 > "$3/real"; ln -s real "$3/$5"; exit 42 ;;
astray) ln -s nowhere "$3/$5"; exit 42 ;;
pipe) mkfifo "$3/$5"; exit 42 ;;
folder) mkdir "$3/$5"; exit 42 ;;
praise) echo "$5" > "$3/judgemessage.txt"; exit 42 ;;
status) echo "said so" >&2; exit $5 ;;
points) echo "points 5 your first line was $(cat "$2")" >&2; exit 7 ;;
found) echo "wrong answer expected 1, found $(cat "$2")" >&2; exit 1 ;;
log) cat "$2" >&2; echo "wrong answer" >&2; exit 1 ;;
log-points) cat "$2" >&2; echo "points 1 $(head -c 100 "$1")" >&2; exit 7 ;;
part) echo "partially correct ($5) almost" >&2; exit $5 ;;
same) [ "$(cat)" = "$(cat "$2")" ] && exit 42; exit 43 ;;
shown) [ "$(cat "$2")" = "$(cat "$3")" ] && exit 0; echo "wrong answer differs" >&2; exit 1 ;;
flood) head -c 10000000 /dev/zero; exit 42 ;;
esac
`

// TestValidator lets a validator decide alone, by either protocol. The submission prints its input.
func TestValidator(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why         string
		protocol    problem.Protocol
		input, want string
		flags       []string
		v           verdict.Verdict
		cause       string // what it contains
		score       string
		passes      int
	}{
		{"accepts an output that differs from the answer", problem.ICPC, "1", "2", []string{"status", "42"}, verdict.AC, "", "", 1},
		{"refuses an output that equals the answer", problem.ICPC, "1", "1", []string{"status", "43"}, verdict.WA, "wrong, without a message", "", 1},
		{"other white space is WA, not PE, if the validator refuses it", problem.ICPC, "1 2", "1  2", []string{"says", "no"}, verdict.WA, "the checker says: no", "", 1},
		{"the output is the standard input of the validator", problem.ICPC, "1", "1", []string{"same"}, verdict.AC, "", "", 1},
		{"points", problem.ICPC, "1", "1", []string{"score", "12.5"}, verdict.AC, "", "12.5", 1},
		{"a message about a right output", problem.ICPC, "1", "1", []string{"praise", "well done"}, verdict.AC, "", "", 1},
		{"points that are not a number", problem.ICPC, "1", "1", []string{"score", "many"}, verdict.JE, "the judge failed: checker: score.txt: \"many\" is not a number", "", 1},
		{"points that are NaN", problem.ICPC, "1", "1", []string{"score", "NaN"}, verdict.JE, "is not a number", "", 1},
		{"score.txt is a symbolic link", problem.ICPC, "1", "1", []string{"link", "score.txt"}, verdict.JE, "checker: score.txt: not a regular file", "", 1},
		{"score.txt is a named pipe", problem.ICPC, "1", "1", []string{"pipe", "score.txt"}, verdict.JE, "checker: score.txt: not a regular file", "", 1},
		{"a multiplier that is a folder", problem.ICPC, "1", "1", []string{"folder", "score_multiplier.txt"}, verdict.JE, "score_multiplier.txt: not a regular file", "", 1},
		{"score.txt is too large", problem.ICPC, "1", "1", []string{"long", "score.txt"}, verdict.JE, "score.txt is larger than 4KiB", "", 1},
		{"another status is a failure of the validator", problem.ICPC, "1", "1", []string{"status", "44"}, verdict.JE, "exited with status 44: said so", "", 1},
		{"too much output is a failure of the validator", problem.ICPC, "1", "1", []string{"flood"}, verdict.JE, "checker: wrote more than 8MiB", "", 1},

		{"nextpass.in is a symbolic link", problem.ICPC, "1", "1", []string{"link", "nextpass.in"}, verdict.JE, "checker: nextpass.in: not a regular file", "", 2},
		{"nextpass.in is a symbolic link to nothing", problem.ICPC, "1", "1", []string{"astray", "nextpass.in"}, verdict.JE, "nextpass.in: not a regular file", "", 2},
		{"nextpass.in is a named pipe", problem.ICPC, "1", "1", []string{"pipe", "nextpass.in"}, verdict.JE, "nextpass.in: not a regular file", "", 2},
		{"nextpass.in is a folder", problem.ICPC, "1", "1", []string{"folder", "nextpass.in"}, verdict.JE, "nextpass.in: not a regular file", "", 2},

		{"testlib: right", problem.Testlib, "1", "2", []string{"status", "0"}, verdict.AC, "", "", 1},
		{"testlib: wrong", problem.Testlib, "1", "1", []string{"status", "1"}, verdict.WA, "the checker says: said so", "", 1},
		{"testlib: wrong format", problem.Testlib, "1", "1", []string{"status", "2"}, verdict.PE, "the checker says: said so", "", 1},
		{"testlib: output after the expected end", problem.Testlib, "1", "1", []string{"status", "4"}, verdict.PE, "said so", "", 1},
		{"testlib: output ends too early", problem.Testlib, "1", "1", []string{"status", "8"}, verdict.PE, "said so", "", 1},
		{"testlib: its own failure", problem.Testlib, "1", "1", []string{"status", "3"}, verdict.JE, "exited with status 3 (its own failure): said so", "", 1},
		{"testlib: points without a number", problem.Testlib, "1", "1", []string{"status", "7"}, verdict.JE, "status 7 (points), but its standard error does not begin with \"points N\" or contains another outcome: said so", "", 1},
		{"testlib: an unknown status", problem.Testlib, "1", "1", []string{"status", "42"}, verdict.JE, "exited with status 42", "", 1},
		{"testlib: partially correct, with the status of right", problem.Testlib, "1", "1", []string{"part", "0"}, verdict.JE, "exited with status 0 (_pc, which is not supported): partially correct (0) almost", "", 1},
		{"testlib: points, then so much text of the program that standard error seems to end in other points", problem.Testlib, strings.Repeat("A", 200) + "100 " + strings.Repeat("B", 4091), "1", []string{"points"}, verdict.AC, "", "5", 1},
		{"testlib: points, then so much text of the program that the end of standard error does not contain the outcome", problem.Testlib, strings.Repeat("A", 300<<10), "1", []string{"points"}, verdict.AC, "", "5", 1},
		{"testlib: the program prints \"partially correct\"", problem.Testlib, strings.Repeat("A", 200) + "partially correct (" + strings.Repeat("B", 4076), "1", []string{"found"}, verdict.WA, "the checker says: wrong answer expected 1, found AAA", "", 1},
		{"testlib: \"partially correct\" is printed before the outcome", problem.Testlib, "partially correct (1) x\n", "1", []string{"log"}, verdict.WA, "the checker says: partially correct (1) x", "", 1},
		{"testlib: the program prints points before those of the checker", problem.Testlib, "points 100 x\n", "1", []string{"log-points"}, verdict.JE, "or contains another outcome", "", 1},
		{"testlib: much text between the program's points and the checker's", problem.Testlib, "points 100 x\n" + strings.Repeat("A", 300<<10) + "\n", "1", []string{"log-points"}, verdict.JE, "or contains another outcome", "", 1},
		{"testlib: a log before the points", problem.Testlib, "100 x\n", "1", []string{"log-points"}, verdict.JE, "does not begin with \"points N\"", "", 1},
		{"testlib: output before answer", problem.Testlib, "1", "2", []string{"shown"}, verdict.WA, "wrong answer differs", "", 1},
	} {
		t.Run(tt.why, func(t *testing.T) {
			t.Parallel()
			j := newJudge(t, nil, 1, map[string]string{"reference/p/check/main.sh": answers})
			task := newTask(list("secret/1"), submit(t, "cat"))
			task.Problem.Validator = &problem.Validator{Program: check, Protocol: tt.protocol, Always: true, Passes: tt.passes}
			played{"secret/1": {Input: content.Of([]byte(tt.input)), Want: content.Of([]byte(tt.want)), Flags: tt.flags}}.give(task.Cases)
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
				t.Errorf("a difference is reported although the validator decides alone: %v", c.Mismatch)
			}
		})
	}
}

// TestSeveralValidators runs several validators one after the other, up to the first that refuses
// the output, or only the one that the case names. The submission prints its input.
func TestSeveralValidators(t *testing.T) {
	t.Parallel()
	j := newJudge(t, nil, 1, nil)
	var first *problem.Validator
	scripts := sources{of: map[string]*build.Source{}}
	for _, v := range []struct{ name, script string }{
		{"value", "read n; case $n in 1) exit 42 ;; 2) exit 43 ;; esac; echo $n is no value >&2; exit 1"},
		{"form", "echo form >> \"$3/judgemessage.txt\"; [ \"$(cat)\" = bad ] && exit 43; exit 42"},
	} {
		scripts.of[v.name] = submit(t, v.script)[0].Source
		first = &problem.Validator{Name: v.name, Program: v.name, Protocol: problem.ICPC, Always: true, Then: first}
	}
	j.CaseData.Problem.Files = scripts
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
		{"failure-of-the-second", "3", "", verdict.JE, "the judge failed: checker value: exited with status 1: 3 is no value", ""},
		{"only-the-first", "3", "form", verdict.AC, "", "form"},
		{"only-the-second", "1", "value", verdict.AC, "", ""},
		{"only-the-second-which-fails", "bad", "value", verdict.JE, "bad is no value", ""},
	}
	for _, tt := range tests {
		names = append(names, tt.why)
		data[tt.why] = casedata.Data{Input: content.Of([]byte(tt.output)), Asked: tt.asked}
	}
	task := newTask(list(names...), submit(t, "cat"))
	task.Problem.Validator, task.All = first, true
	data.give(task.Cases)
	for i, c := range caseEvents(gradeAll(t, j, task)) {
		if tt := tests[i]; c.Verdict != tt.v || !strings.Contains(c.Cause, tt.cause) || c.Message != tt.message {
			t.Errorf("%s: got %v %q %q, want %v %q %q", tt.why, c.Verdict, c.Cause, c.Message, tt.v, tt.cause, tt.message)
		}
	}
}

// TestTestlibAnswer parses standard error as testlib checkers write it.
func TestTestlibAnswer(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why    string
		status int
		said   string
		want   string // "right", "wrong", "format", points or an error
	}{
		{"points", 7, "points 12.5 almost", "12.5"},
		{"points without a message", 7, "points 3", "3"},
		{"a message of several lines", 7, "points 3 so\nand so, 12 points", "3"},
		{"no points", 7, "points 0", "0"},
		{"a number alone", 7, "7 so", "error"},
		{"negative points, which testlib itself refuses", 7, "points -1 x", "error"},
		{"information instead of points", 7, "points points_info=pa=1.0,pb=0.5 x", "right"},
		{"information, and another outcome later", 7, "points points_info=7\npoints 1 ok", "error"},
		{"no information", 7, "points points_info= x", "error"},
		{"a number followed by a letter", 7, "points 1x", "error"},
		{"a number in a form that testlib does not write", 7, "points 1e3", "error"},
		{"another outcome after the points", 7, "points 100 x\npoints 1 ok", "error"},
		{"another outcome before the points", 7, "wrong answer\npoints 1 ok", "error"},
		{"the next line only resembles an outcome", 7, "points 1 x\npointless", "1"},
		{"partially correct, with its status", 30, "partially correct (30) x", "error"},
		{"partially correct, with the status of wrong", 1, "partially correct (1) x", "error"},
		{"partially correct, without a message", 1, "partially correct (1)", "error"},
		{"partially correct, in the testlib of some judges", 51, "partially correct (1) x", "error"},
		{"partially correct, with the status of right", 0, "partially correct (0) x", "error"},
		{"partially correct, with a number that does not fit the status", 1, "partially correct (2) x", "wrong"},
		{"an incomplete \"partially correct\"", 1, "partially correct (", "wrong"},
		{"partially correct, before the outcome", 1, "partially correct (1) x\nwrong answer y", "wrong"},
		{"partially correct, before another outcome", 0, "partially correct (0) x\nok", "right"},
		{"a form", 2, "partially correct (2)\nwrong output format x", "format"},
		{"nothing at all", 1, "", "wrong"},
	} {
		a, err := testlibAnswer(tt.status, "", tt.said, nil)
		got := "wrong"
		switch {
		case err != nil:
			got = "error"
		case a.format:
			got = "format"
		case a.score != nil:
			got = fmt.Sprint(*a.score)
		case a.right:
			got = "right"
		}
		if got != tt.want || got == "wrong" && a.message == "" {
			t.Errorf("%s: status %d, %q: %s, %+v, %v; want %s", tt.why, tt.status, tt.said, got, a, err, tt.want)
		}
	}
}

// TestCaseOfItsOwn grades cases with their own arguments and their own comparison.
func TestCaseOfItsOwn(t *testing.T) {
	t.Parallel()
	j := newJudge(t, nil, 1, nil)
	task := newTask(list("secret/args", "secret/tokens", "secret/exact"), submit(t, `cat; echo "$#" "$@"`))
	task.All = true
	played{
		"secret/args":   {Want: content.Of([]byte("2 a b c\n")), Args: []string{"a", "b c"}},
		"secret/tokens": {Input: content.Of([]byte("x  y\n")), Want: content.Of([]byte("x y 0")), Compare: &diff.Options{Mode: diff.Tokens}},
		"secret/exact":  {Input: content.Of([]byte("x  y\n")), Want: content.Of([]byte("x y 0"))},
	}.give(task.Cases)
	var got []verdict.Verdict
	for _, c := range caseEvents(gradeAll(t, j, task)) {
		got = append(got, c.Verdict)
	}
	if fmt.Sprint(got) != "[AC AC PE]" {
		t.Errorf("got %v", got)
	}
}

// passes is a validator that asks for another pass until the program prints 0. It keeps a note of
// each pass.
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

// TestPasses lets a validator ask for more runs of the program.
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
		{"wrong, and yet another pass", "cat", "wrong", nil, verdict.JE, "refused the output and asked for another pass (nextpass.in)"},
		{"the program fails in the second pass", "read n; [ $n = 1 ] && exit 7; echo $n", "2", nil, verdict.RTE, "exited with status 7"},
	} {
		t.Run(tt.why, func(t *testing.T) {
			t.Parallel()
			j := newJudge(t, nil, 1, map[string]string{"reference/p/check/main.sh": passes})
			task := newTask(list("secret/1", "secret/2"), submit(t, tt.program))
			task.All = true
			task.Problem.Validator = &problem.Validator{Program: check, Always: true, Passes: 4}
			f := casedata.Data{Input: content.Of([]byte(tt.input + "\n")), Flags: tt.flags}
			played{"secret/1": f, "secret/2": f}.give(task.Cases)
			for _, c := range caseEvents(gradeAll(t, j, task)) {
				if c.Verdict != tt.v || !strings.Contains(c.Cause, tt.cause) {
					t.Errorf("%s: got %v %q, want %v %q", c.Name, c.Verdict, c.Cause, tt.v, tt.cause)
				}
			}
		})
	}
}

// TestTaskPoints computes the points of two groups: one has none after its first failure, and the
// other continues.
func TestTaskPoints(t *testing.T) {
	t.Parallel()
	j := newJudge(t, nil, 1, nil)
	forty, sixty := 40.0, 60.0
	group := func() *points.Group {
		return &points.Group{Rule: points.ICPC2023{}, Groups: []*points.Group{{Name: "secret", Rule: points.ICPC2023{}, Groups: []*points.Group{
			{Name: "secret/a", Cases: []int{0, 1}, Rule: points.ICPC2023{Max: &forty}},
			{Name: "secret/b", Cases: []int{2, 3, 4}, Rule: points.ICPC2023{Max: &sixty, Aggregation: points.Sum}},
		}}}}
	}
	for _, all := range []bool{false, true} {
		task := newTask(list("secret/a/1", "secret/a/2", "secret/b/1", "secret/b/2", "secret/b/3"), submit(t, "cat", "exit 1"))
		task.All = all
		data := played{}
		for i, c := range task.Cases {
			f := casedata.Data{Input: content.Of([]byte("x")), Want: content.Of([]byte("x"))}
			if i == 0 || i == 2 {
				f.Want = content.Of([]byte("y"))
			}
			data[c.Name] = f
		}
		data.give(task.Cases)
		task.Problem.Groups, task.Problem.Scoring = group(), true
		if err := task.Problem.Groups.Check(); err != nil {
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
		task.Cases = task.Cases[:2] // as with judge grade --case
		some, err := j.Collect(t.Context(), task)
		if err != nil {
			t.Fatal(err)
		}
		if d := some[0].Done; d.Points != nil || d.Verdict != verdict.WA {
			t.Errorf("all %t: some cases alone have points: %+v, %+v", all, d, d.Points)
		}
	}
}

// TestGroupsWithoutPoints judges on groups that make only the verdict: all cases that they need, whatever
// the validator says about points.
func TestGroupsWithoutPoints(t *testing.T) {
	t.Parallel()
	j := newJudge(t, nil, 2, nil)
	tree := func(l points.Legacy) *points.Group {
		return &points.Group{Rule: points.Legacy{Continue: true, IgnoreSample: true}, Groups: []*points.Group{
			{Name: "sample", Cases: []int{0}, Rule: points.Legacy{}},
			{Name: "secret", Cases: []int{1, 2, 3}, Rule: l},
		}}
	}
	const program = "read n; case $n in 0|1) echo no;; 2) exit 1;; *) echo $n;; esac"
	for _, tt := range []struct {
		why    string
		rule   points.Legacy
		v      verdict.Verdict
		first  string
		judged int
	}{
		{"the first failure ends the group", points.Legacy{}, verdict.WA, "sample/0", 2},
		{"the worst of all", points.Legacy{Continue: true}, verdict.RTE, "secret/2", 4},
		{"the first of all", points.Legacy{Continue: true, Verdicts: points.FirstError}, verdict.WA, "sample/0", 4},
		{"one is enough", points.Legacy{Continue: true, AnyAccepted: true}, verdict.AC, "", 4},
		{"but it must come before a failure", points.Legacy{AnyAccepted: true}, verdict.WA, "sample/0", 2},
		{"always", points.Legacy{Verdicts: points.AlwaysAccept}, verdict.AC, "", 2},
	} {
		task := newTask(list("sample/0", "secret/1", "secret/2", "secret/3"), submit(t, program))
		data := played{}
		for i, c := range task.Cases {
			n := content.Of(fmt.Appendln(nil, i))
			data[c.Name] = casedata.Data{Input: n, Want: n}
		}
		data.give(task.Cases)
		task.Problem.Groups = tree(tt.rule)
		judged, err := j.Collect(t.Context(), task)
		if err != nil {
			t.Fatal(err)
		}
		if d := judged[0].Done; d.Verdict != tt.v || d.First != tt.first || d.Judged != tt.judged || d.Points != nil {
			t.Errorf("%s: %v on %q after %d cases, points %v; want %v on %q after %d", tt.why, d.Verdict, d.First, d.Judged, d.Points, tt.v, tt.first, tt.judged)
		}
	}
	score, part := 3.0, 0.5
	c := &Case{Verdict: verdict.AC, Score: &score, Multiplier: &part}
	if r := c.Counted(&problem.Problem{}); r != (points.Result{Verdict: verdict.AC}) {
		t.Errorf("without points a case counts as %+v", r)
	}
	if r := c.Counted(&problem.Problem{Scoring: true}); r.Score != &score || r.Multiplier != &part {
		t.Errorf("with points a case counts as %+v", r)
	}
}
