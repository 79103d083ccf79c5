package ledger

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tribunal/judge/judged/internal/store"
)

// player adds events to a fold, each as the next record.
type player struct {
	*Fold
	t testing.TB
}

func newPlayer(t testing.TB) *player { return &player{NewFold(), t} }

func (p *player) play(subject string, e Event) Change {
	p.t.Helper()
	e.At = time.Unix(int64(p.Sequence)+1, 0).UTC()
	c, err := p.Add(store.Record{Sequence: p.Sequence + 1, Subject: subject, Data: Encode(e)})
	if err != nil {
		p.t.Fatal(err)
	}
	return c
}

// ofSubmission returns an event of judging 1 of a submission by the name that it has in the table below.
// attempt is the present one.
func ofSubmission(name string, attempt int) Event {
	name, what, _ := strings.Cut(name, "/")
	judging, part := 1, 0
	parts := []Range{{0, 2}, {2, 4}, {4, 6}}
	switch what {
	case "late":
		attempt--
	case "early":
		attempt++
	case "other":
		judging = 2
	case "zero":
		judging = 0
	case "second":
		part = 1
	case "fourth":
		part = 3
	case "negative":
		part = -1
	case "whole":
		parts = parts[:1]
	}
	ref := store.RefOf([]byte(name))
	return map[string]Event{
		"submitted": {Submitted: &Submitted{Submitter: "ann", Problem: "sum", Version: "v1", Source: ref, Priority: Batch}},
		"rejudged":  {Rejudged: &Rejudged{Judging: judging + 1, Version: "v2", Batch: "b"}},
		"split":     {Split: &Split{Judging: judging, Attempt: attempt, Parts: parts}},
		"part":      {Part: &Part{Judging: judging, Attempt: attempt, Part: part, Result: ref}},
		"ended":     {Ended: &Ended{Judging: judging, Attempt: attempt, Result: ref}},
		"failed":    {Failed: &Failed{Judging: judging, Attempt: attempt, Error: "error"}},
		"held":      {Failed: &Failed{Judging: judging, Attempt: attempt, Error: "error", Held: true}},
		"released":  {Released: &Released{Judging: judging}},
		"cancelled": {Cancelled: &Cancelled{Judging: judging, Reason: "reason"}},
		"erased":    {Erased: &Erased{}},
		"uploaded":  {Uploaded: &Uploaded{}},
		"checked":   {Checked: &Checked{}},
		"applied":   {Applied: &Applied{}},
	}[name]
}

// state returns the name of the state of a submission in the table below.
func state(s *Submission) string {
	switch {
	case s == nil:
		return "none"
	case s.Erased:
		return "erased"
	case len(s.Judgings) > 1:
		return "rejudged"
	}
	j := s.Judgings[0]
	switch {
	case j.Status != Waiting:
		return string(j.Status)
	case slices.ContainsFunc(j.Results, func(r PartResult) bool { return r.Ref.Hash != "" }):
		return "part"
	case j.Parts != nil:
		return "split"
	case j.Series > 0:
		return "released"
	case j.Attempt > 1:
		return "failed"
	}
	return string(j.Status)
}

// table holds what becomes of a submission: the state in each column after the event of each row. The
// event is ignored where there is a dot.
const table = `
              none      waiting   split     part      failed    held      released  done      cancelled erased
submitted     waiting   .         .         .         .         .         .         .         .         .
rejudged      .         rejudged  rejudged  rejudged  rejudged  rejudged  rejudged  rejudged  rejudged  .
rejudged/zero .         .         .         .         .         .         .         .         .         .
rejudged/other .        .         .         .         .         .         .         .         .         .
split         .         split     .         .         split     .         split     .         .         .
split/whole   .         .         .         .         .         .         .         .         .         .
split/late    .         .         .         .         .         .         .         .         .         .
split/early   .         .         .         .         .         .         .         .         .         .
split/other   .         .         .         .         .         .         .         .         .         .
part          .         .         part      .         .         .         .         .         .         .
part/second   .         .         part      part      .         .         .         .         .         .
part/fourth   .         .         .         .         .         .         .         .         .         .
part/negative .         .         .         .         .         .         .         .         .         .
part/late     .         .         .         .         .         .         .         .         .         .
part/early    .         .         .         .         .         .         .         .         .         .
part/other    .         .         .         .         .         .         .         .         .         .
ended         .         done      done      done      done      .         done      .         .         .
ended/late    .         .         .         .         .         .         .         .         .         .
ended/early   .         .         .         .         .         .         .         .         .         .
ended/other   .         .         .         .         .         .         .         .         .         .
ended/zero    .         .         .         .         .         .         .         .         .         .
failed        .         failed    failed    failed    failed    .         released  .         .         .
failed/late   .         .         .         .         .         .         .         .         .         .
failed/early  .         .         .         .         .         .         .         .         .         .
failed/other  .         .         .         .         .         .         .         .         .         .
held          .         held      held      held      held      .         held      .         .         .
held/late     .         .         .         .         .         .         .         .         .         .
released      .         .         .         .         .         released  .         .         .         .
released/other .        .         .         .         .         .         .         .         .         .
cancelled     .         cancelled cancelled cancelled cancelled cancelled cancelled .         .         .
cancelled/other .       .         .         .         .         .         .         .         .         .
erased        erased    erased    erased    erased    erased    erased    erased    erased    erased    .
uploaded      .         .         .         .         .         .         .         .         .         .
checked       .         .         .         .         .         .         .         .         .         .
applied       .         .         .         .         .         .         .         .         .         .
`

// reached holds the events that lead to a state.
var reached = map[string]string{
	"none": "", "waiting": "submitted", "split": "submitted split", "part": "submitted split part", "failed": "submitted failed",
	"held": "submitted held", "released": "submitted held released", "done": "submitted ended", "cancelled": "submitted cancelled",
	"erased": "submitted erased",
}

// present returns the present attempt of judging 1.
func present(s *Submission) int {
	if s == nil || s.Erased {
		return 1
	}
	return s.Judgings[0].Attempt
}

// TestSubmissions plays every event in every state.
func TestSubmissions(t *testing.T) {
	t.Parallel()
	rows := strings.Split(strings.TrimSpace(table), "\n")
	states := strings.Fields(rows[0])
	if got := slices.Sorted(maps.Keys(reached)); !slices.Equal(got, slices.Sorted(slices.Values(states))) {
		t.Errorf("the states of the table are %v, want %v", states, got)
	}
	for _, row := range rows[1:] {
		cells := strings.Fields(row)
		for i, from := range states {
			cell := fmt.Sprintf("%s, when %s", cells[0], from)
			p := newPlayer(t)
			for name := range strings.FieldsSeq(reached[from]) {
				p.play("submission.s", ofSubmission(name, present(p.Submissions["s"])))
			}
			before := p.Submissions["s"]
			if got := state(before); got != from {
				t.Fatalf("%q leads to %s, not %s", reached[from], got, from)
			}
			seen := clone(before)
			c := p.play("submission.s", ofSubmission(cells[0], present(before)))
			after, want := p.Submissions["s"], cells[i+1]
			ignored := want == "."
			if ignored {
				want = from
			}
			if got := state(after); got != want || p.Ignored > 0 != ignored {
				t.Errorf("%s: it is %s, want %s; ignored: %d", cell, got, want, p.Ignored)
			}
			if changes := c.Submission == after && after != nil; changes == ignored || c.Version != nil || c.Batch != nil {
				t.Errorf("%s: the change is %+v", cell, c)
			}
			if after != nil && after.Sequence != p.Sequence {
				t.Errorf("%s: the next event must name record %d, and the last is %d", cell, after.Sequence, p.Sequence)
			}
			if ignored && after != nil {
				after = clone(after)
				after.Sequence = seen.Sequence
				if d := cmp.Diff(seen, after); d != "" {
					t.Errorf("%s: an ignored event changed the state:\n%s", cell, d)
				}
			}
			if d := cmp.Diff(seen, before); d != "" {
				t.Errorf("%s: what a reader holds changed:\n%s", cell, d)
			}
		}
	}
}

// clone returns a copy that shares nothing with a submission.
func clone(s *Submission) *Submission {
	if s == nil {
		return nil
	}
	c := *s
	c.Judgings, c.Blobs = slices.Clone(s.Judgings), slices.Clone(s.Blobs)
	for i := range c.Judgings {
		j := &c.Judgings[i]
		j.Parts, j.Results = slices.Clone(j.Parts), slices.Clone(j.Results)
		if j.Summary != nil {
			summary := *j.Summary
			j.Summary = &summary
		}
	}
	return &c
}

// TestVersions plays every event in every state of a version of a problem.
func TestVersions(t *testing.T) {
	t.Parallel()
	events := map[string]Event{
		"uploaded": {Uploaded: &Uploaded{Title: "sum"}}, "usable": {Checked: &Checked{Usable: true}}, "unusable": {Checked: &Checked{}},
		"failed": {Checked: &Checked{Failed: true, Findings: []string{"no room"}}}, "quick": {Uploaded: &Uploaded{Quick: true}},
		"submitted": ofSubmission("submitted", 1), "applied": {Applied: &Applied{}}, "erased": {Erased: &Erased{}},
	}
	for _, tt := range []struct{ before, event, after string }{
		{"", "uploaded", "waiting"},
		{"", "usable", "."},
		{"", "submitted", "."},
		{"uploaded", "uploaded", "waiting"},
		{"uploaded", "quick", "waiting quick"},
		{"uploaded", "usable", "usable"},
		{"uploaded", "unusable", "unusable"},
		{"uploaded", "failed", "failed"},
		{"uploaded", "erased", "."},
		{"uploaded", "applied", "."},
		{"uploaded usable", "uploaded", "usable"},
		{"uploaded usable", "quick", "usable"},
		{"uploaded usable", "usable", "."},
		{"uploaded usable", "unusable", "."},
		{"uploaded unusable", "uploaded", "waiting"},
		{"uploaded unusable", "usable", "."},
		{"uploaded failed", "uploaded", "waiting"},
		{"uploaded failed uploaded", "usable", "usable"},
	} {
		p := newPlayer(t)
		for name := range strings.FieldsSeq(tt.before) {
			p.play("problem.sum.v1", events[name])
		}
		before := p.Versions["sum"]["v1"]
		var seen Version
		if before != nil {
			seen = *before
		}
		c := p.play("problem.sum.v1", events[tt.event])
		v := p.Versions["sum"]["v1"]
		got := "."
		if c.Version != nil {
			got = condition(v)
		}
		if got != tt.after || p.Ignored > 0 != (tt.after == ".") || c.Version != nil && c.Version != v {
			t.Errorf("%s, after %q: %s, want %s; ignored: %d", tt.event, tt.before, got, tt.after, p.Ignored)
		}
		if v != nil && v.Sequence != p.Sequence {
			t.Errorf("%s, after %q: the next event must name record %d, and the last is %d", tt.event, tt.before, v.Sequence, p.Sequence)
		}
		if before != nil && cmp.Diff(seen, *before) != "" {
			t.Errorf("%s, after %q: what a reader holds changed", tt.event, tt.before)
		}
	}
}

// condition names the state of a version.
func condition(v *Version) string {
	switch {
	case v.Failed:
		return "failed"
	case v.Usable:
		return "usable"
	case v.Checked:
		return "unusable"
	case len(v.Findings) > 0:
		return "waiting, with old findings"
	case v.Quick:
		return "waiting quick"
	}
	return "waiting"
}

// TestNewest checks which version counts: of those that can be judged, the one that was uploaded last.
func TestNewest(t *testing.T) {
	t.Parallel()
	p := newPlayer(t)
	for _, tt := range []struct{ event, version, newest string }{
		{"uploaded", "v1", ""}, {"uploaded", "v2", ""}, {"uploaded", "v3", ""}, {"uploaded", "v4", ""},
		{"usable", "v2", "v2"}, {"usable", "v1", "v2"}, {"unusable", "v4", "v2"}, {"usable", "v3", "v3"},
		{"uploaded", "v1", "v1"}, {"uploaded", "v4", "v1"}, {"usable", "v4", "v4"},
	} {
		e := Event{Uploaded: &Uploaded{}}
		if tt.event != "uploaded" {
			e = Event{Checked: &Checked{Usable: tt.event == "usable"}}
		}
		p.play("problem.sum."+tt.version, e)
		if got := p.Newest["sum"]; got != tt.newest {
			t.Errorf("%s of %s: the newest is %q, want %q", tt.event, tt.version, got, tt.newest)
		}
	}
	if p.Newest["other"] != "" {
		t.Error("another problem has a version")
	}
}

// TestCost learns what a judging of a version takes.
func TestCost(t *testing.T) {
	t.Parallel()
	p := newPlayer(t)
	p.play("problem.sum.v1", Event{Uploaded: &Uploaded{}})
	for i, tt := range []struct{ took, want time.Duration }{{8 * time.Second, 8 * time.Second}, {16 * time.Second, 9 * time.Second}, {time.Second, 8 * time.Second}} {
		subject := fmt.Sprint("submission.", i)
		p.play(subject, ofSubmission("submitted", 1))
		p.play(subject, Event{Ended: &Ended{Judging: 1, Attempt: 1, Summary: Summary{Spent: tt.took}}})
		if got := p.Versions["sum"]["v1"].Cost; got != tt.want {
			t.Errorf("after %v: %v, want %v", tt.took, got, tt.want)
		}
	}
	if p.Ignored > 0 {
		t.Error("an event was ignored")
	}
}
