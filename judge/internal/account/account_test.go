package account

import (
	"bytes"
	"testing"
	"time"

	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/document"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
)

// judged holds the events of one submission on four cases, of which three are judged, out of order.
func judged() []grade.Event {
	wrong := func(index int, name string) *grade.Case {
		return &grade.Case{Index: index, Name: name, Verdict: verdict.WA, Mismatch: &diff.Mismatch{}, Message: "no", Stderr: "oh",
			Transcript: []sandbox.Piece{{}}}
	}
	return []grade.Event{
		&grade.Begin{Cases: []string{"a/0", "a/1", "a/2", "a/3"}, Submissions: []string{"a.c"}},
		&grade.Built{Language: "c", Build: grade.Build{Cached: true}},
		wrong(2, "a/2"), &grade.Progress{Done: 1, Total: 4}, wrong(0, "a/0"),
		&grade.Case{Index: 1, Name: "a/1", Verdict: verdict.AC, Stderr: "well", Cached: true},
		&grade.Done{Verdict: verdict.WA, First: "a/0", Total: 4, Judged: 3, Passed: 1},
		&grade.End{Elapsed: time.Second},
	}
}

func TestExecution(t *testing.T) {
	t.Parallel()
	x := &Execution{Full: -1}
	for i, e := range judged() {
		if x.Ended || i > 0 && x.Submissions[0].Finished && x.Elapsed != 0 {
			t.Fatalf("ended before event %d", i)
		}
		x.Apply(e)
	}
	s := x.Submissions[0]
	if !x.Ended || x.Elapsed != time.Second || !s.Finished || s.Name != "a.c" || s.Language != "c" || !s.Build.Cached || s.Done.Cached != 0 {
		t.Errorf("%+v, %+v", x, s)
	}
	if s.On(3) != nil || s.On(2) == nil || s.On(2).Name != "a/2" || s.On(0).Name != "a/0" {
		t.Error("On does not find the cases by their indices")
	}
	if list := s.Failing(); len(list) != 2 || list[0].Name != "a/2" || list[1].Name != "a/0" || len(s.Cases) != 3 {
		t.Errorf("failing: %+v of %d", list, len(s.Cases))
	}
	if s.Deciding() != s.On(0) {
		t.Errorf("decided by %+v, want the case that the event names", s.Deciding())
	}
	if d := (&Submission{}).Deciding(); d != nil {
		t.Errorf("decided by %+v without a case", d)
	}
	var cell Cell
	sheet := NewSheet(nil, []SheetProblem{{ID: "p"}})
	if sheet.Set(&cell, 0, s); cell.Points != 0 || cell.Verdict != verdict.WA || len(cell.Details.Cases) != 1 || cell.Details.On(0).Name != "a/0" || cell.Details.On(2) != nil {
		t.Errorf("the cell is %+v with the details %+v", cell, cell.Details)
	}
	if sheet.Set(&cell, 0, &Submission{Done: grade.Done{Verdict: verdict.AC}}); cell.Points != 1 {
		t.Errorf("%v points for an accepted submission without points of its own, want 1", cell.Points)
	}
	if n := s.Count(func(c *Case) bool { return c.Cached }); n != 1 {
		t.Errorf("%d cached", n)
	}
	defer func() {
		if recover() == nil {
			t.Error("Apply accepts a nil event")
		}
	}()
	x.Apply(nil)
}

// TestFull checks that the first failing cases keep their details, as many as Full says.
func TestFull(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		full int
		kept []bool // in the order of the events
	}{{0, []bool{false, false, false}}, {1, []bool{true, false, false}}, {9, []bool{true, true, false}}, {-1, []bool{true, true, true}}} {
		x := &Execution{Full: tt.full}
		events := judged()
		for _, e := range events {
			x.Apply(e)
		}
		for i, c := range x.Submissions[0].Cases {
			if (c.Stderr != "") != tt.kept[i] || (c.Mismatch != nil) != (tt.kept[i] && c.Verdict != verdict.AC) || c.Transcript != nil {
				t.Errorf("%d in full: case %d is %+v", tt.full, i, c)
			}
		}
		if c := events[2].(*grade.Case); c.Mismatch == nil || c.Message == "" || c.Transcript == nil {
			t.Errorf("the event was changed: %+v", c)
		}
	}
}

func TestSpread(t *testing.T) {
	t.Parallel()
	run := func(v verdict.Verdict, cpu, wall, waited time.Duration, memory int) grade.Attempt {
		return grade.Attempt{Verdict: v, CPU: cpu, Wall: wall, CPUWait: waited, Memory: 1 << memory}
	}
	list := []grade.Attempt{run(verdict.AC, 4, 5, 1, 9), run(verdict.JE, 99, 99, 99, 60), run(verdict.TLE, 3, 9, 2, 8), run(verdict.AC, 1, 7, 0, 7), run(verdict.AC, 8, 6, 0, 3)}
	if got := *NewSpread(list); got != (Spread{CPU: Times{1, 3, 8}, Wall: Times{5, 6, 9}, CPUWait: 2, Memory: 512}) {
		t.Errorf("%+v", got)
	}
	if got := *NewSpread(list[2:]); got.CPU != (Times{1, 3, 8}) || got.Wall != (Times{6, 7, 9}) {
		t.Errorf("the median of three: %+v", got)
	}
	if list[0].CPU != 4 {
		t.Error("the attempts were sorted")
	}
	for _, none := range [][]grade.Attempt{nil, list[1:2]} {
		if s := NewSpread(none); s != nil {
			t.Errorf("%+v of %+v", s, none)
		}
	}
}

// TestNamesOnce checks that no field of an embedded event hides another one of the same name.
func TestNamesOnce(t *testing.T) {
	t.Parallel()
	x := &Execution{Full: -1}
	for _, e := range judged() {
		x.Apply(e)
	}
	var b bytes.Buffer
	if err := document.Write(&b, x); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"submissions": [` + "\n    {", `"name": "a.c"`, `"name": "a/2"`, `"stop": "exited"`, `"cached": true`, `"stderr": "well"`} {
		if !bytes.Contains(b.Bytes(), []byte(want)) {
			t.Errorf("no %s in\n%s", want, b.String())
		}
	}
}
