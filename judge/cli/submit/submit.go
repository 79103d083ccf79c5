// Package submit has a judged judge submissions, and reports what it answers as the events of package
// grade, so that every report shows them as if they had been judged here.
//
// Begin with [Task.Grade].
package submit

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"tribunal/judge/cli/client"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/journal"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/verdict"
)

// Task is a request to a server: a problem and the submissions to judge.
type Task struct {
	Client   *client.Client
	Problem  string // id, or id@version
	Sources  []Source
	Language string // of all sources; "" if their names decide
	Limits   string // that replace those of the problem
	All      bool   // judge all cases, even after a failure
	Batch    bool   // wait behind everything interactive
	Parallel int    // submissions under way at a time; 0 means 8
	// Expected are the verdicts expected of the sources, None for a source without one; nil if no source has one.
	Expected []verdict.Verdict
	Note     func(text string) // gets what the user should know; may be nil
}

// Judging is a submission that the server has taken.
type Judging struct {
	Source int    // index of the source
	ID     string // of the judging
	Ended  bool   // it has its result, or will have none
}

// result is the part of a judged's result document that reports use. docs/api.md describes all of it.
type result struct {
	Host struct {
		Worker string `json:"worker"`
		Host   string `json:"host"`
	} `json:"host"`
	Feedback problem.Feedback `json:"feedback"` // if the server keeps something back
	Begin    *grade.Begin     `json:"begin"`
	Built    *grade.Built     `json:"built"`
	Cases    []journal.Case   `json:"cases"`
	Done     *grade.Done      `json:"done"`
}

// Grade has all sources judged, and passes the events to emit, as [grade.Judge.Grade] does, except that
// the events of a source come together. Several sources are under way at a time. It returns what the
// server has taken, even after an error; then some of it may not have ended. A source that the server does
// not take, such as one in a language that it does not know, is a CE. The error is a [*client.Error] if the
// server takes none, or refuses something else.
func (t *Task) Grade(ctx context.Context, emit func(grade.Event)) ([]Judging, error) {
	start := time.Now()
	w := &work{Task: *t, key: rand.Text(), taken: make([]Judging, len(t.Sources))}
	if w.Note == nil {
		w.Note = func(string) {}
	}
	if w.Parallel == 0 {
		w.Parallel = 8
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	if err := w.pin(ctx); err != nil {
		return nil, err
	}
	results, finish := w.start(ctx)
	err := w.report(ctx, results, emit)
	stop()
	finish()
	if err == nil {
		emit(&grade.End{Elapsed: time.Since(start)})
	}
	return slices.DeleteFunc(w.taken, func(j Judging) bool { return j.ID == "" }), err
}

// work is the state of a Grade call.
type work struct {
	Task
	key string // begins the idempotency keys

	mu    sync.Mutex
	taken []Judging // by index of the source; its ID is "" until it is taken
	busy  bool      // the user knows that the server is busy, or away
	away  bool      // the user knows that the server is away
}

// pin fixes the version of the problem, so that all sources are judged by the same one.
func (w *work) pin(ctx context.Context) error {
	id, version, _ := strings.Cut(w.Problem, "@")
	p, err := again(ctx, w, func() (*client.ProblemInfo, error) { return w.Client.GetProblem(ctx, id) })
	if err != nil {
		return err
	}
	if version == "" {
		version = p.Newest
	}
	for i := range p.Versions { // the newest first; those that wait for their check are judged afterwards
		if version == "" && p.Versions[i].Status == "waiting" {
			version = p.Versions[i].Version
		}
	}
	if version == "" {
		return fmt.Errorf("problem %s: no version of it can be judged (hint: the server says why at %s/v1/problems/%s)", id, w.Client.URL, id)
	}
	w.Problem = id + "@" + version
	return nil
}

// outcome is how the judging of a source ended.
type outcome struct {
	result
	failed  string // why there is no result
	refused string // why the server does not take it, which says nothing about the others
	err     error  // it could not be handed in, or its result not be read
}

// start begins to judge the sources, and returns a channel for each outcome. finish waits until nothing is under
// way; ctx must have ended, or all outcomes have come.
func (w *work) start(ctx context.Context) (results []chan outcome, finish func()) {
	results = make([]chan outcome, len(w.Sources))
	for i := range results {
		results[i] = make(chan outcome, 1)
	}
	next := make(chan int, len(w.Sources))
	for i := range w.Sources {
		next <- i
	}
	close(next)
	var running sync.WaitGroup
	for range min(w.Parallel, len(w.Sources)) {
		running.Go(func() {
			for i := range next {
				if ctx.Err() != nil {
					return
				}
				results[i] <- w.judge(ctx, i)
			}
		})
	}
	return results, running.Wait
}

// judge hands in a source and follows it until it has its result.
func (w *work) judge(ctx context.Context, i int) (o outcome) {
	j, err := w.create(ctx, i)
	if e, ok := errors.AsType[*client.Error](err); ok && !e.Foreign && (e.Status == http.StatusUnprocessableEntity || e.Status == http.StatusRequestEntityTooLarge) {
		return outcome{refused: e.Error(), err: w.located(i, err)}
	}
	for err == nil && j.Status == "waiting" {
		id := j.ID
		j, err = again(ctx, w, func() (*client.Judging, error) {
			return w.Client.GetJudging(ctx, id, w.wait())
		})
	}
	if err != nil {
		return outcome{err: w.located(i, err)}
	}
	w.mu.Lock()
	w.taken[i].Ended = true
	w.mu.Unlock()
	if j.Status != "done" {
		return outcome{failed: fmt.Sprintf("the server has no result: %s", j.Error)}
	}
	text, err := again(ctx, w, func() ([]byte, error) {
		return w.Client.GetResult(ctx, j.ID, j.Number)
	})
	if err == nil {
		if err = json.Unmarshal(text, &o.result); err == nil && (o.Begin == nil || o.Done == nil) {
			err = errors.New("the result is not of a judging")
		}
	}
	if err != nil {
		return outcome{err: w.located(i, err)}
	}
	return o
}

// create hands in a source.
func (w *work) create(ctx context.Context, i int) (*client.Judging, error) {
	s := &client.Submission{
		Problem: w.Problem, Name: w.Sources[i].Name, Language: w.Language, SourceBase64: append([]byte{}, w.Sources[i].Data...),
		Limits: w.Limits, All: w.All, Priority: "interactive",
	}
	if w.Batch {
		s.Priority = "batch"
	}
	key := fmt.Sprintf("%s-%d", w.key, i)
	return again(ctx, w, func() (*client.Judging, error) {
		// The server may take a request that was under way when ctx ended; then the judge must know of it.
		late, stop := outliving(ctx, lateAnswer)
		defer stop()
		j, err := w.Client.CreateJudging(late, key, s)
		if err == nil {
			w.mu.Lock()
			w.taken[i] = Judging{Source: i, ID: j.ID}
			w.mu.Unlock()
		}
		return j, err
	})
}

// located adds the name of a source to an error, if the error is about what was handed in.
func (w *work) located(i int, err error) error {
	if e, ok := errors.AsType[*client.Error](err); ok && e.Status >= 400 && e.Status < 500 && e.Status != 401 && e.Status != 403 {
		return fmt.Errorf("%s: %w", w.Sources[i].Shown, err)
	}
	return err
}

// report passes the events of the sources to emit, in their order. The first result describes the task; sources
// before it that have none wait until then.
func (w *work) report(ctx context.Context, results []chan outcome, emit func(grade.Event)) error {
	var begin *grade.Begin
	var failed []outcome // before the first result
	done := 0
	for i := range results {
		var o outcome
		select {
		case o = <-results[i]:
		case <-ctx.Done():
			return ctx.Err()
		}
		if o.err != nil && o.refused == "" {
			return o.err
		}
		if begin == nil && o.Begin == nil {
			failed = append(failed, o)
			continue
		}
		if begin == nil {
			begin = w.begin(&o.result)
			emit(begin)
			for k, f := range failed {
				w.emit(k, f, begin, emit)
			}
		}
		if o.Begin != nil && !slices.Equal(o.Begin.Cases, begin.Cases) {
			return fmt.Errorf("%s: was judged on other cases than %s (hint: judge again)", w.Sources[i].Shown, w.Sources[0].Shown)
		}
		w.emit(i, o, begin, emit)
		done += len(begin.Cases)
		emit(&grade.Progress{Submission: i, Done: done + len(failed)*len(begin.Cases), Total: len(w.Sources) * len(begin.Cases)})
	}
	if i := slices.IndexFunc(failed, func(o outcome) bool { return o.refused != "" }); begin == nil && i >= 0 {
		return failed[i].err
	}
	if begin == nil {
		return fmt.Errorf("%s: %s (hint: an administrator of the server can release what is held)", w.Sources[0].Shown, failed[0].failed)
	}
	return nil
}

// withheld says what servers do not show to submitters, by what they show.
var withheld = map[problem.Feedback]string{
	problem.NoFeedback:      "not shown to submitters: verdicts, except of what does not compile",
	problem.FeedbackVerdict: "not shown to submitters: anything but the verdict",
	problem.FeedbackSamples: "not shown to submitters: data and outputs of cases other than samples",
	problem.FeedbackFirst:   "not shown to submitters: data and outputs of cases other than samples and the first failure",
}

// begin returns the event that describes the task, from a result.
func (w *work) begin(r *result) *grade.Begin {
	b := *r.Begin
	b.Command, b.Submissions = nil, nil
	for _, s := range w.Sources {
		b.Submissions = append(b.Submissions, s.Shown)
	}
	if r.Host.Worker != "" {
		b.Notes = append(slices.Clone(b.Notes), fmt.Sprintf("judged by %s on %s", r.Host.Worker, r.Host.Host))
	}
	b.Withheld = r.Feedback == problem.NoFeedback || r.Feedback == problem.FeedbackVerdict
	if note := withheld[r.Feedback]; note != "" {
		b.Notes = append(slices.Clone(b.Notes), note)
	}
	return &b
}

// emit passes to emit what a judge on this machine would report of source i: how it was built, its cases,
// and the verdict.
func (w *work) emit(i int, o outcome, begin *grade.Begin, emit func(grade.Event)) {
	built := grade.Built{}
	if o.Built != nil {
		built = *o.Built
	}
	built.Submission = i
	if o.refused != "" {
		built.Error = o.refused
	}
	emit(&built)
	for _, c := range o.Cases {
		one := c.Case
		one.Submission, one.Index = i, c.Index
		emit(&one)
	}
	done := grade.Done{Verdict: verdict.JE, Cause: o.failed, Total: len(begin.Cases)}
	if o.refused != "" {
		done.Verdict, done.Cause = verdict.CE, o.refused
	}
	if o.Done != nil {
		done = *o.Done
	}
	if o.Feedback == problem.NoFeedback && done.Verdict == verdict.None {
		done.Cause = "the verdict is not shown to submitters"
	}
	done.Submission = i
	if w.Expected != nil {
		done.Expected = w.Expected[i]
	}
	done.AsExpected = nil
	done.Settle()
	emit(&done)
}

// Cancel cancels the judgings that have not ended, and returns how many these were.
func Cancel(ctx context.Context, c *client.Client, list []Judging) (n int, err error) {
	for _, j := range list {
		if j.Ended {
			continue
		}
		_, one := c.CancelJudging(ctx, j.ID, "interrupted")
		if e, ok := errors.AsType[*client.Error](one); ok && e.Status == 409 {
			continue // it has just ended
		}
		if one == nil {
			n++
		}
		err = errors.Join(err, one)
	}
	return n, err
}
