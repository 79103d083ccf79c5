// Package perform does the work of a worker: it judges and runs programs, and checks problems, with the
// same engine as the command judge, and so with the same verdicts.
package perform

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/document"
	"tribunal/judge/internal/engine"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/journal"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/internal/version"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/store"
	"tribunal/judge/judged/internal/task"
)

// Performer performs tasks with an engine. It implements worker.Performer.
type Performer struct {
	engine   *engine.Engine
	blobs    store.Blobs
	name     string
	host     string
	versions *versions
	bare     *problem.Problem // of runs without a problem

	tasks  sync.RWMutex // held for reading by each task
	health Health       // used by Examine alone, which is called by one goroutine at a time

	mu     sync.Mutex
	factor float64
	broken map[string]bool // languages whose tools are there, and do not work
}

// New returns a performer for a worker with that name. The engine must have been started, and outlives the
// performer.
func New(eng *engine.Engine, blobs store.Blobs, name string, h Health) *Performer {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	p := &Performer{engine: eng, blobs: blobs, name: name, host: host, bare: repo.Bare("", ""), health: h, broken: map[string]bool{}}
	p.versions = newVersions(eng, blobs)
	return p
}

// Close closes the problems that are open. No task may be in progress.
func (p *Performer) Close() error { return p.versions.close() }

// Host describes this worker.
func (p *Performer) Host() task.Host {
	facts := p.engine.Pool.Facts()
	p.mu.Lock()
	defer p.mu.Unlock()
	return task.Host{
		Worker: p.name, Host: p.host, Build: version.Build(), CPUs: runtime.NumCPU(), Slots: p.engine.Pool.Slots(),
		Load: load(), Mechanisms: facts.Mechanisms, Notes: facts.Notes, Deaths: p.engine.Pool.Deaths(), Factor: p.factor,
	}
}

// load returns the load of this host over a minute, 0 if it is unknown.
func load() float64 {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0
	}
	first, _, _ := strings.Cut(string(text), " ")
	n, err := strconv.ParseFloat(first, 64)
	if err != nil {
		return 0
	}
	return n
}

// Perform performs a task. If the tools of a language are missing, the answer says so.
func (p *Performer) Perform(ctx context.Context, t *task.Task, live func(any)) (*task.Answer, error) {
	p.tasks.RLock()
	defer p.tasks.RUnlock()
	a, err := p.perform(ctx, t, live)
	missing, ok := errors.AsType[*build.MissingError](err)
	if !ok {
		return a, err
	}
	if missing.Problem != "" {
		p.mu.Lock()
		p.broken[missing.Language] = true
		p.mu.Unlock()
	}
	_, ofProblem := errors.AsType[problemError](err)
	return &task.Answer{Error: cut(err.Error()), Lacks: &task.Lack{Language: missing.Language, Problem: ofProblem}}, nil
}

func (p *Performer) perform(ctx context.Context, t *task.Task, live func(any)) (*task.Answer, error) {
	switch {
	case t.Part == task.Check:
		return p.check(ctx, t)
	case t.Input != nil:
		return p.run(ctx, t, live)
	}
	return p.judge(ctx, t, live)
}

// problemError marks an error of a problem, not of a submission to it.
type problemError struct{ error }

func (e problemError) Unwrap() error { return e.error }

// judge judges a submission, or a part of it.
func (p *Performer) judge(ctx context.Context, t *task.Task, live func(any)) (*task.Answer, error) {
	start := time.Now()
	open, err := p.versions.open(ctx, t.Problem, t.Archive)
	if err != nil {
		return nil, problemError{err}
	}
	defer open.release()
	job, err := open.problem.Task(ctx)
	if err != nil {
		return nil, problemError{err}
	}
	source, err := p.source(ctx, t, open.problem.Files)
	if err != nil {
		return nil, err
	}
	override := engine.Override(t.Limits)
	if job.Limits, err = override.Apply(p.engine.Config, job.Limits); err != nil {
		return nil, err
	}
	job.Problem = override.Exceptions(job.Problem)
	s := grade.Submission{Source: source.Decided(), All: t.All}
	r := p.newResult(ctx, t, source)
	var drawings []*task.Drawing // of the parts
	switch {
	case t.Part == task.Join:
		if s.Known, drawings, err = p.known(ctx, t.Parts, r); err != nil {
			return nil, err
		}
	case t.Part >= 0:
		if t.Cases.From < 0 || t.Cases.To > len(job.Cases) || t.Cases.From >= t.Cases.To {
			return nil, fmt.Errorf("cases %d to %d of a problem with %d", t.Cases.From, t.Cases.To, len(job.Cases))
		}
		job.Cases = job.Cases[t.Cases.From:t.Cases.To]
		s.All = s.All || open.problem.Groups != nil // which cases are needed is known when the parts are joined
	}
	job.Submissions = []grade.Submission{s}
	if job.Drawable && t.Part != task.Join {
		job.Outputs = mostDrawn
	}
	var unbuilt error
	outputs := outputs{}
	err = open.problem.Judge().Grade(ctx, job, func(e grade.Event) {
		outputs.keep(e)
		collect(r, e, t.Cases.From)
		if b, ok := e.(*grade.Built); ok && b.NoTools {
			unbuilt = fmt.Errorf("the tools for %s are missing or do not work here", b.Language)
		}
		if l := liveOf(e, t); l != nil {
			live(l)
		}
	})
	if err = errors.Join(err, unbuilt); err != nil {
		return nil, err
	}
	if r.Done.Verdict == verdict.JE {
		return nil, errors.New(r.Done.Cause)
	}
	switch {
	case job.Outputs > 0:
		r.Drawing = outputs.draw(ctx, open, job.Cases, r.Done)
	default:
		for _, d := range drawings {
			if d.Case == r.Done.First {
				r.Drawing = d
			}
		}
	}
	r.Host = p.Host()
	r.Elapsed += time.Since(start)
	if t.Part >= 0 {
		r.Parts = []task.Part{{Cases: t.Cases, Host: r.Host}}
	}
	a := &task.Answer{Decides: t.Part >= 0 && !s.All && r.Done.Verdict != verdict.AC}
	if t.Part < 0 {
		a.Summary = summary(r)
	}
	if t.Part >= 0 {
		a.Result, err = p.put(ctx, r)
	} else {
		a.Result, err = p.stow(ctx, r)
	}
	return a, err
}

// newResult returns a result without outcome: it says which version and program are judged.
func (p *Performer) newResult(ctx context.Context, t *task.Task, source *build.Source) *task.Result {
	r := &task.Result{Head: document.NewHead(task.Schema), Version: t.Version}
	if key, err := p.engine.Builder.Key(ctx, source); err == nil { // else its tools are missing, and building it fails
		r.Program = string(key)
	}
	return r
}

// collect adds an event to a result. Indices of cases count from first.
func collect(r *task.Result, e grade.Event, first int) {
	switch e := e.(type) {
	case *grade.Begin:
		begin := *e
		r.Begin = &begin
	case *grade.Built:
		built := *e
		r.Built = &built
	case *grade.Case:
		c := *e
		c.Transcript, c.Output, c.Kept = nil, nil, ""
		r.Cases = append(r.Cases, journal.Case{Index: first + c.Index, Case: c})
	case *grade.Done:
		done := *e
		r.Done = &done
	}
}

// Live is a worker's report of its progress.
type Live struct {
	Judging int             `json:"judging"`
	Attempt int             `json:"attempt"`
	Event   string          `json:"event"` // compiling, judging or case
	Case    string          `json:"case,omitempty"`
	Verdict verdict.Verdict `json:"verdict,omitempty"`
	Done    int             `json:"done,omitempty"`
	Total   int             `json:"total,omitempty"`
}

// liveOf returns what to say about an event, nil for nothing.
func liveOf(e grade.Event, t *task.Task) any {
	l := Live{Judging: t.Judging, Attempt: t.Attempt}
	switch e := e.(type) {
	case *grade.Begin:
		l.Event = "compiling"
	case *grade.Built:
		l.Event = "judging"
	case *grade.Case:
		l.Event, l.Case, l.Verdict = "case", e.Name, e.Verdict
	default:
		return nil
	}
	return l
}

// known returns a function with the results of the parts of a judging, and the drawings of these. It adds to the joint result who judged them
// and how long that took.
func (p *Performer) known(ctx context.Context, parts []store.Ref, joint *task.Result) (results func(int) *grade.Case, drawings []*task.Drawing, err error) {
	known := map[int]*grade.Case{}
	for _, ref := range parts {
		r, err := p.result(ctx, ref)
		if err != nil {
			return nil, nil, err
		}
		if r.Drawing != nil {
			drawings = append(drawings, r.Drawing)
		}
		for i := range r.Cases {
			known[r.Cases[i].Index] = &r.Cases[i].Case
		}
		joint.Parts = append(joint.Parts, r.Parts...)
		joint.Elapsed += r.Elapsed
	}
	return func(index int) *grade.Case { return known[index] }, drawings, nil
}

func summary(r *task.Result) *ledger.Summary {
	d := r.Done
	s := &ledger.Summary{
		Verdict: d.Verdict, First: d.First, Cause: cut(d.Cause), Passed: d.Passed, Judged: d.Judged, Total: d.Total,
		CPU: d.CPU, Wall: d.Wall, Memory: d.Memory, Spent: r.Elapsed,
	}
	if d.Points != nil {
		s.Points = &d.Points.Points
	}
	return s
}

// maxCause bounds the cause in a summary, which every service holds in memory.
const maxCause = 200

func cut(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	if len(text) > maxCause {
		text = strings.ToValidUTF8(text[:maxCause], "") + "…"
	}
	return text
}

// stow encodes a result, and stores it if it is large.
func (p *Performer) stow(ctx context.Context, r *task.Result) (store.Ref, error) {
	text, err := encoded(r)
	if err != nil {
		return store.Ref{}, err
	}
	return store.Stow(ctx, p.blobs, text)
}

// put stores the result of a part, whatever its size: the task that joins the parts refers to all of them, and
// could not carry them.
func (p *Performer) put(ctx context.Context, r *task.Result) (store.Ref, error) {
	text, err := encoded(r)
	if err != nil {
		return store.Ref{}, err
	}
	return p.blobs.Put(ctx, text)
}

func encoded(r *task.Result) ([]byte, error) {
	var b bytes.Buffer
	err := document.Line(&b, r)
	return b.Bytes(), err
}

func (p *Performer) result(ctx context.Context, ref store.Ref) (*task.Result, error) {
	text, err := store.Fetch(ctx, p.blobs, ref)
	if err != nil {
		return nil, fmt.Errorf("the result of a part: %w", err)
	}
	r := &task.Result{}
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("the result of a part: %w", err)
	}
	return r, nil
}
