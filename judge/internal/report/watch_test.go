package report

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/regen"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/internal/watchmode"
	"tribunal/judge/internal/yamlstrict"
)

// A watchScenario is a stream of a watch, and the terminal it is shown on.
type watchScenario struct {
	name, why  string
	cols, rows int
	color      bool
	again      bool              // only the screen has anything new to show
	before     []watchmode.Event // that other scenarios are about
	events     []watchmode.Event
}

func watchScenarios() []watchScenario {
	return []watchScenario{
		{"watch-start", "all that there is to tell when all is well but a submission and an example", 80, 34, false, false, nil, started()},
		{"watch-color", "the same with colours", 80, 34, true, true, nil, started()},
		{"watch-narrow", "what is wrong comes before what is well", 40, 12, false, true, nil, started()},
		{"watch-busy", "a round that goes on: what an earlier one told says so", 80, 34, false, false, started(), busy()},
		{"watch-stale-short", "what an earlier round found wrong comes last", 80, 7, false, true, started(), busy()[:3]},
		{"watch-busy-short", "what goes on comes before what an earlier round has told", 80, 10, false, true, started(), busy()},
		{"watch-written", "old and new of every change", 80, 44, false, false, started(), rewritten(watchmode.Written)},
		{"watch-pending", "changes wait for a key", 80, 24, false, false, started(), rewritten(watchmode.Pending)},
		{"watch-held", "changes wait for git", 80, 24, false, false, started(), rewritten(watchmode.Held)},
		{"watch-short", "where there is no room for changes, there is for the verdicts", 80, 10, false, true, started(), rewritten(watchmode.Pending)},
		{"watch-broken", "errors are not cut off, and the others go on", 60, 24, false, false, nil, broke()},
		{"watch-config", "what is wrong for all problems stands first", 60, 24, false, false, broke(), misconfigured()},
		{"watch-mending", "also while it goes on", 60, 24, false, true, after(broke(), misconfigured()), mended()[:2]},
		{"watch-mended", "a failure is forgotten once the round gets on", 60, 24, false, false, after(broke(), misconfigured()), mended()},
		{"watch-compile", "a compiler's words, bounded", 80, 24, false, false, started(), uncompiled()},
		{"watch-difference", "all of a difference, as far as the screen goes", 80, 12, false, false, started(), wished(1)},
		{"watch-away", "and away with the next round", 80, 24, false, true, after(started(), wished(1)), busy()},
		{"watch-back", "and back", 80, 24, false, true, started(), wished(2)},
		{"watch-order", "the first failure in case order, however they are told; who is judged again is told once", 80, 30, false, false, nil, reordered()},
		{"watch-unexpected", "there is no failure to explain where one was expected", 80, 12, false, false, nil, unexpected()},
		{"watch-gone", "nothing is told of a problem that is not there any more", 80, 24, false, false, started(), vanished()},
		{"watch-brute", "a limit is out of a brute's reach, a wrong answer is a fault", 80, 24, false, false, started(), doubted()},
		{"watch-many", "200 cases", 40, 16, false, true, nil, many()},
		{"watch-hostile", "nothing of a contestant reaches the terminal raw", 60, 40, true, false, nil, insulted()},
	}
}

// grading wraps the events of a Grade call.
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

// after joins events and lists of them.
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

// judgedReference is the reference's way through its cases.
func judgedReference(problem string) []watchmode.Event {
	b := begin(threeCases, "reference/"+problem)
	return grading(problem, watchmode.Reference,
		one(b, grade.Built{Build: grade.Build{Cached: true}}, stream(b, 0, verdict.AC, known(accepted(7)), known(accepted(12)), accepted(90))...)...)
}

// judgedExamples are four examples, one of which gets another verdict than it should.
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

// started is the first round of a watch.
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

// busy is a second round that interrupts one and has not come to an end.
func busy() []watchmode.Event {
	submission := judgedSubmission()
	return after(
		&watchmode.Round{Number: 2, Reason: watchmode.Save, Paths: []string{"try/maze.cc"}, Problems: []string{"maze"}},
		&watchmode.Stage{Problem: "maze", What: "compiling try/maze.cc"},
		&watchmode.Round{Number: 3, Reason: watchmode.Save, Paths: []string{"cases/maze/edge.yaml", "cases/maze/large.yaml", "reference/maze/gen/main.go", "reference/maze/main.go", "try/maze.cc"}, Problems: []string{"maze"}},
		fresh("maze"),
		submission[:3], // up to the first case
		&watchmode.Stage{Problem: "maze", What: "judging try/maze.cc"})
}

// rewritten is a round in which expectations change.
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

// broke is a round in which hardly anything can be done.
func broke() []watchmode.Event {
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

// misconfigured is a round in which nothing can be done at all.
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

// wished asks so many times for a difference.
func wished(times int) []watchmode.Event {
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

// reordered is a round that judges each example by itself, the cases from the last to
// the first, and one of them twice.
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

// unexpected is a round in which two examples are better than they should be.
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

// vanished is a round in which a problem is gone.
func vanished() []watchmode.Event {
	return after(
		&watchmode.Round{Number: 2, Reason: watchmode.Save, Paths: []string{"problems/maze.yaml"}, Gone: []string{"maze"}},
		&watchmode.Settled{Number: 2, OK: true, Elapsed: time.Millisecond})
}

// doubted is a round that judges the brutes of two problems.
func doubted() []watchmode.Event {
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

// many is a submission with a mark for every verdict, and many others.
func many() []watchmode.Event {
	_, cases := zoo()
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

// insulted is a watch over texts that attack the reader's terminal.
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
		&watchmode.Settled{Number: 1, Elapsed: time.Second})
}
