package calibrate

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"tribunal/judge/internal/event"
	"tribunal/judge/internal/grade/gradetest"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/repo"
)

// TestRun measures played programs, each with exact times, and compares what Run proposes and finds. It changes the
// repository of testdata/burn.txtar, whose limits are suitable.
func TestRun(t *testing.T) {
	t.Parallel()
	base, err := txtar.ParseFile("testdata/burn.txtar")
	if err != nil {
		t.Fatal(err)
	}
	const (
		document = "problems/burn.yaml"
		accepted = "reference/burn/submissions/accepted/"
		slow     = "reference/burn/submissions/time_limit_exceeded/"
		hoarding = "reference/burn/submissions/memory_limit_exceeded/"
		quick    = accepted + "quick.play"
		ever     = slow + "ever.play"
	)
	const suitable = "{cpu: 150ms, wall: 60s, memory: 16MiB, output: 64KiB}"
	for _, tt := range []struct {
		why                  string
		edit                 func(r *gradetest.Repository)
		cpu, memory          string // smallest and largest limit that is right, and by which programs
		line, findings, note string
	}{
		{"the present limits are suitable", nil, "50ms by quick.play on sample/two, at least 200ms by ever.play", "4.0 MiB by quick.play on sample/one", suitable, "", ""},
		{"the limit is too low; the wall limit follows if the problem does not set it", func(r *gradetest.Repository) {
			r.Edit(document, "cpu: 150ms, wall: 1m", "cpu: 30ms")
			r.Edit(quick, "cpu 25ms", "cpu 26ms")
		}, "52ms by quick.play on sample/two, at least 200ms by ever.play", "4.0 MiB by quick.play on sample/one", "{cpu: 100ms, memory: 16MiB, output: 64KiB}", `
cpu: quick.play needs 26ms of 30ms on sample/two, more than half`, ""},
		{"exactly half", func(r *gradetest.Repository) { r.Edit(document, "cpu: 150ms", "cpu: 50ms") },
			"50ms by quick.play on sample/two, at least 200ms by ever.play", "4.0 MiB by quick.play on sample/one", "{cpu: 50ms, wall: 60s, memory: 16MiB, output: 64KiB}", "", ""},
		{"a program is hardly too slow", func(r *gradetest.Repository) {
			r.Edit(document, "cpu: 150ms", "cpu: 50ms")
			r.Write(slow+"more.play", "*: cpu 62ms, echo")
		}, "50ms by quick.play on sample/two, 41.3ms by more.play", "4.0 MiB by quick.play on sample/one", "", `
cpu: more.play takes 62ms on sample/one, but a limit of 50ms is sure to stop only programs that take at least 75ms
cpu: no limit is right: quick.play takes 25ms on sample/two and needs at least 50ms, more.play takes 62ms and needs at most 41.3ms, 1.2 times less`, ""},
		{"a program is not stopped", func(r *gradetest.Repository) { r.Write(slow+"more.play", "*: cpu 90ms, echo") },
			"50ms by quick.play on sample/two, 60ms by more.play", "4.0 MiB by quick.play on sample/one", "{cpu: 50ms, wall: 60s, memory: 16MiB, output: 64KiB}", `
cpu: more.play takes 90ms of 150ms on sample/one, and is not stopped`, ""},
		{"the slowest cases are measured again, and the largest median counts", func(r *gradetest.Repository) {
			r.Edit(quick, "1: cpu 20ms", "first 1: cpu 30ms, memory 2MiB, echo\n1: cpu 20ms")
		}, "50ms by quick.play on sample/two, at least 200ms by ever.play", "4.0 MiB by quick.play on sample/one", suitable, "", ""},
		{"no example is too slow", func(r *gradetest.Repository) { r.Edit(ever, "", "") },
			"50ms by quick.play on sample/two, no end", "4.0 MiB by quick.play on sample/one", suitable, `
cpu: no example exceeds it`, ""},
		{"no example is accepted, so that only the reference counts", func(r *gradetest.Repository) { r.Edit(quick, "", "") },
			"2ms by burn on sample/one, at least 200ms by ever.play", "2.0 MiB by burn on sample/one", suitable, "", ""},
		{"examples with another verdict than promised do not count", func(r *gradetest.Repository) {
			r.Write(accepted+"typo.typo", "x")
			r.Write(accepted+"wrong.play", "*: cpu 70ms, print x")
			r.Write(slow+"sleeps.play", "*: sleeps")
		}, "50ms by quick.play on sample/two, at least 200ms by ever.play", "4.0 MiB by quick.play on sample/one", suitable, `
typo.typo gets CE and does not count: the compiler exited with status 1 without a message
wrong.play gets WA on sample/one and does not count: differs from line 1, column 1
sleeps.play gets ILE on sample/one and does not count: took longer than 2m0s of wall time`, ""},
		{"programs that must use too much memory", func(r *gradetest.Repository) { r.Write(hoarding+"hoards.play", "*: memory 1GiB") },
			"50ms by quick.play on sample/two, at least 200ms by ever.play", "4.0 MiB by quick.play on sample/one, at least 32.0 MiB by hoards.play", suitable, "", ""},
		{"a program that must use too much memory and does not", func(r *gradetest.Repository) { r.Write(hoarding+"hoards.play", "*: memory 9MiB, echo") },
			"50ms by quick.play on sample/two, at least 200ms by ever.play", "4.0 MiB by quick.play on sample/one, 9.0 MiB by hoards.play", "{cpu: 150ms, wall: 60s, memory: 8MiB, output: 64KiB}", `
memory: hoards.play takes 9.0 MiB of 16.0 MiB, and is not stopped`, ""},
		{"a compiler that is not installed", func(r *gradetest.Repository) { r.Write(accepted+"other.absent", "x") },
			"50ms by quick.play on sample/two, at least 200ms by ever.play", "4.0 MiB by quick.play on sample/one", suitable, "", `
not measured: other.absent: language absent: compiler-of-old not found (hint: install it, or set languages.absent in runner.yaml)`},
	} {
		r := gradetest.New(t, base)
		if tt.edit != nil {
			tt.edit(r)
		}
		report, err := runOn(t, r, Options{Beyond: 300 * time.Millisecond, Repeat: 3})
		if err != nil {
			t.Errorf("%s: %v", tt.why, err)
			continue
		}
		short := strings.NewReplacer(r.Root+"/", "", accepted, "", slow, "", hoarding, "", "reference/", "")
		var notes []string
		for _, n := range report.Notes {
			if strings.HasPrefix(n, "not measured: ") { // the others are about this host
				notes = append(notes, n)
			}
		}
		for _, part := range []struct{ what, got, want string }{
			{"cpu", describeLimit(report.Limits[0]), tt.cpu},
			{"memory", describeLimit(report.Limits[2]), tt.memory},
			{"line", report.Line, tt.line},
			{"findings", strings.Join(report.Findings, "\n"), strings.TrimPrefix(tt.findings, "\n")},
			{"notes", strings.Join(notes, "\n"), strings.TrimPrefix(tt.note, "\n")},
		} {
			if got := short.Replace(part.got); got != part.want {
				t.Errorf("%s: %s:\n%s", tt.why, part.what, cmp.Diff(part.want, got))
			}
		}
	}
}

// describeLimit returns the range of a proposal.
func describeLimit(p Proposal) string {
	text := func(n int64) string { return limits.Bytes(n).Human() }
	if p.Unit == "ns" {
		text = func(n int64) string { return short(time.Duration(n)).String() }
	}
	s := fmt.Sprintf("%s by %s on %s", text(p.Least), p.By, p.On)
	switch {
	case p.Stops == "" && p.Unit == "ns":
		s += ", no end"
	case p.Stops != "":
		s += ", "
		if p.AtLeast {
			s += "at least "
		}
		s += text(p.Most) + " by " + p.Stops
	}
	return s
}

// runOn calls Run for the problem burn.
func runOn(t *testing.T, r *gradetest.Repository, o Options) (*Report, error) {
	t.Helper()
	p, err := repo.Load(r.Root, "burn")
	if err != nil {
		t.Fatal(err)
	}
	target := &Target{Judge: r.Judge(p), WallSet: p.Limits.Wall > 0, WallFactor: 3}
	target.Task.Problem, target.Task.Limits = p, p.Limits
	target.Task.Limits.Processes = limits.Processes
	if !target.WallSet {
		target.Task.Limits.Wall = 3 * p.Limits.CPU
	}
	set, err := p.Cases()
	if err != nil {
		t.Fatal(err)
	}
	target.Task.Cases = set.Cases
	return Run(t.Context(), target, o)
}

// TestRunEvents checks the measurements of each program, the order of the events, and that a program's slowest cases run
// again as often as Repeat says.
func TestRunEvents(t *testing.T) {
	t.Parallel()
	base, err := txtar.ParseFile("testdata/burn.txtar")
	if err != nil {
		t.Fatal(err)
	}
	r := gradetest.New(t, base)
	var events []string
	report, err := runOn(t, r, Options{Repeat: 5, Emit: func(e event.Event) {
		switch e := e.(type) {
		case *event.Stage:
			events = append(events, e.What)
		case *Program:
			events = append(events, fmt.Sprintf("%s %s %s: %v to %v on %s, at least %v; %s on %s", e.Name, e.Want, e.Got, e.Low, e.High, e.Case, e.AtLeast, e.Memory.Human(), e.MemoryAt))
		default:
			events = append(events, e.Kind())
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"measuring accepted programs",
		"measuring reference/burn",
		"reference/burn AC AC: 1ms to 1ms on sample/one, at least false; 1.0 MiB on sample/one",
		"measuring reference/burn/submissions/accepted/quick.play",
		"reference/burn/submissions/accepted/quick.play AC AC: 25ms to 25ms on sample/two, at least false; 2.0 MiB on sample/one",
		"measuring programs that are too slow",
		"reference/burn/submissions/time_limit_exceeded/ever.play TLE TLE: 1.5s to 1.5s on sample/one, at least true; 1.0 MiB on sample/one",
		"end",
	}
	for i, e := range events {
		events[i] = strings.ReplaceAll(e, r.Root+"/", "")
	}
	if d := cmp.Diff(want, events); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if report.Beyond != 1500*time.Millisecond || report.Repeat != 5 || len(report.Programs) != 3 || len(report.Languages) != 1 || report.Languages[0].Programs != 2 {
		t.Errorf("got %+v", report)
	}
}

// TestRunRefuses checks that a reference that does not compile is an error.
func TestRunRefuses(t *testing.T) {
	t.Parallel()
	base, err := txtar.ParseFile("testdata/burn.txtar")
	if err != nil {
		t.Fatal(err)
	}
	r := gradetest.New(t, base)
	r.Edit("reference/burn/main.play", "", "")
	r.Write("reference/burn/main.typo", "x")
	want := r.Root + "/reference/burn: compile error: "
	if report, err := runOn(t, r, Options{Repeat: 1}); err == nil || report != nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, %v, want %s", report, err, want)
	}
}
