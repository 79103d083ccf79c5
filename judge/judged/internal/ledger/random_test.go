package ledger

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tribunal/judge/internal/verdict"
	"tribunal/judge/judged/internal/store"
)

// A random stream has few ids and small numbers, so that most events are about the same things. Many of
// them are stale: they name judgings, attempts and parts that are not there, or no longer.

// choose returns a number below n.
type choose func(n int) int

func randomEvent(c choose) (subject string, e Event) {
	id := fmt.Sprint(c(3))
	version := fmt.Sprint("v", c(2))
	judging, attempt := 1+c(3), 1+c(3)
	result := store.RefOf([]byte{byte(c(4))})
	if c(2) == 0 {
		result.Inline = []byte{0}
	}
	e = Event{At: time.Unix(int64(c(1000)), 0).UTC(), By: fmt.Sprint("by ", c(3))}
	subject = SubmissionSubject(id)
	switch c(19) {
	case 0, 1:
		e.Submitted = &Submitted{Submitter: "s", Problem: "p", Version: version, Source: result, Priority: Interactive}
	case 2:
		e.Rejudged = &Rejudged{Judging: 1 + judging, Version: version, Batch: fmt.Sprint("b", c(2))}
	case 3:
		e.Split = &Split{Judging: judging, Attempt: attempt, Parts: make([]Range, c(4))}
	case 4, 5:
		e.Part = &Part{Judging: judging, Attempt: attempt, Part: c(4), Decides: c(2) == 0, Result: result}
	case 6, 7:
		e.Ended = &Ended{Judging: judging, Attempt: attempt, Result: result, Summary: Summary{Verdict: verdict.All()[c(12)], Spent: time.Duration(c(100))}}
		if c(2) == 0 {
			points := float64(c(3))
			e.Ended.Summary.Points = &points
		}
	case 8, 9:
		e.Failed = &Failed{Judging: judging, Attempt: attempt, Error: "error", Held: c(2) == 0}
	case 10:
		e.Released = &Released{Judging: judging}
	case 11:
		e.Cancelled = &Cancelled{Judging: judging, Reason: "reason"}
	case 12:
		if c(8) == 0 {
			e.Erased = &Erased{}
			return subject, e
		}
		subject = BatchSubject(fmt.Sprint("b", c(2)))
		e.Applied = &Applied{}
	case 13:
		e.Ruled = &Ruled{Verdict: verdict.All()[c(12)], Points: float64(c(3)), Reason: "reason"}
		if c(3) == 0 {
			e.Ruled = &Ruled{}
		}
	case 14:
		subject, e.Course = CourseSubject(fmt.Sprint("c", c(2))), &Course{Title: fmt.Sprint("title ", c(3)), Rate: c(2)}
	case 15, 16:
		subject, e.Person = PersonSubject("c0", id), &Person{Login: id, Name: fmt.Sprint("name ", c(3))}
		if c(3) == 0 {
			e.Person, e.Erased = nil, &Erased{}
		}
	case 17:
		subject, e.Question = QuestionSubject("c0", id), &Question{Text: fmt.Sprint("text ", c(3)), Public: c(2) == 0}
	default:
		subject = ProblemSubject("p", version)
		if c(2) == 0 {
			e.Uploaded = &Uploaded{Title: "title", Archive: result}
		} else {
			e.Checked = &Checked{Usable: c(2) == 0, Failed: c(3) == 0, Cases: c(9)}
		}
	}
	return subject, e
}

// randomStream returns n records, with gaps.
func randomStream(c choose, n int) (records []store.Record) {
	var sequence uint64
	for range n {
		sequence += 1 + uint64(c(2))
		subject, e := randomEvent(c)
		records = append(records, store.Record{Sequence: sequence, Subject: subject, Data: Encode(e)})
	}
	return records
}

// next says which statuses a judging can have after another.
var next = map[Status][]Status{
	Waiting: {Waiting, Done, Held, Dropped}, Held: {Held, Waiting, Dropped}, Done: {Done}, Dropped: {Dropped},
}

// checkStep checks what a single record did to a submission: whatever the stream, each judging has at
// most one result, which never changes, and what counts is a result of an applied batch.
func checkStep(f *Fold, before, after *Submission) error {
	if before == nil || after.Erased {
		return nil
	}
	if before.Erased {
		return fmt.Errorf("%s is no longer erased", after.ID)
	}
	if len(after.Judgings) < len(before.Judgings) || after.Effective < before.Effective || after.First != before.First {
		return fmt.Errorf("%s went back from %+v to %+v", after.ID, before, after)
	}
	for i, was := range before.Judgings {
		is := after.Judgings[i]
		switch {
		case !slices.Contains(next[was.Status], is.Status):
			return fmt.Errorf("%s/%d was %s, and is %s", after.ID, i+1, was.Status, is.Status)
		case is.Attempt < was.Attempt || is.Attempt > was.Attempt+1 || is.Series >= is.Attempt:
			return fmt.Errorf("%s/%d was at attempt %d, and is at %d of the series after %d", after.ID, i+1, was.Attempt, is.Attempt, is.Series)
		case was.Status == Done && !cmp.Equal(was, is):
			return fmt.Errorf("%s/%d has another result:\n%s", after.ID, i+1, cmp.Diff(was, is))
		}
	}
	return checkState(f, after)
}

// checkState checks what holds in every state of a submission.
func checkState(f *Fold, s *Submission) error {
	for i, j := range s.Judgings {
		done, split := j.Status == Done, j.Status == Waiting && j.Parts != nil
		switch {
		case j.Number != i+1:
			return fmt.Errorf("%s/%d has number %d", s.ID, i+1, j.Number)
		case done != (j.Summary != nil) || done != (j.Result != 0):
			return fmt.Errorf("%s/%d is %s, with the result of record %d", s.ID, i+1, j.Status, j.Result)
		case len(j.Results) != len(j.Parts) || len(j.Results) > 0 && !split || len(j.Parts) == 1:
			return fmt.Errorf("%s/%d is %s and has %d parts with %d results", s.ID, i+1, j.Status, len(j.Parts), len(j.Results))
		}
	}
	counts := s.Counts()
	if counts == nil || counts.Number > 1 && (counts.Status != Done || !f.Batches[counts.Batch].Applied) {
		return fmt.Errorf("what counts of %s is %+v", s.ID, counts)
	}
	return nil
}

// playRandom adds up records, and checks each step.
func playRandom(t testing.TB, records []store.Record) *Fold {
	t.Helper()
	f := NewFold()
	results := map[Member]int{} // how often a result was accepted
	for _, r := range records {
		id, _ := SubmissionOf(r.Subject)
		before := f.Submissions[id]
		seen, held := clone(before), f.Ignored
		c, err := f.Add(r)
		if err != nil {
			t.Fatalf("record %d: %v", r.Sequence, err)
		}
		if (c == Change{}) != (f.Ignored > held) {
			t.Fatalf("record %d: the change is %+v, ignored: %v", r.Sequence, c, f.Ignored > held)
		}
		for _, s := range f.Submissions {
			was := before
			if s.ID != id {
				was = s // only applied batches change others
			}
			if err := checkStep(f, was, s); err != nil {
				t.Fatalf("record %d, %s: %v", r.Sequence, r.Data, err)
			}
		}
		if before != nil && !cmp.Equal(seen, before) {
			t.Fatalf("record %d changed what a reader holds:\n%s", r.Sequence, cmp.Diff(seen, before))
		}
		if e, _ := Decode(r); e.Ended != nil && c.Submission != nil {
			m := Member{id, c.Judging}
			if results[m]++; results[m] > 1 {
				t.Fatalf("record %d is the second result of %v", r.Sequence, m)
			}
		}
	}
	return f
}

// TestRandom plays random streams: as a whole, twice, with each record twice, and with a snapshot.
func TestRandom(t *testing.T) {
	t.Parallel()
	statuses := map[Status]int{}
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 3))
		records := randomStream(r.IntN, 200)
		f := playRandom(t, records)
		again, half := NewFold(), NewFold()
		cut := r.IntN(len(records))
		for i, r := range records {
			if i == cut {
				half = restored(t, half)
			}
			for _, g := range []*Fold{again, again, half} {
				if _, err := g.Add(r); err != nil {
					t.Fatal(err)
				}
			}
		}
		if d := cmp.Diff(f, again); d != "" {
			t.Errorf("seed %d: the same records, each added twice, have another sum:\n%s", seed, d)
		}
		if d := cmp.Diff(f, half); d != "" {
			t.Errorf("seed %d: with a snapshot after %d records, the sum is another:\n%s", seed, cut, d)
		}
		for _, s := range f.Submissions {
			for _, j := range s.Judgings {
				statuses[j.Status]++
			}
		}
	}
	for status := range next {
		if statuses[status] < 10 {
			t.Errorf("only %d judgings ended as %s: the streams are too tame", statuses[status], status)
		}
	}
}

// restored returns a state from its snapshot.
func restored(t testing.TB, f *Fold) *Fold {
	t.Helper()
	data, err := f.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	g, err := Restore(data)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// bytesChoose chooses as bytes say, and the first of all when they end.
func bytesChoose(data []byte) (c choose, ended func() bool) {
	r := bytes.NewReader(data)
	return func(n int) int {
		b, _ := r.ReadByte()
		return int(b) % n
	}, func() bool { return r.Len() == 0 }
}
