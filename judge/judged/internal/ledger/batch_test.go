package ledger

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestBatches applies a batch with members in all states.
func TestBatches(t *testing.T) {
	t.Parallel()
	p := newPlayer(t)
	of := func(subject, names string) {
		for name := range strings.FieldsSeq(names) {
			name, second := strings.CutSuffix(name, "2")
			e := ofSubmission(name, 1)
			if second {
				switch {
				case e.Ended != nil:
					e.Ended.Judging = 2
				case e.Failed != nil:
					e.Failed.Judging = 2
				case e.Cancelled != nil:
					e.Cancelled.Judging = 2
				case e.Rejudged != nil:
					e.Rejudged.Judging, e.Rejudged.Batch = 3, "other"
				}
			}
			p.play(subject, e)
		}
	}
	of("submission.done", "submitted ended rejudged ended2")
	of("submission.first", "submitted rejudged ended2") // whose first judging is not done yet
	of("submission.waiting", "submitted ended rejudged")
	of("submission.held", "submitted ended rejudged held2")
	of("submission.cancelled", "submitted ended rejudged cancelled2")
	of("submission.erased", "submitted ended rejudged ended2 erased")
	of("submission.newer", "submitted ended rejudged ended2 rejudged2")
	p.play("submission.newer", Event{Ended: &Ended{Judging: 3, Attempt: 1}})
	p.play("batch.other", Event{Applied: &Applied{}})
	if got := p.Submissions["newer"].Effective; got != 3 {
		t.Fatalf("judging %d counts, want 3", got)
	}
	seen, before := *p.Batches["b"], p.Submissions["done"]
	copied := clone(before)

	c := p.play("batch.b", Event{Applied: &Applied{}, By: "teacher"})
	if c.Batch != p.Batches["b"] || !c.Batch.Applied || c.Batch.Sequence != p.Sequence || len(c.Batch.Members) != 7 {
		t.Errorf("the change is %+v", c)
	}
	for id, want := range map[string]int{"done": 2, "first": 2, "waiting": 1, "held": 1, "cancelled": 1, "erased": 0, "newer": 3} {
		if got := p.Submissions[id].Effective; got != want {
			t.Errorf("%s: judging %d counts, want %d", id, got, want)
		}
	}
	if p.Ignored > 0 {
		t.Errorf("%d events were ignored", p.Ignored)
	}
	if seen.Applied || cmp.Diff(copied, before) != "" {
		t.Error("what a reader holds changed")
	}
	p.play("batch.b", Event{Applied: &Applied{}})
	p.play("batch.b", Event{Erased: &Erased{}})
	if p.Ignored != 2 || p.Batches["b"].Sequence != c.Batch.Sequence {
		t.Error("a batch was applied twice")
	}
}

// TestMembers lets readers hold a batch while others join it.
func TestMembers(t *testing.T) {
	t.Parallel()
	p := newPlayer(t)
	var held []*Rejudging
	for i := range 20 {
		subject := fmt.Sprint("submission.", i)
		p.play(subject, ofSubmission("submitted", 1))
		e := ofSubmission("rejudged", 1)
		e.By = fmt.Sprint("user ", i)
		p.play(subject, e)
		held = append(held, p.Batches["b"])
	}
	for i, b := range held {
		if len(b.Members) != i+1 || b.By != "user 0" || b.Members[i] != (Member{fmt.Sprint(i), 2}) {
			t.Errorf("a reader holds %+v, want %d members", b, i+1)
		}
	}
}

// TestErasedBatch applies a batch whose submissions were erased, for a reader that came before that, and
// for one that finds only the last records.
func TestErasedBatch(t *testing.T) {
	t.Parallel()
	early := newPlayer(t)
	for _, name := range []string{"submitted", "ended", "rejudged", "erased"} {
		early.play("submission.s", ofSubmission(name, 1))
	}
	late := newPlayer(t)
	late.play("submission.s", ofSubmission("erased", 1))
	for _, p := range []*player{early, late} {
		p.play("batch.b", Event{Applied: &Applied{}})
		if b := p.Batches["b"]; p.Ignored > 0 || !b.Applied || b.Sequence != p.Sequence || !p.Submissions["s"].Erased {
			t.Errorf("the batch is %+v, ignored: %d", b, p.Ignored)
		}
	}
}

func TestStrangers(t *testing.T) {
	t.Parallel()
	p := newPlayer(t)
	for i, subject := range []string{"", "submission", "submissions.s", "other.s", "batch", "problem"} {
		p.play(subject, ofSubmission("submitted", 1))
		if p.Ignored != i+1 || len(p.Submissions)+len(p.Versions)+len(p.Batches) > 0 {
			t.Errorf("%q changed the state", subject)
		}
	}
}
