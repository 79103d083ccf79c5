package grade

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/sandbox/sandboxtest"
	"tribunal/judge/internal/verdict"
)

// checkerScript behaves as the first word of the output says.
const checkerScript = `
read -r word rest
case $word in
right) exit 42 ;;
jury) echo "case 3: $rest" > "$3/judgemessage.txt"; echo "for the team" > "$3/teammessage.txt"; exit 43 ;;
team) echo "read again" > "$3/teammessage.txt"; exit 43 ;;
silent) exit 43 ;;
blank) echo > "$3/judgemessage.txt"; exit 43 ;;
long) i=0; while [ $i -lt 3000 ]; do echo "$i pages of words"; i=$((i+1)); done > "$3/judgemessage.txt"; exit 43 ;;
binary) printf 'caf\351' > "$3/judgemessage.txt"; exit 43 ;;
link) ln -s "$rest" "$3/judgemessage.txt"; exit 43 ;;
folder) mkdir "$3/judgemessage.txt"; exit 43 ;;
pipe) mkfifo "$3/judgemessage.txt"; exit 43 ;;
files) echo "$(cat "$1") $(cat "$2") $#" > "$3/judgemessage.txt"; exit 43 ;;
zero) exit 0 ;;
one) echo "check: no such file" >&2; exit 1 ;;
crash) echo "about to die" >&2; kill -SEGV $$ ;;
esac
echo "no such word: $word" >&2
exit 9
`

// TestChecker asks a validator about outputs that differ from the expected one.
// The submission prints its input.
func TestChecker(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("the judge's own file"), 0o644); err != nil {
		t.Fatal(err)
	}
	rows := []struct {
		why, prints, expected string
		v                     verdict.Verdict
		cause, message        string // what they contain
	}{
		{"expected bytes: the validator is not asked", "crash\n", "crash\n", verdict.AC, "", ""},
		{"other bytes that the validator accepts", "right\n", "x\n", verdict.AC, "", ""},
		{"only white space differs, and the validator accepts it", "right\n", "right", verdict.AC, "", ""},
		{"only white space differs, and the validator refuses it", "jury x\n", "jury  x\n", verdict.PE, "differs only in whitespace", "case 3: x"},
		{"the message for the jury precedes the one for the team", "jury too short\n", "x\n", verdict.WA, "the checker says: case 3: too short", "case 3: too short"},
		{"a message for the team only", "team\n", "x\n", verdict.WA, "the checker says: read again", "read again"},
		{"no message, and none is left from the previous run", "silent\n", "x\n", verdict.WA, "the checker says: wrong, without a message", "wrong, without a message"},
		{"a blank message counts as none", "blank\n", "x\n", verdict.WA, "wrong, without a message", ""},
		{"a book", "long\n", "x\n", verdict.WA, "the checker says: 0 pages of words", "0 pages of words\n1 pages"},
		{"bytes that are not text", "binary\n", "x\n", verdict.WA, "caf\uFFFD", "caf\uFFFD"},
		{"a symbolic link to a file that only the judge can read", "link " + secret + "\n", "x\n", verdict.WA, "wrong, without a message", ""},
		{"a folder", "folder\n", "x\n", verdict.WA, "wrong, without a message", ""},
		{"a pipe, which would block the judge", "pipe\n", "x\n", verdict.WA, "wrong, without a message", ""},
		{"the validator gets the input and the expected output", "files\n", "x\n", verdict.WA, "the checker says: files x 3", ""},
		{"a validator that exits like a comparison tool", "zero\n", "x\n", verdict.JE, "the judge failed: checker: exited with status 0, neither 42 (right) nor 43 (wrong)", ""},
		{"another status is a failure of the validator", "one\n", "x\n", verdict.JE, "the judge failed: checker: exited with status 1: check: no such file", ""},
		{"a crash is a failure of the validator", "crash\n", "x\n", verdict.JE, "the judge failed: checker: killed by SIGSEGV (segmentation fault): about to die", ""},
		{"the validator also gets empty output", "", "x\n", verdict.JE, "exited with status 9: no such word:", ""},
	}
	j := newJudge(t, nil, 2, map[string]string{"reference/p/check/main.sh": checkerScript})
	var list []cases.Case
	for i, tt := range rows {
		list = append(list, literal(string(rune('a'+i)), tt.prints, tt.expected))
	}
	task := newTask(list, submit(t, "cat"))
	task.All = true
	task.checked()
	events := gradeAll(t, j, task)
	if begin := events[0].(*Begin); begin.Compare != "exact+checker" {
		t.Errorf("compare is called %s", begin.Compare)
	}
	got := caseEvents(events)
	if len(got) != len(rows) {
		t.Fatalf("%d cases were judged, want %d", len(got), len(rows))
	}
	for i, tt := range rows {
		c := got[i]
		if c.Verdict != tt.v || !strings.Contains(c.Cause, tt.cause) || (c.Cause == "") != (tt.v == verdict.AC) || !strings.Contains(c.Message, tt.message) {
			t.Errorf("%s: got %v %q, message %.100q, want %v %q, %q", tt.why, c.Verdict, c.Cause, c.Message, tt.v, tt.cause, tt.message)
		}
		if len(c.Message) > maxMessage+10 || strings.Contains(c.Cause, "\n") || strings.Contains(c.Message+c.Cause, "own file") {
			t.Errorf("%s: a message of %d bytes, cause %q", tt.why, len(c.Message), c.Cause)
		}
		if wrong := tt.v == verdict.WA || tt.v == verdict.PE; (c.Mismatch != nil) != wrong {
			t.Errorf("%s: mismatch %v, want one only where the output is wrong", tt.why, c.Mismatch)
		}
		if (c.Stop == sandbox.NotRun) != (tt.v == verdict.JE) {
			t.Errorf("%s: measured %+v, want measurements unless the judge failed", tt.why, c.Result)
		}
	}
	for _, what := range []string{"tribunal-check-*", "tribunal-output-*"} {
		if left, err := filepath.Glob(filepath.Join(temporary, what)); len(left) > 0 || err != nil {
			t.Errorf("left behind: %v, %v", left, err)
		}
	}

	task.Cases = slices.Clone(list[1:2])
	task.Cases[0].Compare = &diff.Options{Mode: diff.Tokens, FoldCase: true}
	task.CompareAll(diff.Options{Mode: diff.Lines}) // as judge grade --compare does
	events = gradeAll(t, j, task)
	if got := caseEvents(events); got[0].Verdict != verdict.WA || events[0].(*Begin).Compare != "lines" {
		t.Errorf("without the validator: got %v, compared by %s, want the lines to decide", got[0].Verdict, events[0].(*Begin).Compare)
	}
}

// TestComparedBytes names each comparison in the first event.
func TestComparedBytes(t *testing.T) {
	t.Parallel()
	for want, list := range map[string][]diff.Options{
		"exact":  {{}, {Mode: diff.Exact}, {Mode: diff.Tokens, Spaces: true}},
		"tokens": {{Mode: diff.Tokens}, {Mode: diff.Tokens, Spaces: true, FoldCase: true}},
		"float":  {{Mode: diff.Float, Spaces: true}},
	} {
		for _, o := range list {
			if got := compareName(o); got != want {
				t.Errorf("%+v is called %s, want %s", o, got, want)
			}
		}
	}
}

// TestCompareAll changes neither the problem of a task nor its cases, which others use.
func TestCompareAll(t *testing.T) {
	t.Parallel()
	own := diff.Options{Mode: diff.Tokens}
	p := &problem.Problem{Compare: own, Validator: &problem.Validator{Program: "check"}}
	task := Task{Problem: p, Cases: []cases.Case{{Name: "a", Compare: &own}, {Name: "b"}}}
	list := task.Cases
	task.CompareAll(diff.Options{Mode: diff.Lines})
	if task.Problem.Compare.Mode != diff.Lines || task.Problem.Validator != nil || task.Cases[0].Compare != nil || task.Cases[1].Name != "b" {
		t.Errorf("the task is %+v, with the problem %+v", task, task.Problem)
	}
	if p.Compare != own || p.Validator == nil || list[0].Compare != &own {
		t.Errorf("the problem and the cases have changed: %+v, %+v", p, list)
	}
}

// TestCheckerBoxDies lets the boxes of validators die: the validator is run once more, in a fresh
// box, and only once.
func TestCheckerBoxDies(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why   string
		dies  string // the runs whose box dies
		says  []string
		boxes int
	}{
		{"no box dies", "", []string{"right", "right"}, 1},
		{"a new box dies: the second answer counts, from a fresh box", "0", []string{"right", "right"}, 3},
		{"a reused box dies", "1", []string{"right", "right"}, 2},
		{"both boxes die: a failure, and the next check opens a new box", "01", []string{"checker: container: the container died", "right"}, 3},
	} {
		var host *sandboxtest.Host
		host = sandboxtest.New(t, func(_ context.Context, r sandboxtest.Run) (sandbox.Result, error) {
			if string(r.Input) != "output" {
				t.Errorf("%s: it was shown %q", tt.why, r.Input)
			}
			if strings.Contains(tt.dies, strconv.Itoa(host.Runs()-1)) {
				return sandbox.Result{}, fmt.Errorf("container: %w", sandbox.ErrDied)
			}
			return sandbox.Result{ExitCode: problem.ExitAccepts}, nil
		})
		c := checkerOf(t, newJudge(t, host, 1, map[string]string{"reference/p/check/main.sh": "played above"}))
		for i, want := range tt.says {
			a, err := c.check(t.Context(), casedata.Data{}, pass{}, func() (content.Content, error) { return content.Of([]byte("output")), nil })
			got := "wrong"
			if err != nil {
				got = err.Error()
			} else if a.right {
				got = "right"
			}
			if got != want {
				t.Errorf("%s: check %d: %s, want %s", tt.why, i, got, want)
			}
		}
		if host.Boxes() != tt.boxes {
			t.Errorf("%s: %d boxes, want %d", tt.why, host.Boxes(), tt.boxes)
		}
	}
}

// checkerOf returns the checker of the problem.
func checkerOf(t *testing.T, j *Judge) *checker {
	t.Helper()
	c, err := j.checker(t.Context(), &problem.Validator{Program: check})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// examined judges a run that printed a text other than the expected one.
func examined(ctx context.Context, t *testing.T, g *grading, s *submission, printed string) *Case {
	t.Helper()
	kept, err := newKept(t.TempDir(), "", "")
	if err != nil {
		t.Fatal(err)
	}
	out := &capture{compared: diff.New([]byte("x"), diff.Options{}), kept: kept}
	defer out.discard()
	out.Write([]byte(printed))
	a := &attempt{examination: &examination{grading: g, sub: s}}
	r, _ := a.judgeRun(ctx, run.Outcome{}, func() (Judgement, error) { return a.evaluate(ctx, sandbox.Result{}, out, pass{}) })
	return r.event
}

// TestCheckerIsStopped cancels Grade while the validator runs: the case has no verdict, not even
// JE.
func TestCheckerIsStopped(t *testing.T) {
	t.Parallel()
	j := newJudge(t, nil, 1, map[string]string{"reference/p/check/main.sh": "sleep 100"})
	g := &grading{judge: j, task: newTask(nil, nil), checker: checkerOf(t, j)}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if c := examined(ctx, t, g, &submission{}, "y"); c.Verdict != verdict.None {
		t.Errorf("got %v: %s", c.Verdict, c.Cause)
	}
}

// TestCheckerIsLate lets the checker exceed its time limit on every output of two of three
// submissions: the judge stops running it for these two, with the same cause, but not for the
// third.
func TestCheckerIsLate(t *testing.T) {
	t.Parallel()
	host := sandboxtest.New(t, func(_ context.Context, r sandboxtest.Run) (sandbox.Result, error) {
		switch string(r.Input) {
		case "sleeps":
			return sandbox.Result{Stop: sandbox.OverWall, Wall: time.Minute}, nil
		case "loops":
			return sandbox.Result{Stop: sandbox.OverCPU, CPU: time.Minute}, nil
		}
		return sandbox.Result{ExitCode: problem.ExitAccepts}, nil
	})
	j := newJudge(t, host, 1, map[string]string{"reference/p/check/main.sh": "played above"})
	g := &grading{judge: j, task: newTask(nil, nil), checker: checkerOf(t, j)}
	for _, tt := range []struct {
		output string
		want   verdict.Verdict
		asked  int
	}{{"sleeps", verdict.JE, maxLate}, {"loops", verdict.JE, maxLate}, {"right", verdict.AC, 10}} {
		s, before, causes := &submission{}, host.Runs(), map[string]bool{}
		for range 10 {
			c := examined(t.Context(), t, g, s, tt.output)
			if causes[c.Cause] = true; c.Verdict != tt.want {
				t.Errorf("%s: got %v: %s", tt.output, c.Verdict, c.Cause)
			}
		}
		if asked := host.Runs() - before; asked != tt.asked || len(causes) != 1 {
			t.Errorf("%s: the checker was asked %d times, want %d; causes %q", tt.output, asked, tt.asked, slices.Collect(maps.Keys(causes)))
		}
	}
}
