package web

import (
	"math"
	"time"

	"tribunal/judge/judged/internal/ledger"
)

// Judging is a submission and its outcome, which is that of the judging that counts.
type Judging struct {
	ID        string     `json:"id" example:"0r5n3yfk2g7q8w1m4x6c9zabde"`
	Problem   string     `json:"problem,omitempty" doc:"absent for a run without a problem"`
	Submitter string     `json:"submitter" doc:"for whom it was handed in; it begins with the owner of the token"`
	Name      string     `json:"name" doc:"of the source" example:"solution.cpp"`
	Language  string     `json:"language,omitempty" doc:"absent if the name of the source decides"`
	Run       bool       `json:"run,omitempty" doc:"it is run on an input of its own, not judged"`
	Created   time.Time  `json:"created"`
	Deadline  *time.Time `json:"deadline,omitempty"`
	Sequence  uint64     `json:"sequence" doc:"grows with every change"`
	Position  int        `json:"position,omitempty" doc:"in the answer of getJudging, while the judging that counts waits: its place in line, 1 for the one that probably ends next. Every server estimates it by itself; judgings that have begun count, too."`
	Outcome
	Judgings []Outcome `json:"judgings" doc:"all judgings, by number"`
	Links    Links     `json:"links"`
}

// Outcome is the state of one judging of a submission.
type Outcome struct {
	Number   int        `json:"number" doc:"from 1; a rejudging adds one"`
	Version  string     `json:"version,omitempty" doc:"of the problem"`
	Status   string     `json:"status" enum:"waiting,done,held,cancelled" doc:"waiting: for a worker or for its result; held: the judge failed, and an administrator may release it"`
	Batch    string     `json:"batch,omitempty" doc:"of rejudgings"`
	Attempt  int        `json:"attempt" doc:"from 1; each failure of the judge adds one"`
	Error    string     `json:"error,omitempty" doc:"of the last attempt that failed, or why it was cancelled"`
	Worker   string     `json:"worker,omitempty" doc:"that judged"`
	Since    time.Time  `json:"since" doc:"when it began to wait"`
	Until    *time.Time `json:"until,omitempty" doc:"when it ended"`
	Verdict  string     `json:"verdict,omitempty" doc:"code of the verdict; absent until there is one, and for a run" example:"AC"`
	Points   *float64   `json:"points,omitempty" doc:"of a problem with points"`
	First    string     `json:"first_failure,omitempty" doc:"the case that decided"`
	Cause    string     `json:"cause,omitempty" doc:"why that case was not accepted"`
	Passed   int        `json:"passed,omitempty" doc:"cases accepted"`
	Judged   int        `json:"judged,omitempty" doc:"cases judged"`
	Total    int        `json:"total,omitempty" doc:"cases of the problem"`
	CPU      int64      `json:"cpu_ns,omitempty" doc:"the largest of any case, as the following"`
	Wall     int64      `json:"wall_ns,omitempty"`
	Memory   int64      `json:"memory_bytes,omitempty"`
	Spent    int64      `json:"spent_ns,omitempty" doc:"from the beginning to the end of the judging"`
	Parts    int        `json:"parts,omitempty" doc:"in how many parts it is judged at the same time"`
	Finished int        `json:"finished_parts,omitempty"`
}

// Links says where to find more.
type Links struct {
	Self   string `json:"self" example:"/v1/judgings/0r5n3yfk2g7q8w1m4x6c9zabde"`
	Result string `json:"result,omitempty" doc:"absent until there is one"`
	Source string `json:"source"`
	Events string `json:"events"`
}

// judgingOf returns the form of a submission in which a caller sees it.
func (w *Web) judgingOf(c *Caller, sub *ledger.Submission) Judging {
	j := Judging{
		ID: sub.ID, Problem: sub.Problem, Submitter: sub.Submitter, Name: sub.Name, Language: sub.Language, Run: sub.Run,
		Created: sub.At, Deadline: optional(sub.Deadline), Sequence: sub.Sequence, Judgings: make([]Outcome, len(sub.Judgings)),
	}
	for i := range sub.Judgings {
		seen := w.view(c, sub, sub.Judgings[i].Version).Judging(&sub.Judgings[i])
		j.Judgings[i] = outcomeOf(&seen)
	}
	self := "/v1/judgings/" + sub.ID
	j.Links = Links{Self: self, Source: self + "/source", Events: self + "/events"}
	if counts := sub.Counts(); counts != nil {
		j.Outcome = j.Judgings[counts.Number-1]
		if counts.Status == ledger.Done {
			j.Links.Result = self + "/result"
		}
	}
	return j
}

func outcomeOf(j *ledger.Judging) Outcome {
	o := Outcome{
		Number: j.Number, Version: j.Version, Status: string(j.Status), Batch: j.Batch, Attempt: j.Attempt, Error: j.Error,
		Worker: j.Worker, Since: j.Since, Until: optional(j.Until), Parts: len(j.Parts),
	}
	for _, r := range j.Results {
		if r.Ref.Hash != "" {
			o.Finished++
		}
	}
	if s := j.Summary; s != nil {
		o.Verdict, o.First, o.Cause = s.Verdict.String(), s.First, s.Cause
		o.Passed, o.Judged, o.Total = s.Passed, s.Judged, s.Total
		o.CPU, o.Wall, o.Memory, o.Spent = int64(s.CPU), int64(s.Wall), int64(s.Memory), int64(s.Spent)
		o.Points = finite(s.Points)
	}
	return o
}

// finite returns points that JSON can hold, nil for others.
func finite(points *float64) *float64 {
	if points == nil || math.IsInf(*points, 0) || math.IsNaN(*points) {
		return nil
	}
	return points
}

func optional(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// over reports whether a submission is final until a client asks for a change.
func over(sub *ledger.Submission) bool {
	for i := range sub.Judgings {
		if sub.Judgings[i].Status == ledger.Waiting {
			return false
		}
	}
	return true
}
