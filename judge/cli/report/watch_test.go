package report

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/regen"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/internal/watchmode"
	"tribunal/judge/internal/yamlstrict"
)

// A watchScenario is a list of events of judge watch, and the terminal that shows them.
type watchScenario struct {
	name, why  string
	cols, rows int
	color      bool
	screenOnly bool              // skip the lines and JSON, which another scenario checks
	before     []watchmode.Event // earlier events, which other scenarios check
	events     []watchmode.Event
}

func watchScenarios() []watchScenario {
	return []watchScenario{
		{"watch-start", "every kind of line; only a submission and an example fail", 80, 34, false, false, nil, started()},
		{"watch-color", "the same with colours", 80, 34, true, true, nil, started()},
		{"watch-narrow", "failures take precedence over successes", 40, 12, false, true, nil, started()},
		{"watch-busy", "an unfinished round: results of an earlier round are marked", 80, 34, false, false, started(), busy()},
		{"watch-stale-short", "failures of an earlier round come last", 80, 7, false, true, started(), busy()[:3]},
		{"watch-busy-short", "the present stage takes precedence over results of an earlier round", 80, 10, false, true, started(), busy()},
		{"watch-written", "old and new of every change", 80, 44, false, false, started(), rewritten(watchmode.Written)},
		{"watch-pending", "changes are written only after a key", 80, 24, false, false, started(), rewritten(watchmode.Pending)},
		{"watch-outdated", "only the lock would change", 80, 24, false, false, started(), rewritten(watchmode.Outdated)},
		{"watch-held", "changes are held while git works", 80, 24, false, false, started(), rewritten(watchmode.Held)},
		{"watch-short", "verdicts take precedence over changes", 80, 10, false, true, started(), rewritten(watchmode.Pending)},
		{"watch-broken", "errors are shown whole, and other problems continue", 60, 24, false, false, nil, brokenRound()},
		{"watch-config", "an error about all problems comes first", 60, 24, false, false, brokenRound(), misconfigured()},
		{"watch-mending", "the error stays until the next round has a result", 60, 24, false, true, after(brokenRound(), misconfigured()), mended()[:2]},
		{"watch-mended", "the error disappears with the first result of the next round", 60, 24, false, false, after(brokenRound(), misconfigured()), mended()},
		{"watch-compile", "a compiler's output, shortened", 80, 24, false, false, started(), uncompiled()},
		{"watch-difference", "a whole difference, as far as it fits on the screen", 80, 12, false, false, started(), differenceRequests(1)},
		{"watch-no-difference", "a failure without a wrong output", 80, 12, false, false, started(), []watchmode.Event{&watchmode.Difference{Problem: "maze", Role: watchmode.Submission, Case: "edge/one", Cause: "killed by SIGABRT (aborted)"}}},
		{"watch-smaller", "a small input on which the submission fails", 80, 44, false, false, started(), smaller("maze.cc", 30)},
		{"watch-shrunk", "the failed case made smaller, which judge stress does not find again", 80, 44, false, true, started(), smaller("maze.cc", 0)},
		{"watch-folded", "commands that do not fit are continued on further lines", 50, 48, false, false, started(), smaller("a folder/maze.cc", 30)},
		{"watch-larger", "the next round knows nothing of it", 80, 24, false, true, after(started(), smaller("maze.cc", 30)), busy()},
		{"watch-away", "the next round hides the difference", 80, 24, false, true, after(started(), differenceRequests(1)), busy()},
		{"watch-back", "the key hides the difference again", 80, 24, false, true, started(), differenceRequests(2)},
		{"watch-order", "the first failure in case order, whatever the order of events; a program judged twice is shown once", 80, 30, false, false, nil, reordered()},
		{"watch-unexpected", "examples that should fail but do not have no failure to explain", 80, 12, false, false, nil, unexpected()},
		{"watch-gone", "a problem that no longer exists is not shown", 80, 24, false, false, started(), vanished()},
		{"watch-brute", "a brute may exceed a limit, but must not answer wrongly", 80, 24, false, false, started(), bruteForces()},
		{"watch-sent", "a submission is under way, and its verdict is that of an earlier round", 80, 34, false, false, started(), after(submitted(watchmode.Sent, ""), submitted(watchmode.Waiting, "the server is busy, waiting for it"))},
		{"watch-served", "a server judges what was accepted here", 60, 24, false, false, accepting(), after(submitted(watchmode.Sent, ""), served(false))},
		{"watch-served-late", "a result of what was submitted in an earlier round", 80, 24, false, false, after(accepting(), submitted(watchmode.Sent, "")), after(again(2), served(false))},
		{"watch-withheld", "a server that does not show verdicts", 80, 24, false, false, accepting(), after(submitted(watchmode.Sent, ""), served(true))},
		{"watch-already", "another key while the server judges", 80, 24, false, false, after(accepting(), submitted(watchmode.Sent, "")), submitted(watchmode.Already, "")},
		{"watch-already-away", "another key while the server is away: the reason stays", 60, 24, false, false, after(accepting(), submitted(watchmode.Sent, "")), after(submitted(watchmode.Waiting, "the server does not answer, trying again for 2m0s: connection refused"), submitted(watchmode.Already, ""), submitted(watchmode.Already, ""))},
		{"watch-refused", "the next submission, which is refused, hides the result", 60, 24, false, false, after(accepting(), submitted(watchmode.Sent, ""), served(false)), after(submitted(watchmode.Sent, ""), submitted(watchmode.Refused, "http://judge.example: not a token, or mistyped (hint: judged token create makes one)\nand more"))},
		{"watch-many", "200 cases", 40, 16, false, true, nil, many()},
		{"watch-hostile", "texts of a contestant are escaped", 60, 40, true, false, nil, insulted()},
	}
}

// grading wraps events of judge grade in events of judge watch.
func grading(problem string, role watchmode.Role, events ...grade.Event) []watchmode.Event {
	var list []watchmode.Event
	for _, e := range events {
		if b, ok := e.(*grade.Begin); ok {
			named := *b
			named.Problem, e = problem, &named
		}
		list = append(list, &watchmode.Grading{Problem: problem, Role: role, Event: e})
	}
	return list
}

// after joins events and lists of events.
func after(parts ...any) []watchmode.Event {
	var list []watchmode.Event
	for _, p := range parts {
		switch p := p.(type) {
		case watchmode.Event:
			list = append(list, p)
		case []watchmode.Event:
			list = append(list, p...)
		default:
			panic(fmt.Sprintf("%T", p))
		}
	}
	return list
}

var threeCases = []string{"sample/statement", "edge/one", "large/two"}

func watching() *watchmode.Watching {
	return &watchmode.Watching{
		Problems: []string{"game", "maze"}, Submission: "try/maze.cc",
		Notes: []string{"files are polled: inotify watches ran out (hint: sysctl fs.inotify.max_user_watches=65536)"},
	}
}

// judgedReference returns the events of judging the reference.
func judgedReference(problem string) []watchmode.Event {
	b := begin(threeCases, "reference/"+problem)
	return grading(problem, watchmode.Reference,
		one(b, grade.Built{Build: grade.Build{Cached: true}}, stream(b, 0, verdict.AC, known(accepted(7)), known(accepted(12)), accepted(90))...)...)
}

// judgedExamples returns the events of judging four examples, one of them with an unexpected
// verdict.
func judgedExamples(problem string) []watchmode.Event {
	b := begin(threeCases, "accepted/a.cc", "wrong_answer/b.py", "time_limit_exceeded/c.go", "compile_error/d.cc")
	events := []grade.Event{b}
	for i := range b.Submissions {
		events = append(events, &grade.Built{Submission: i, Language: "cpp", Build: grade.Build{Cached: true}})
	}
	events = append(events, compileError(b, 3, verdict.CE))
	events = append(events, stream(b, 0, verdict.AC, accepted(1), accepted(2), accepted(3))...)
	events = append(events, stream(b, 1, verdict.WA, accepted(30), wrong(false))...)
	events = append(events, stream(b, 2, verdict.TLE, accepted(1), accepted(2), wrong(true))...)
	return grading(problem, watchmode.Example, append(events, &grade.End{Elapsed: time.Second})...)
}

func judgedSubmission() []watchmode.Event {
	b := begin(threeCases, "try/maze.cc")
	b.WantedCPUs, b.Busy = 2, []string{"CPUs shared with another judge: times may be longer"}
	return grading("maze", watchmode.Submission,
		one(b, grade.Built{Build: grade.Build{Time: 1204 * time.Millisecond}}, stream(b, 0, verdict.None, accepted(7), wrong(false))...)...)
}

func fresh(problem string) *watchmode.Expectations {
	return &watchmode.Expectations{Problem: problem, Plan: &regen.Plan{Problem: problem}, State: watchmode.Fresh}
}

// started returns the events of a first round.
func started() []watchmode.Event {
	return after(watching(), &watchmode.Round{Number: 1, Reason: watchmode.Start, Problems: []string{"game", "maze"}},
		&watchmode.Stage{Problem: "game", What: "compiling reference/game"},
		fresh("game"), judgedReference("game"),
		&watchmode.Stage{Problem: "maze", What: "compiling reference/maze"},
		fresh("maze"), judgedReference("maze"), judgedExamples("maze"),
		&watchmode.Stage{Problem: "maze", What: "compiling try/maze.cc"},
		judgedSubmission(),
		&watchmode.Settled{Number: 1, Elapsed: 2345 * time.Millisecond})
}

// busy returns the events of a second round, which interrupts a round and is not finished.
func busy() []watchmode.Event {
	submission := judgedSubmission()
	return after(
		&watchmode.Round{Number: 2, Reason: watchmode.Save, Paths: []string{"try/maze.cc"}, Problems: []string{"maze"}},
		&watchmode.Stage{Problem: "maze", What: "compiling try/maze.cc"},
		&watchmode.Round{Number: 3, Reason: watchmode.Save, Paths: []string{"cases/maze/edge.yaml", "cases/maze/large.yaml", "reference/maze/gen/main.go", "reference/maze/main.go", "try/maze.cc"}, Problems: []string{"maze"}},
		fresh("maze"),
		submission[:3], // the events up to the first case
		&watchmode.Stage{Problem: "maze", What: "judging try/maze.cc"})
}

// rewritten returns the events of a round in which expected outputs change.
func rewritten(last watchmode.State) []watchmode.Event {
	mismatch := wrong(false).Mismatch
	plan := &regen.Plan{Problem: "game", Changes: []regen.Change{
		{Case: "edge/one", Mismatch: mismatch}, {Case: "edge/new", New: true}, {Case: "large/two"},
	}}
	state := func(s watchmode.State) *watchmode.Expectations {
		e := &watchmode.Expectations{Problem: "game", Plan: plan, State: s}
		if s == watchmode.Held {
			e.Why = "git is in the middle of a rebase (.git/rebase-merge)"
		}
		return e
	}
	return after(
		&watchmode.Round{Number: 2, Reason: watchmode.Save, Paths: []string{"reference/game/main.go"}, Problems: []string{"game"}},
		&watchmode.Stage{Problem: "game", What: "compiling reference/game"},
		state(watchmode.Checking), judgedReference("game"), state(last),
		&watchmode.Settled{Number: 2, OK: last == watchmode.Written, Elapsed: 400 * time.Millisecond})
}

// brokenRound returns the events of a round with errors in most problems.
func brokenRound() []watchmode.Event {
	located := &yamlstrict.Error{File: "cases/game/edge.yaml", Line: 12, Msg: `unknown field "ouput"`, Hint: `did you mean "output"?`}
	pinned := fmt.Errorf("%w\nedge/one: line 2, column 3\n- 12⏎\n+ 13⏎", &yamlstrict.Error{
		File: "cases/maze/sample.yaml", Line: 7, Msg: "case statement: the reference disagrees with the pinned output, nothing is written",
		Hint: "pinned outputs are never rewritten: mend the reference or the case",
	})
	return after(watching(), &watchmode.Round{Number: 1, Reason: watchmode.Start, Problems: []string{"game", "maze"}},
		&watchmode.Failed{Problem: "game", Err: fmt.Errorf("loading: %w", located)},
		&watchmode.Failed{Problem: "maze", Err: pinned},
		judgedReference("maze"),
		&watchmode.Settled{Number: 1, Elapsed: time.Millisecond})
}

// misconfigured returns the events of a round that fails because of an error in runner.yaml.
func misconfigured() []watchmode.Event {
	return after(
		&watchmode.Round{Number: 2, Reason: watchmode.Save, Paths: []string{"runner.yaml"}, Problems: []string{"game", "maze"}},
		&watchmode.Failed{Err: errors.New("runner.yaml:3: slots: want a number from 1 to 1024")},
		&watchmode.Settled{Number: 2, Elapsed: time.Millisecond})
}

func mended() []watchmode.Event {
	return after(
		&watchmode.Round{Number: 3, Reason: watchmode.Save, Paths: []string{"cases/game/edge.yaml", "runner.yaml"}, Problems: []string{"game"}},
		fresh("game"), judgedReference("game"),
		&watchmode.Settled{Number: 3, OK: true, Elapsed: 30 * time.Millisecond})
}

func uncompiled() []watchmode.Event {
	b := begin(threeCases, "try/maze.cc")
	return after(&watchmode.Round{Number: 2, Reason: watchmode.Again, Problems: []string{"maze"}},
		grading("maze", watchmode.Submission, one(b, grade.Built{Build: grade.Build{Error: strings.Repeat(gccWords, 20)}}, compileError(b, 0, verdict.None))...),
		&watchmode.Failed{Problem: "game", Err: errors.New("reference/game: compile error: main.go:3:5: undefined: x")},
		&watchmode.Settled{Number: 2, Elapsed: 300 * time.Millisecond})
}

// differenceRequests returns events that request the difference the given number of times.
func differenceRequests(times int) []watchmode.Event {
	m := *wrong(false).Mismatch
	for i := range 30 {
		m.Lines = append(m.Lines, diff.Line{Op: " ", Want: 3 + i, Got: 3 + i, Text: fmt.Sprintf("%d⏎", i)})
	}
	var events []watchmode.Event
	for range times {
		events = append(events, &watchmode.Difference{Problem: "maze", Role: watchmode.Submission, Case: "edge/one", Mismatch: &m, Cause: "differs at line 2, column 3"})
	}
	return events
}

// smaller returns the event of a counterexample.
func smaller(name string, inputs int) []watchmode.Event {
	return []watchmode.Event{&watchmode.Counterexample{
		Problem: "maze", Role: watchmode.Submission, Submission: name, Case: "edge/one", Seed: 1, Inputs: inputs, Flags: []string{"--lang=c++"}, Input: []byte("1 1\n#\n"), Want: []byte("0\n"),
		Answer: watchmode.Answer{Verdict: verdict.WA, Cause: "differs from line 1, column 1", Mismatch: wrong(false).Mismatch, Output: []byte("1\n")},
	}}
}

// reordered returns the events of a round that judges each example separately, one of them twice,
// and the cases from last to first.
func reordered() []watchmode.Event {
	events := after(&watchmode.Watching{Problems: []string{"maze"}},
		&watchmode.Round{Number: 1, Reason: watchmode.Start, Problems: []string{"maze"}})
	for _, name := range []string{"accepted/a.cc", "accepted/b.cc", "accepted/a.cc", "accepted/c.cc"} {
		b := begin(threeCases, name)
		list := stream(b, 0, verdict.AC, accepted(1), wrong(false), wrong(true))
		cases := []grade.Event{b, &grade.Built{Build: grade.Build{Cached: true}}, list[4], list[2], list[0], list[6]}
		if name == "accepted/b.cc" {
			cases = one(b, grade.Built{}, stream(b, 0, verdict.AC, accepted(1), accepted(2), accepted(3))...)
		}
		events = append(events, grading("maze", watchmode.Example, cases...)...)
	}
	return append(events, &watchmode.Settled{Number: 1, Elapsed: time.Second})
}

// unexpected returns the events of a round in which two examples get better verdicts than expected.
func unexpected() []watchmode.Event {
	b := begin(threeCases, "wrong_answer/a.cc", "wrong_answer/b.cc")
	events := []grade.Event{b, &grade.Built{}, &grade.Built{Submission: 1}}
	for i := range b.Submissions {
		events = append(events, stream(b, i, verdict.WA, accepted(1), accepted(2), accepted(3))...)
	}
	return after(&watchmode.Watching{Problems: []string{"maze"}},
		&watchmode.Round{Number: 1, Reason: watchmode.All, Problems: []string{"maze"}},
		grading("maze", watchmode.Example, events...),
		&watchmode.Settled{Number: 1, Elapsed: time.Second})
}

// vanished returns the events of a round after a problem has been removed.
func vanished() []watchmode.Event {
	return after(
		&watchmode.Round{Number: 2, Reason: watchmode.Save, Paths: []string{"problems/maze.yaml"}, Gone: []string{"maze"}},
		&watchmode.Settled{Number: 2, OK: true, Elapsed: time.Millisecond})
}

// bruteForces returns the events of a round that judges the brute-force solvers of two problems.
func bruteForces() []watchmode.Event {
	brute := func(problem string, failed grade.Case) []watchmode.Event {
		b := begin(threeCases, "reference/"+problem+"/brute")
		return grading(problem, watchmode.BruteForce, one(b, grade.Built{Build: grade.Build{Cached: true}}, stream(b, 0, verdict.None, accepted(7), failed)...)...)
	}
	exceeded := accepted(1001)
	exceeded.Verdict, exceeded.Cause = verdict.TLE, "used more CPU time than 1 s"
	return after(
		&watchmode.Round{Number: 2, Reason: watchmode.Save, Paths: []string{"reference/maze/input.go"}, Problems: []string{"game", "maze"}},
		brute("game", exceeded), brute("maze", wrong(false)),
		&watchmode.Settled{Number: 2, Elapsed: time.Second})
}

// many returns the events about a submission with 200 cases and every verdict.
func many() []watchmode.Event {
	_, cases := allVerdicts()
	var names []string
	for i := range 200 {
		names = append(names, fmt.Sprintf("edge/with-a-rather-long-name-%d", i))
		if i >= len(cases) {
			cases = append(cases, accepted(i))
		}
	}
	b := begin(names, "reference/maze/submissions/wrong_answer/a_name_that_is_wider_than_the_terminal.cc")
	return after(&watchmode.Watching{Problems: []string{"maze"}, Submission: b.Submissions[0]},
		&watchmode.Round{Number: 1, Reason: watchmode.Fails, Problems: []string{"maze"}},
		fresh("maze"),
		grading("maze", watchmode.Submission, one(b, grade.Built{Build: grade.Build{Cached: true}}, stream(b, 0, verdict.None, cases[:150]...)...)...),
		&watchmode.Settled{Number: 1, Elapsed: time.Second})
}

// insulted returns events with escape sequences in their texts.
func insulted() []watchmode.Event {
	evil := "\x1b[2J\x1b]0;owned\x07\r\n\t\xff\u202e日本語 wide 日本語 wide 日本語 wide"
	return after(
		&watchmode.Watching{Problems: []string{"maze"}, Submission: evil, Notes: []string{evil}},
		&watchmode.Round{Number: 1, Reason: watchmode.Save, Paths: []string{evil, evil}, Problems: []string{"maze"}},
		&watchmode.Stage{Problem: evil, What: evil},
		&watchmode.Failed{Problem: "maze", Err: errors.New(evil + "\n" + evil)},
		&watchmode.Expectations{Problem: "maze", State: watchmode.Pending, Plan: &regen.Plan{Changes: []regen.Change{{Case: evil, New: true}}}},
		&watchmode.Failed{Problem: "maze", Err: errors.New(evil + "\n" + evil)},
		grading("maze", watchmode.Submission, hostile()...),
		&watchmode.Settled{Number: 1, Elapsed: time.Second},
		smaller(evil, 7)[0],
		&watchmode.Counterexample{
			Problem: "maze", Submission: evil, Case: evil, Input: []byte(evil), Want: []byte(evil),
			Answer: watchmode.Answer{Verdict: verdict.RTE, Cause: evil, Message: []byte(evil), Stderr: []byte(evil), Output: []byte(evil)},
		})
}

// accepting returns the events of a round that accepts the submission to a problem for which there is a server.
func accepting() []watchmode.Event {
	return after(&watchmode.Watching{Problems: []string{"maze"}, Submission: "try/maze.cc", Server: "http://judge.example"}, again(1))
}

// again returns the events of a round that accepts the submission.
func again(number int) []watchmode.Event {
	b := begin(threeCases, "try/maze.cc")
	b.Notes = []string{sandbox.KnownGaps + " (docs/sandbox.md): covert channels", "memory is polled here, so a short peak may be missed"}
	return after(&watchmode.Round{Number: number, Reason: watchmode.Again, Problems: []string{"maze"}},
		grading("maze", watchmode.Submission, one(b, grade.Built{}, stream(b, 0, verdict.None, accepted(7), accepted(1), accepted(2))...)...),
		&watchmode.Settled{Number: number, OK: true, Elapsed: time.Second})
}

func submitted(state watchmode.SubmissionState, why string) []watchmode.Event {
	return []watchmode.Event{&watchmode.Submitted{Submission: "try/maze.cc", Server: "http://judge.example", State: state, Why: why}}
}

// served returns the events of a server that has judged the submission on more cases, and may withhold the verdict.
func served(withheld bool) []watchmode.Event {
	b := begin(append(threeCases, "secret/4"), "maze.cc")
	b.Notes, b.Withheld = []string{sandbox.KnownGaps + " (docs/sandbox.md): covert channels", "judged by w1 on h1"}, withheld
	events := one(b, grade.Built{}, stream(b, 0, verdict.None, accepted(7), accepted(1), accepted(2), wrong(false))...)
	if withheld {
		events = []grade.Event{b, &grade.Built{}, &grade.Done{Cause: "the verdict is not shown to submitters", Total: 4}}
	}
	return grading("maze", watchmode.Served, events...)
}
