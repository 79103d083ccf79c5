package grade

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cache/cachetest"
	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
)

// shell holds a language without a compiler, one that is not installed, and one whose compiler
// makes an executable of any source.
var shell = map[string]build.Language{
	"exe": {Match: []string{".exe"}, Build: []string{"sh", "-c", `cp "$(command -v env)" "$1"`, "sh", "{exe}"}},
	"sh":  {Match: []string{".sh"}, Run: []string{"sh", "{dir}/{main}"}},
	"no":  {Match: []string{".no"}, Run: []string{"tribunal-no-such-tool", "{main}"}},
}

// newJudge returns a judge of problem p. Programs run in boxes of runs; nil is the
// strongest sandbox of this machine. files, by slash-separated path, are those of
// the repository.
func newJudge(t testing.TB, runs runner.Host, slots int, files map[string]string) *Judge {
	t.Helper()
	return newJudgeOf(t, shell, runs, slots, files)
}

// newJudgeOf does what newJudge does, for other languages.
func newJudgeOf(t testing.TB, languages map[string]build.Language, runs runner.Host, slots int, files map[string]string) *Judge {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	c := cachetest.Fresh(t)
	mode := sandbox.Rlimit // costs nothing to open
	if runs == nil {
		mode = sandbox.Auto
	}
	host, err := sandbox.Open(mode)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { host.Close() })
	if runs == nil {
		runs = host
	}
	pool := run.NewPool(runner.NewLocal(runs, slots), slots, 100*time.Millisecond)
	t.Cleanup(func() { pool.Close() })
	j := &Judge{Temp: host.Temp(), Pool: pool, Builder: build.New(build.Options{
		Languages: languages, Cache: c, Runner: runner.NewLocal(host, 1), Temp: host.Temp(),
		Timeout: build.DefaultTimeout, Memory: build.DefaultMemory, Output: build.DefaultOutput,
	})}
	j.CaseData = &casedata.Provider{Problem: repo.Bare(root, "p"), Builder: j.Builder, Pool: pool, Cache: c}
	t.Cleanup(func() { j.CaseData.Close() })
	return j
}

// submit returns submissions of shell scripts, called a.sh, b.sh and so on.
func submit(t testing.TB, texts ...string) []Submission {
	t.Helper()
	var list []Submission
	for i, text := range texts {
		name := string(rune('a'+i)) + ".sh"
		s, err := build.Read(name, name, strings.NewReader(text), "", shell)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, Submission{Source: s})
	}
	return list
}

// literal returns a case of group edge.
func literal(name, input, output string) cases.Case {
	return cases.Case{Name: "edge/" + name, Group: "edge", Input: &input, Output: &output}
}

// numbered returns n cases whose inputs are their indexes.
func numbered(n int) []cases.Case {
	var list []cases.Case
	for i := range n {
		list = append(list, literal(fmt.Sprint("case-", i), fmt.Sprintln(i), fmt.Sprintln("answer", i)))
	}
	return list
}

// newTask returns a task with usual limits.
func newTask(list []cases.Case, subs []Submission) Task {
	return Task{
		Problem: &problem.Problem{ID: "p", Title: "P"}, Cases: list, Submissions: subs,
		Limits: limits.Limits{CPU: 10 * time.Second, Wall: 20 * time.Second, Memory: 256 * limits.MiB, Output: limits.MiB, Processes: 64, CPUs: 1},
	}
}

// check is the path of the problem's own program beside its reference.
const check = "reference/p/check"

// checked sets a checker for outputs that differ from the expected ones.
func (t *Task) checked() { t.Problem = t.Problem.WithValidator(&problem.Validator{Program: check}) }

// sources are programs without files in the folder of the problem.
type sources struct {
	problem.Files
	of map[string]*build.Source
}

func (s sources) Program(path string, _ map[string]build.Language) (*build.Source, error) {
	return s.of[path], nil
}

// gradeAll returns the events of one Grade, in order.
func gradeAll(t testing.TB, j *Judge, task Task) []Event {
	t.Helper()
	var events []Event
	if err := j.Grade(t.Context(), task, func(e Event) { events = append(events, e) }); err != nil {
		t.Fatal(err)
	}
	return events
}

// eventLines renders events as lines, without progress and measurements.
func eventLines(events []Event) string {
	var b strings.Builder
	for _, e := range events {
		switch e := e.(type) {
		case *Begin:
			fmt.Fprintf(&b, "begin %s %v %v\n", e.Problem, e.Submissions, e.Cases)
		case *Built:
			fmt.Fprintf(&b, "%d built %s %q\n", e.Submission, e.Language, e.Error)
		case *Case:
			fmt.Fprintf(&b, "%d %d %s %v %q\n", e.Submission, e.Index, e.Name, e.Verdict, e.Cause)
		case *Done:
			fmt.Fprintf(&b, "%d done %v %q %d/%d/%d\n", e.Submission, e.Verdict, e.First, e.Passed, e.Judged, e.Total)
		case *End:
			fmt.Fprintf(&b, "end\n")
		}
	}
	return b.String()
}

// caseEvents returns the events about cases.
func caseEvents(events []Event) []*Case {
	var list []*Case
	for _, e := range events {
		if c, ok := e.(*Case); ok {
			list = append(list, c)
		}
	}
	return list
}
