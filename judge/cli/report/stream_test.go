package report

import (
	"io"
	"strings"
	"syscall"
	"time"

	"tribunal/judge/cli/format"
	"tribunal/judge/internal/account"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
)

// following applies each event to an account before it passes the event to the sink S, which reads
// the account.
type following[S format.Sink] struct {
	S    S
	into *account.Execution
}

func (t following[S]) Event(e grade.Event) {
	t.into.Apply(e)
	t.S.Event(e)
}

func (t following[S]) Close() error { return t.S.Close() }

// onTerminal returns a Terminal with its own account.
func onTerminal(w io.Writer, o TerminalOptions) following[*Terminal] {
	x := &account.Execution{Full: MaxFull}
	return following[*Terminal]{NewTerminal(w, x, o), x}
}

// inJSON returns a JSON with its own account.
func inJSON(w io.Writer) following[*JSON] {
	x := &account.Execution{Full: -1}
	return following[*JSON]{NewJSON(w, x), x}
}

// begin returns the first event of judging submissions on cases.
func begin(cases []string, submissions ...string) *grade.Begin {
	return &grade.Begin{
		Problem: "maze", Title: "Maze Traversal", Cases: cases, Submissions: submissions,
		Slots: 2, CPUs: 1, WantedCPUs: 1, Compare: string(diff.Exact), Command: []string{"judge", "grade", "maze"},
		Limits: limits.Limits{CPU: time.Second, Wall: 3 * time.Second, Memory: 64 * limits.MiB, Output: limits.MiB, CPUs: 1},
		Mechanisms: sandbox.Mechanisms{
			Mode: sandbox.Container, Isolation: "namespaces", CPU: "cgroup v2 cpu.stat", Wall: "timer",
			Memory: "cgroup v2 memory", Output: "bytes read from the pipe", Processes: "cgroup v2 pids",
		},
	}
}

// ran returns the result of a run that exited with status 0 after ms milliseconds of CPU time.
func ran(ms int) sandbox.Result {
	return sandbox.Result{
		CPU: time.Duration(ms) * time.Millisecond, Wall: time.Duration(ms)*time.Millisecond + 1234*time.Microsecond,
		Memory: 3*limits.MiB + 512*limits.KiB, Stdout: 61,
	}
}

// accepted returns an accepted case that took ms milliseconds of CPU time.
func accepted(ms int) grade.Case { return grade.Case{Verdict: verdict.AC, Result: ran(ms)} }

// wrong returns a case with a wrong answer, or with a presentation error if whitespace is set.
func wrong(whitespace bool) grade.Case {
	m := &diff.Mismatch{
		Line: 2, Column: 3, Offset: 10, Want: 20, Got: 18, More: true,
		Lines: []diff.Line{
			{Op: " ", Want: 1, Got: 1, Text: "·_·_⏎"},
			{Op: "-", Want: 2, Text: "|···|·|⏎"},
			{Op: "+", Got: 2, Text: "|·|·|⏎"},
		},
	}
	c := grade.Case{Verdict: verdict.WA, Cause: "differs at line 2, column 3", Result: ran(12), Mismatch: m}
	c.Shown = grade.Shown{Note: "Two rooms behind one door.", Input: "2 3\n0 0 \n1\t0\n5 ", Cut: true}
	if whitespace {
		m.Whitespace, m.Notes = true, []string{"differs only in whitespace"}
		c.Verdict, c.Cause = verdict.PE, "differs only in whitespace at line 2, column 3"
	}
	return c
}

// failed returns a case on which the program failed while it ran.
func failed(v verdict.Verdict, cause string, r sandbox.Result) grade.Case {
	return grade.Case{Verdict: v, Cause: cause, Result: r}
}

// allVerdicts returns a case for every verdict that a case can have.
func allVerdicts() (names []string, cases []grade.Case) {
	over := ran(1301)
	over.Stop, over.Signal = sandbox.OverCPU, sandbox.Signal(syscall.SIGKILL)
	idle := ran(2)
	idle.Stop, idle.Wall, idle.Signal = sandbox.OverWall, 3300*time.Millisecond, sandbox.Signal(syscall.SIGKILL)
	large := ran(80)
	large.Stop, large.Memory, large.Signal = sandbox.OverMemory, 64*limits.MiB, sandbox.Signal(syscall.SIGKILL)
	flood := ran(5)
	flood.Stop, flood.Stdout, flood.Signal = sandbox.OverOutput, int64(limits.MiB)+1, sandbox.Signal(syscall.SIGKILL)
	crash := ran(1)
	crash.Stop, crash.Signal, crash.Stderr = sandbox.Signalled, sandbox.Signal(syscall.SIGSEGV), 40
	spy := ran(1)
	spy.Stop, spy.Signal = sandbox.Forbidden, sandbox.Signal(syscall.SIGSYS)
	checked := wrong(false)
	checked.Cause = "the checker says: case 1: the walk leaves the board"
	checked.Message = "case 1: the walk leaves the board\nafter move 7\n"
	crashed := failed(verdict.RTE, "killed by SIGSEGV", crash)
	crashed.Stderr = "reading the maze\nsegmentation fault ahead\n"
	endless := failed(verdict.OLE, "too much output", flood)
	endless.Mismatch = wrong(false).Mismatch
	for _, c := range []struct {
		name string
		grade.Case
	}{
		{"sample/statement", accepted(7)},
		{"edge/wrong", wrong(false)},
		{"edge/checker", checked},
		{"edge/crash", crashed},
		{"edge/spaces", wrong(true)},
		{"large/slow", failed(verdict.TLE, "CPU time over the limit", over)},
		{"large/idle", failed(verdict.ILE, "waits without using the CPU", idle)},
		{"large/memory", failed(verdict.MLE, "out of memory", large)},
		{"large/output", endless},
		{"large/spy", failed(verdict.SV, "a system call that is not allowed", spy)},
		{"large/judge", failed(verdict.JE, "generator gen: unknown flag -rows", sandbox.Result{Stop: sandbox.NotRun})},
	} {
		names, cases = append(names, c.name), append(cases, c.Case)
	}
	return names, cases
}

// stream returns the events about submission i: its first cases in order, and the verdict. It
// leaves the other cases unjudged.
func stream(b *grade.Begin, i int, expected verdict.Verdict, cases ...grade.Case) []grade.Event {
	done := &grade.Done{Submission: i, Total: len(b.Cases), Judged: len(cases), Verdict: verdict.AC, Expected: expected}
	var events []grade.Event
	for k, c := range cases {
		c.Submission, c.Index, c.Name = i, k, b.Cases[k]
		events = append(events, &c, &grade.Progress{Submission: i, Done: k + 1, Total: len(b.Cases) * len(b.Submissions), Worst: c.Verdict})
		done.CPU, done.Wall, done.Memory = max(done.CPU, c.Result.CPU), max(done.Wall, c.Result.Wall), max(done.Memory, c.Result.Memory)
		if c.Cached {
			done.Cached++
		}
		switch {
		case c.Verdict == verdict.AC:
			done.Passed++
		case done.Verdict == verdict.AC:
			done.Verdict, done.First, done.Cause = c.Verdict, c.Name, c.Cause
		}
	}
	done.Settle()
	return append(events, done)
}

// compileError returns the last event about a submission that does not compile.
func compileError(b *grade.Begin, i int, expected verdict.Verdict) *grade.Done {
	done := &grade.Done{Submission: i, Verdict: verdict.CE, Cause: "compile error", Total: len(b.Cases), Expected: expected}
	done.Settle()
	return done
}

const gccWords = "a.cc: In function 'int main()':\na.cc:3:5: error: 'x' was not declared in this scope\n    3 |     x = 1;\n      |     ^\n"

// rerunCase returns c after the given attempts.
func rerunCase(c grade.Case, unstable bool, attempts ...grade.Attempt) grade.Case {
	c.Attempts, c.Unstable = attempts, unstable
	return c
}

// attempt returns an attempt that took ms milliseconds of CPU time.
func attempt(v verdict.Verdict, ms int) grade.Attempt {
	r := ran(ms)
	return grade.Attempt{Verdict: v, CPU: r.CPU, Wall: r.Wall, Memory: r.Memory}
}

// doubtful returns the events about a submission whose cases were run again, most of them with a
// better verdict.
func doubtful() []grade.Event {
	b := begin([]string{"sample/statement", "edge/starved", "edge/one", "edge/two", "edge/three", "large/two"}, "slow.cc")
	b.Busy = []string{"CPUs shared with another judge: times may be longer"}
	starved := attempt(verdict.ILE, 200)
	starved.Wall, starved.CPUWait = 3300*time.Millisecond, 1200*time.Millisecond
	late := failed(verdict.TLE, "used more CPU time than 1s", ran(1030))
	return one(b, grade.Built{Build: grade.Build{Cached: true}}, stream(b, 0, verdict.AC,
		accepted(7),
		rerunCase(accepted(205), false, starved, attempt(verdict.AC, 205)),
		rerunCase(accepted(950), false, attempt(verdict.AC, 910), attempt(verdict.AC, 950), attempt(verdict.AC, 950)),
		rerunCase(accepted(980), true, attempt(verdict.TLE, 1030), attempt(verdict.AC, 980), attempt(verdict.AC, 980)),
		rerunCase(accepted(790), false, attempt(verdict.AC, 810), attempt(verdict.AC, 790)),
		rerunCase(late, true, attempt(verdict.AC, 999), attempt(verdict.TLE, 1010), attempt(verdict.AC, 998), attempt(verdict.TLE, 1030)),
	)...)
}

// known returns c as judged by an earlier run.
func known(c grade.Case) grade.Case {
	c.Cached = true
	return c
}

// cachedResults returns the events about submissions with all cases but one from the cache.
func cachedResults(names ...string) []grade.Event {
	b := begin([]string{"sample/statement", "edge/one", "edge/two", "edge/three", "large/a", "large/b"}, names...)
	events := []grade.Event{b}
	for i := range names {
		events = append(events, &grade.Built{Submission: i, Language: "cpp", Build: grade.Build{Cached: true}})
	}
	for i := range names {
		events = append(events, stream(b, i, verdict.None, known(accepted(7)), known(wrong(false)), wrong(true), known(wrong(false)),
			known(wrong(true)), rerunCase(accepted(980), true, attempt(verdict.TLE, 1030), attempt(verdict.AC, 980)))...)
	}
	return append(events, &grade.End{Elapsed: 12 * time.Millisecond})
}

// repeat returns the events about submissions with --repeat.
func repeat(names ...string) []grade.Event {
	b := begin([]string{"sample/statement", "large/two"}, names...)
	b.Repeat = 4
	events := []grade.Event{b}
	for i := range names {
		events = append(events, &grade.Built{Submission: i, Language: "cpp", Build: grade.Build{Cached: true}})
	}
	for i := range names {
		events = append(events, stream(b, i, verdict.None,
			rerunCase(accepted(7), false, attempt(verdict.AC, 7), attempt(verdict.AC, 5), attempt(verdict.AC, 9), attempt(verdict.AC, 6)),
			rerunCase(wrong(false), true, attempt(verdict.AC, 12), attempt(verdict.WA, 12), attempt(verdict.AC, 1), attempt(verdict.WA, 12)),
		)...)
	}
	return append(events, &grade.End{Elapsed: 99 * time.Millisecond})
}

// lost returns the events with --repeat when the judge fails in some runs of one case and in all
// runs of another.
func lost() []grade.Event {
	b := begin([]string{"sample/statement", "large/two"}, "a.cc")
	b.Repeat = 3
	je := grade.Attempt{Verdict: verdict.JE}
	failure := grade.Case{Verdict: verdict.JE, Cause: "the judge failed: the container died", Result: sandbox.Result{Stop: sandbox.NotRun}}
	return one(b, grade.Built{Build: grade.Build{Cached: true}}, stream(b, 0, verdict.None,
		rerunCase(failure, false, attempt(verdict.AC, 7), je, attempt(verdict.AC, 5)),
		rerunCase(failure, false, je, je, je),
	)...)
}

// exceptional returns the events about a submission whose limits are not those of the problem, some
// in all cases and one on a case.
func exceptional() []grade.Event {
	b := begin([]string{"sample/statement", "secret/1/1a", "secret/2/2a"}, "a.py")
	b.Exceptions = []problem.Exception{
		{Cases: "secret/2", CPU: 500 * time.Millisecond},
		{Language: "python3", Memory: 128 * limits.MiB},
		{Language: "python3", Cases: "secret/1/1a", CPU: 4 * time.Second, Memory: limits.GiB},
	}
	more, most, less := b.Limits, b.Limits, b.Limits
	more.Memory = 128 * limits.MiB
	most.CPU, most.Wall, most.Memory = 4*time.Second, 12*time.Second, limits.GiB
	less.CPU, less.Wall, less.Memory = 500*time.Millisecond, 1500*time.Millisecond, 128*limits.MiB
	under := func(l limits.Limits, c grade.Case) grade.Case { c.Limits = &l; return c }
	return one(b, grade.Built{Build: grade.Build{Cached: true}}, stream(b, 0, verdict.AC,
		under(more, accepted(7)),
		under(most, rerunCase(accepted(3900), false, attempt(verdict.AC, 3950), attempt(verdict.AC, 3900))),
		under(less, failed(verdict.TLE, "used more CPU time than 500ms", ran(501))),
	)...)
}

// A scenario is a list of events with the options of a report on them.
type scenario struct {
	name, why string
	options   TerminalOptions
	events    []grade.Event
}

func one(b *grade.Begin, built grade.Built, rest ...grade.Event) []grade.Event {
	built.Language = "cpp"
	return append(append([]grade.Event{b, &built}, rest...), &grade.End{Elapsed: 123 * time.Millisecond})
}

func scenarios() []scenario {
	three := []string{"sample/statement", "edge/one", "large/two"}
	b := begin(three, "reference/maze/submissions/accepted/a.cc")
	compiled := grade.Built{Build: grade.Build{Time: 1204 * time.Millisecond}}
	cached := grade.Built{Build: grade.Build{Cached: true}}
	allFine := one(b, compiled, stream(b, 0, verdict.None, accepted(7), accepted(12), accepted(900))...)

	poor := begin(three, "a.cc")
	poor.WantedCPUs, poor.Notes = 2, []string{"memory is polled here, so a short peak may be missed"}
	poor.Mechanisms = sandbox.Mechanisms{Mode: sandbox.Rlimit, CPU: "polled from /proc", Wall: "timer", Output: "bytes read from the pipe"}

	names, cases := allVerdicts()
	z := begin(names, "z.cc")
	guilty := one(z, cached, stream(z, 0, verdict.None, cases...)...)

	nothing := begin(nil, "a.cc")
	spec := begin(three, "a.cc")
	ce := one(spec, grade.Built{Build: grade.Build{Error: gccWords}}, compileError(spec, 0, verdict.CE))
	stopped := one(spec, cached, stream(spec, 0, verdict.TLE, accepted(7), wrong(false))...)

	return []scenario{
		{"accepted", "the table, and nothing else", TerminalOptions{}, allFine},
		{"accepted-color", "the same with colours", TerminalOptions{Color: true}, allFine},
		{"accepted-quiet", "one line", TerminalOptions{Quiet: true, Live: true}, allFine},
		{"accepted-verbose", "a line for each case", TerminalOptions{Verbose: true}, allFine},
		{"poor-host", "limits that are not enforced are named", TerminalOptions{}, one(poor, cached, stream(poor, 0, verdict.AC, accepted(1), accepted(1), accepted(1))...)},
		{"verdicts", "three failures in full, a line for each of the others", TerminalOptions{}, guilty},
		{"verdicts-verbose", "the table has the causes", TerminalOptions{Verbose: true}, guilty},
		{"verdicts-color", "differences in colour", TerminalOptions{Color: true}, guilty},
		{"exceptions", "each measurement has the limit of its case", TerminalOptions{}, exceptional()},
		{"exceptions-verbose", "", TerminalOptions{Verbose: true}, exceptional()},
		{"compile-error", "the compiler's output, no measurements", TerminalOptions{}, ce},
		{"no-cases", "without a case there is no verdict", TerminalOptions{}, one(nothing, cached, &grade.Done{Expected: verdict.AC, AsExpected: new(false)})},
		{"no-cases-quiet", "", TerminalOptions{Quiet: true}, one(nothing, cached, &grade.Done{})},
		{"stopped", "judging stopped at the first failure; another verdict was expected", TerminalOptions{}, stopped},
		{"stopped-quiet", "cause and expectation fit on the line", TerminalOptions{Quiet: true}, stopped},
		{"hostile", "texts of a contestant are escaped", TerminalOptions{Color: true}, hostile()},
		{"matrix", "rows with a failure only", TerminalOptions{}, several()},
		{"matrix-color", "", TerminalOptions{Color: true}, several()},
		{"matrix-quiet", "one line each", TerminalOptions{Quiet: true}, several()},
		{"matrix-verbose", "all rows, and all measurements", TerminalOptions{Verbose: true}, several()},
		{"matrix-chosen", "all rows", TerminalOptions{Chosen: true}, several()},
		{"doubtful", "the reruns and their results", TerminalOptions{}, doubtful()},
		{"doubtful-verbose", "reruns beside each case", TerminalOptions{Verbose: true}, doubtful()},
		{"doubtful-quiet", "unstable cases are counted", TerminalOptions{Quiet: true}, doubtful()},
		{"doubtful-matrix", "unstable cells are marked", TerminalOptions{}, shaky()},
		{"cached", "measurements of an earlier run are marked", TerminalOptions{}, cachedResults("a.cc")},
		{"cached-verbose", "marks beside each case", TerminalOptions{Verbose: true}, cachedResults("a.cc")},
		{"cached-quiet", "the number of cached cases", TerminalOptions{Quiet: true}, cachedResults("a.cc")},
		{"cached-matrix", "cells are marked", TerminalOptions{}, cachedResults("a.cc", "b.cc")},
		{"repeat", "a table of the runs of each case", TerminalOptions{}, repeat("a.cc")},
		{"repeat-matrix", "a table for each submission", TerminalOptions{}, repeat("a.cc", "b.cc")},
		{"repeat-lost", "runs in which the judge failed are ignored", TerminalOptions{}, lost()},
		{"matrix-narrow", "columns that exceed the width form a second table; lines are cut", TerminalOptions{Width: 40}, several()},
		{"matrix-sorted", "columns and lines in another order", TerminalOptions{Width: 80, Order: ByName}, several()},
		{"matrix-sorted-quiet", "verdicts in another order are printed at the end", TerminalOptions{Quiet: true, Order: ByName}, several()},
	}
}

// hostile returns the events about a submission with escape sequences in all its texts.
func hostile() []grade.Event {
	b := begin([]string{"edge/one", "edge/two"}, "evil\x1b]0;owned\x07\n.cc")
	b.Title = "Maze\x1b[2J"
	b.Notes = []string{"note\rnote"}
	c := failed(verdict.RTE, "exit status 1\x1b[31m", ran(1))
	c.Result.ExitCode = 1
	c.Stderr = strings.Repeat("early line\n", 50) +
		"\x1b[2J\x1b[H\x1b]52;c;aGk=\x07clear\n" +
		"carriage\rreturn, back\bspace, bell\a, tab\tstop\n" +
		"invalid \xff\xfe utf-8, C1 \u009b31m, right to left \u202eabc, zero width \u200b\n" +
		strings.Repeat("long ", 1000) + "\n" +
		"NUL \x00 and DEL \x7f\n\n\n"
	c.Truncated = true
	c.Kept = "/tmp/\x1b[1m/out"
	checker := failed(verdict.WA, "the checker rejects it", ran(1))
	checker.Message = "\x1b[5mblink\n" + strings.Repeat("more\n", 100)
	return one(b, grade.Built{Build: grade.Build{Time: time.Millisecond}}, stream(b, 0, verdict.None, c, checker)...)
}

// shaky returns the events about several submissions, among them an accepted one with an unstable
// case.
func shaky() []grade.Event {
	b := begin([]string{"edge/one", "edge/two"}, "accepted/a.cc", "accepted/b.cc")
	events := []grade.Event{b, &grade.Built{Language: "cpp", Build: grade.Build{Cached: true}}, &grade.Built{Submission: 1, Language: "cpp", Build: grade.Build{Cached: true}}}
	events = append(events, stream(b, 0, verdict.AC, accepted(1), rerunCase(accepted(980), true, attempt(verdict.TLE, 1030), attempt(verdict.AC, 980)))...)
	events = append(events, stream(b, 1, verdict.AC, rerunCase(accepted(900), false, attempt(verdict.AC, 900), attempt(verdict.AC, 900), attempt(verdict.AC, 900)), accepted(2))...)
	return append(events, &grade.End{Elapsed: 2345 * time.Millisecond})
}

// several returns the events about five submissions.
func several() []grade.Event {
	b := begin([]string{"sample/statement", "edge/one", "edge/two", "large/a", "large/b"},
		"accepted/a.cc", "wrong_answer/b.py", "time_limit_exceeded/c.go", "compile_error/d.cc", "accepted/broken.cc")
	events := []grade.Event{b}
	for i, built := range []grade.Built{
		{Language: "cpp", Build: grade.Build{Cached: true}}, {Language: "python3"}, {Language: "go", Build: grade.Build{Time: 2*time.Second + time.Microsecond}},
		{Language: "cpp", Build: grade.Build{Error: gccWords}}, {Language: "cpp", Build: grade.Build{Error: gccWords}},
	} {
		built.Submission = i
		events = append(events, &built)
	}
	// Submissions that do not compile finish before the others.
	events = append(events, compileError(b, 3, verdict.CE), compileError(b, 4, verdict.AC))
	events = append(events, stream(b, 0, verdict.AC, accepted(1), accepted(2), accepted(3), accepted(4), accepted(5))...)
	events = append(events, stream(b, 1, verdict.WA, accepted(30), wrong(false))...)
	events = append(events, stream(b, 2, verdict.TLE, accepted(1), accepted(2), wrong(true))...)
	return append(events, &grade.End{Elapsed: 2345 * time.Millisecond})
}
