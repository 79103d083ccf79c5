package ledger

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"tribunal/judge/internal/verdict"
	"tribunal/judge/judged/internal/store"
)

// Fold is the state that the records of the log add up to. The same records always give the same state. It is not
// safe for concurrent use.
type Fold struct {
	Sequence    uint64    // of the last record that was added
	Mark        Mark      // of that record
	Latest      time.Time // of the times of all events
	Submissions map[string]*Submission
	Versions    map[string]map[string]*Version // by problem and version
	Newest      map[string]string              // by problem: the newest version that can be judged
	Batches     map[string]*Rejudging
	Courses     map[string]*CourseState
	People      map[string]map[string]*PersonState   // by course and login
	Questions   map[string]map[string]*QuestionState // by course and id
	Ignored     int                                  // events that did not fit the state that they met; none, if every writer is right
}

// Mark distinguishes a record from others that may have the same sequence, such as one that was added after the log
// was restored from a backup.
type Mark struct {
	Subject string
	Time    time.Time // when the store received it
}

// Is reports whether a mark is that of a record.
func (m Mark) Is(r store.Record) bool { return m.Subject == r.Subject && m.Time.Equal(r.Time) }

// NewFold returns the state of an empty log.
func NewFold() *Fold {
	return &Fold{
		Submissions: map[string]*Submission{}, Versions: map[string]map[string]*Version{},
		Newest: map[string]string{}, Batches: map[string]*Rejudging{},
		Courses: map[string]*CourseState{}, People: map[string]map[string]*PersonState{}, Questions: map[string]map[string]*QuestionState{},
	}
}

// Change is the effect of a record. At most one of its fields is set; none if the record was ignored.
type Change struct {
	Submission *Submission
	Judging    int // the number of the judging that changed; 0 if the submission as a whole did
	Version    *Version
	Batch      *Rejudging
	Course     string // the id of the course of which something changed
}

// Add adds a record. Records must be added in order; one that was already added is skipped. After an
// error, the record cannot be read and the state is as before.
func (f *Fold) Add(r store.Record) (Change, error) {
	if r.Sequence <= f.Sequence {
		return Change{}, nil
	}
	e, err := Decode(r)
	if err != nil {
		return Change{}, err
	}
	c, fits := f.add(r, &e)
	if !fits {
		f.Ignored++
	}
	if e.At.After(f.Latest) {
		f.Latest = e.At
	}
	f.Sequence, f.Mark = r.Sequence, Mark{r.Subject, r.Time.UTC()}
	return c, nil
}

func (f *Fold) add(r store.Record, e *Event) (Change, bool) {
	if id, ok := strings.CutPrefix(r.Subject, submissions); ok {
		return f.addToSubmission(id, r, e)
	}
	if name, ok := strings.CutPrefix(r.Subject, problems); ok {
		id, version, _ := strings.Cut(name, ".")
		return f.addToProblem(id, version, r, e)
	}
	if id, ok := strings.CutPrefix(r.Subject, batches); ok && e.Applied != nil {
		return f.apply(id, r, e)
	}
	if strings.HasPrefix(r.Subject, courses) || strings.HasPrefix(r.Subject, people) || strings.HasPrefix(r.Subject, questions) {
		return f.addToCourse(r, e)
	}
	return Change{}, r.Subject == Beginning && e.Began != nil
}

// addToSubmission adds an event to a copy of its submission, which readers may hold.
func (f *Fold) addToSubmission(id string, r store.Record, e *Event) (Change, bool) {
	old := f.Submissions[id]
	if old == nil && e.Submitted != nil {
		s := Begun(strings.Clone(id), r.Sequence, e) // id is a part of the record's subject, which a copy does not keep in memory
		f.share(&s)
		f.Submissions[s.ID] = &s
		return Change{Submission: &s, Judging: 1}, true
	}
	if old == nil {
		// Records of an erased submission are gone, except for the last one.
		if e.Erased == nil {
			return Change{}, false
		}
		old = &Submission{ID: id}
	}
	s := *old
	s.Judgings = slices.Clone(s.Judgings)
	// Even an event that does not fit is the last one of its subject, which the next must name.
	s.Sequence = r.Sequence
	number, fits := s.add(r, e)
	if !fits {
		kept := *old
		kept.Sequence = r.Sequence
		f.Submissions[id] = &kept
		return Change{}, false
	}
	f.Submissions[id] = &s
	if e.Rejudged != nil {
		f.join(e, &s)
	}
	if e.Ended != nil {
		f.learn(&s, s.Judging(number))
	}
	return Change{Submission: &s, Judging: number}, true
}

// share makes a submission use the strings of others, where they are equal. That saves memory if many wait.
func (f *Fold) share(s *Submission) {
	j := &s.Judgings[0]
	if v := f.Versions[s.Problem][j.Version]; v != nil {
		s.Problem, j.Version = v.Problem, v.ID
	}
	for _, p := range []Priority{Interactive, Batch, Rejudge} {
		if j.Priority == p {
			j.Priority = p
		}
	}
}

// Begun returns the state of a submission after its first event.
func Begun(id string, sequence uint64, e *Event) Submission {
	in := e.Submitted
	s := Submission{
		ID: id, Sequence: sequence, First: sequence, At: e.At,
		Submitter: in.Submitter, Problem: in.Problem, Name: in.Name, Language: in.Language,
		Run: in.Input != nil, Request: in.Request, Deadline: in.Deadline, Effective: 1,
		Judgings: []Judging{{Number: 1, Version: in.Version, Priority: in.Priority, Status: Waiting, Attempt: 1, Since: e.At}},
	}
	s.holds(in.Source)
	for _, text := range []*store.Ref{in.Input, in.Tests, in.Expected} {
		if text != nil {
			s.holds(*text)
		}
	}
	return s
}

// holds records that a submission has a content in the store of blobs, if it is there.
func (s *Submission) holds(r store.Ref) {
	if r.Inline == nil && r.Size > 0 {
		s.Blobs = append(slices.Clip(s.Blobs), store.Ref{Hash: r.Hash, Size: r.Size})
	}
}

// add adds an event to a submission. It returns the number of the judging concerned, and whether the event fits the
// state.
func (s *Submission) add(r store.Record, e *Event) (int, bool) {
	if s.Erased {
		return 0, false
	}
	switch {
	case e.Erased != nil:
		*s = Submission{ID: s.ID, Sequence: s.Sequence, Erased: true}
		return 0, true
	case e.Rejudged != nil:
		if e.Rejudged.Judging != len(s.Judgings)+1 {
			return 0, false
		}
		s.Judgings = append(s.Judgings, Judging{
			Number: e.Rejudged.Judging, Version: e.Rejudged.Version, Batch: e.Rejudged.Batch,
			Priority: Rejudge, Status: Waiting, Attempt: 1, Since: e.At,
		})
		return e.Rejudged.Judging, true
	case e.Split != nil:
		j := s.at(e.Split.Judging, e.Split.Attempt)
		if j == nil || j.Parts != nil || len(e.Split.Parts) < 2 {
			return 0, false
		}
		j.Parts, j.Results = e.Split.Parts, make([]PartResult, len(e.Split.Parts))
		return j.Number, true
	case e.Part != nil:
		j := s.at(e.Part.Judging, e.Part.Attempt)
		if j == nil || e.Part.Part < 0 || e.Part.Part >= len(j.Results) || j.Results[e.Part.Part].Ref.Hash != "" {
			return 0, false
		}
		j.Results = slices.Clone(j.Results)
		s.holds(e.Part.Result)
		j.Results[e.Part.Part] = PartResult{Ref: e.Part.Result, Decides: e.Part.Decides}
		return j.Number, true
	case e.Ended != nil:
		j := s.at(e.Ended.Judging, e.Ended.Attempt)
		if j == nil {
			return 0, false
		}
		summary := e.Ended.Summary // a copy, because the event has the result, too
		j.Status, j.Summary, j.Result, j.Worker, j.Until = Done, &summary, r.Sequence, e.By, e.At
		j.Parts, j.Results, j.Error = nil, nil, ""
		s.holds(e.Ended.Result)
		return j.Number, true
	case e.Failed != nil:
		j := s.at(e.Failed.Judging, e.Failed.Attempt)
		if j == nil {
			return 0, false
		}
		j.Error, j.Parts, j.Results = e.Failed.Error, nil, nil
		j.Attempt++
		if e.Failed.Held {
			j.Status, j.Until = Held, e.At
		}
		return j.Number, true
	case e.Released != nil:
		j := s.Judging(e.Released.Judging)
		if j == nil || j.Status != Held {
			return 0, false
		}
		j.Status, j.Series, j.Since, j.Until = Waiting, j.Attempt-1, e.At, time.Time{}
		return j.Number, true
	case e.Ruled != nil:
		s.Ruling = nil
		if e.Ruled.Verdict != verdict.None {
			s.Ruling = &Ruling{Ruled: *e.Ruled, By: e.By, At: e.At}
		}
		return 0, true
	case e.Cancelled != nil:
		j := s.Judging(e.Cancelled.Judging)
		if j == nil || j.Status != Waiting && j.Status != Held {
			return 0, false
		}
		j.Status, j.Error, j.Until, j.Parts, j.Results = Dropped, e.Cancelled.Reason, e.At, nil, nil
		return j.Number, true
	}
	return 0, false
}

// at returns a judging that waits, if attempt is its present one, else nil.
func (s *Submission) at(number, attempt int) *Judging {
	j := s.Judging(number)
	if j == nil || j.Status != Waiting || j.Attempt != attempt {
		return nil
	}
	return j
}

// batch returns a copy of the state of a batch, which begins with e if it is new.
func (f *Fold) batch(id string, e *Event) Rejudging {
	if old := f.Batches[id]; old != nil {
		return *old
	}
	return Rejudging{ID: id, By: e.By, At: e.At}
}

// join adds the newest judging of a submission to its batch. Readers of the former batch do not see behind the end
// of their list.
func (f *Fold) join(e *Event, s *Submission) {
	b := f.batch(e.Rejudged.Batch, e)
	b.Members = append(b.Members, Member{s.ID, e.Rejudged.Judging})
	f.Batches[b.ID] = &b
}

// learn adds a judging to the moving average of what judging a version costs.
func (f *Fold) learn(s *Submission, j *Judging) {
	old := f.Versions[s.Problem][j.Version]
	if old == nil {
		return
	}
	v := *old
	took := j.Summary.Spent
	if v.Cost == 0 {
		v.Cost = took
	}
	v.Cost += (took - v.Cost) / 8
	f.Versions[s.Problem][j.Version] = &v
}

func (f *Fold) addToProblem(id, version string, r store.Record, e *Event) (Change, bool) {
	old := f.Versions[id][version]
	switch {
	case e.Uploaded != nil && old == nil:
		v := &Version{Problem: id, ID: version, Sequence: r.Sequence, First: r.Sequence, Title: e.Uploaded.Title, Archive: e.Uploaded.Archive, Quick: e.Uploaded.Quick, By: e.By, At: e.At}
		if f.Versions[id] == nil {
			f.Versions[id] = map[string]*Version{}
		}
		f.Versions[id][version] = v
		return Change{Version: v}, true
	case e.Uploaded != nil: // uploaded again
		v := *old
		v.Sequence, v.First = r.Sequence, r.Sequence
		if v.Usable {
			f.Newest[id] = version
		} else {
			v.Checked, v.Failed, v.Failures, v.Findings, v.Quick = false, false, 0, nil, e.Uploaded.Quick
		}
		f.Versions[id][version] = &v
		return Change{Version: &v}, true
	case e.Checked != nil && e.Checked.Again && old != nil && !old.Checked:
		v := *old
		v.Sequence, v.Findings = r.Sequence, e.Checked.Findings
		v.Failures++
		f.Versions[id][version] = &v
		return Change{Version: &v}, true
	case e.Checked != nil && old != nil && !old.Checked:
		v := *old
		v.Sequence, v.Checked, v.Usable, v.Failed = r.Sequence, true, e.Checked.Usable, e.Checked.Failed
		v.Title, v.Cases, v.Findings = e.Checked.Title, e.Checked.Cases, e.Checked.Findings
		v.Shown, v.Page = e.Checked.Shown, e.Checked.Page
		f.Versions[id][version] = &v
		if newest := f.Versions[id][f.Newest[id]]; v.Usable && (newest == nil || newest.First < v.First) {
			f.Newest[id] = version
		}
		return Change{Version: &v}, true
	case old != nil:
		v := *old
		v.Sequence = r.Sequence
		f.Versions[id][version] = &v
	}
	return Change{}, false
}

// apply makes the judgings of a batch that are done the effective ones. The others stay as they are. In a batch
// that no judging joined, all submissions were erased.
func (f *Fold) apply(id string, r store.Record, e *Event) (Change, bool) {
	b := f.batch(id, e)
	if b.Applied {
		return Change{}, false
	}
	b.Applied, b.Sequence = true, r.Sequence
	f.Batches[id] = &b
	for _, m := range b.Members {
		s := f.Submissions[m.Submission]
		if s.Erased || s.Judging(m.Judging).Status != Done || s.Effective > m.Judging {
			continue
		}
		changed := *s
		changed.Effective = m.Judging
		f.Submissions[s.ID] = &changed
	}
	return Change{Batch: &b}, true
}

// Waiting returns the judgings that wait, in the order of their submissions' ids.
func (f *Fold) Waiting() (list []Member) {
	for _, id := range slices.Sorted(maps.Keys(f.Submissions)) {
		for _, j := range f.Submissions[id].Judgings {
			if j.Status == Waiting {
				list = append(list, Member{id, j.Number})
			}
		}
	}
	return list
}

// String summarizes the state for messages.
func (f *Fold) String() string {
	return fmt.Sprintf("record %d: %d submissions, %d problems, %d batches", f.Sequence, len(f.Submissions), len(f.Versions), len(f.Batches))
}
