package grade

import (
	"cmp"
	"context"
	"errors"
	"math"
	"strings"
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/document"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/outputs"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/internal/yamlstrict"
)

// examination judges one submission on one case. Only one worker uses it.
type examination struct {
	*grading
	worker *run.Worker
	sub    *submission
	si, ci int // the indices of the submission and the case
	limits limits.Limits
}

// attemptResult is the result of one attempt at a case.
type attemptResult struct {
	event *Case
	err   error // with JE, why there was no run
}

// examine runs the case as often as [retryAfter] requires, and returns the event of the run that
// decides. ctx belongs to this case alone; if it ends first, examine returns nil.
func (x *examination) examine(ctx context.Context) (*Case, error) {
	var deciding *Case
	var trials []trial
	kept := ""
	repeat := x.task.Repeat
	how := retryParallel
	if x.task.Alone {
		how = retryExclusive
	}
	for ; how != noRetry; how = retryAfter(trials, repeat) {
		settled := repeat > 1 && deciding != nil && deciding.Verdict != verdict.AC
		a := attempt{examination: x, exclusive: how == retryExclusive, first: len(trials) == 0, folder: x.task.Keep}
		if settled {
			a.folder = "" // only the output of the run that settled the verdict is kept
		}
		r, err := a.try(ctx)
		if err == nil {
			kept = cmp.Or(kept, r.event.Kept)
		}
		if err != nil || r.event.Verdict == verdict.None {
			x.drop(kept)
			return nil, err
		}
		t := newTrial(r, x.limits, x.judge.Pool.Grace())
		t.doubtful = t.doubtful && (t.starved || !x.task.Edges)
		trials = append(trials, t)
		if deciding == nil || !settled && (repeat > 1 || decisive(trials) == len(trials)-1) {
			deciding = r.event
		}
	}
	deciding.Submission, deciding.Index, deciding.Name, deciding.Kept = x.si, x.ci, x.task.Cases[x.ci].Name, kept
	if x.limits != x.task.Limits {
		deciding.Limits = &x.limits
	}
	deciding.Attempts, deciding.Unstable = attempts(trials), unstable(trials, repeat)
	if deciding.Verdict != verdict.AC {
		deciding.Shown = x.shown(ctx)
	}
	return deciding, nil
}

// MaxInput is the size in bytes of the beginning of an input that a report shows.
const MaxInput = 1 << 10

// shown returns what a report shows of the case. Its input is left out if it cannot be read: that is
// why the case failed, and the event says so.
func (x *examination) shown(ctx context.Context) Shown {
	c := &x.task.Cases[x.ci]
	s := Shown{Note: c.Note}
	data, err := x.judge.CaseData.Load(ctx, c)
	if err != nil {
		return s
	}
	text, err := data.Input.Start(MaxInput)
	if err != nil {
		return s
	}
	s.Input, s.Cut = string(text), int64(len(text)) < data.Input.Size()
	return s
}

// attempt is one run of the case, in as many passes as the validator asks for.
type attempt struct {
	*examination
	exclusive bool
	first     bool   // the first attempt at the case
	folder    string // for the output; "" keeps none
	data      casedata.Data
	program   *build.Program
}

// try runs the attempt. An error ends the Grade; a failure that affects only this case is the
// verdict JE.
func (a *attempt) try(ctx context.Context) (attemptResult, error) {
	if a.sub.broken != nil {
		return a.failed(ctx, a.sub.broken)
	}
	var err error
	if a.data, err = a.judge.CaseData.Load(ctx, &a.task.Cases[a.ci]); err != nil {
		return a.failed(ctx, err)
	}
	if a.program, err = a.programs.acquire(ctx, a.si, a.sub.program); err != nil {
		return a.failed(ctx, err)
	}
	defer a.programs.release(a.si)
	var peak sandbox.Result
	for p := (pass{facts: facts{source: a.task.Submissions[a.si].Source}}); ; {
		r, next, err := a.pass(ctx, p)
		if err != nil {
			return r, err
		}
		maxResult(&r.event.Result, peak)
		if r.event.Verdict != verdict.AC || next == nil {
			return r, nil
		}
		a.drop(r.event.Kept) // only the output of the last pass is kept
		p, peak = *next, r.event.Result
	}
}

// failed returns the verdict JE for an attempt that cannot be run; the judge continues with other
// cases. An error that names a place in the problem's files is returned unchanged.
func (a *attempt) failed(ctx context.Context, err error) (attemptResult, error) {
	if _, located := errors.AsType[*yamlstrict.Error](err); located {
		return attemptResult{}, err
	}
	if ctx.Err() != nil {
		return attemptResult{event: &Case{}}, nil
	}
	return attemptResult{event: judgeFailed(err), err: err}, nil
}

// pass runs the program once, and returns the next pass if the validator asks for one.
func (a *attempt) pass(ctx context.Context, p pass) (attemptResult, *pass, error) {
	f := a.data
	job := run.Job{
		Program: a.program, Args: f.Args, Files: f.Files, Input: f.Input, Limits: a.limits,
		InFile: a.task.Problem.InFile, OutFile: a.task.Problem.OutFile, ReadOnly: a.task.Problem.ReadOnly,
		Exclusive: a.exclusive, Known: a.first, Starving: true, // newTrial makes a starved run doubtful
	}
	if until := a.task.Submissions[a.si].Until; until > 0 {
		until = time.Duration(float64(until) * (float64(a.limits.CPU) / float64(a.task.Limits.CPU)))
		job.Limits.CPU = max(job.Limits.CPU, until-a.judge.Pool.Grace())
		job.Limits.Wall = max(job.Limits.Wall, 2*until)
	}
	job.Limits.CPUs = a.judge.Pool.Width(a.task.Limits.CPUs)
	if p.number > 0 {
		job.Input = content.Of(p.input)
	}
	if a.checker.interactive() {
		return a.interact(ctx, job, p)
	}
	out, err := a.capture()
	if err != nil {
		if a.folder != "" && !sandbox.Exhausted(err) {
			return attemptResult{}, nil, err // the folder that the user named cannot be written
		}
		r, err := a.failed(ctx, err)
		return r, nil, err
	}
	defer out.discard()
	job.Stdout = out
	o, missing := a.output(ctx, job)
	r, next := a.judgeRun(ctx, o, func() (Judgement, error) {
		if missing != "" {
			return Judgement{Verdict: verdict.NO, Cause: missing}, nil
		}
		return a.evaluate(ctx, o.Result, out, p)
	})
	if r.event.Verdict != verdict.AC {
		r.event.Output = out.beginning.whole()
	}
	path, err := out.keep()
	if path != "" {
		a.addKept(path)
	}
	if err != nil && r.event.Verdict != verdict.JE {
		r = attemptResult{event: judgeFailed(err)}
	}
	r.event.Kept = path
	return r, next, nil
}

// output runs the program, or takes the output that was submitted instead. It says why if none was.
func (a *attempt) output(ctx context.Context, job run.Job) (o run.Outcome, missing string) {
	submitted := a.program.Outputs()
	if submitted == nil {
		return a.worker.Run(ctx, job, a.memo()), ""
	}
	most := cmp.Or(job.Limits.Output, math.MaxInt64-1)
	size, err := submitted.Write(ctx, job.Stdout, a.task.Cases[a.ci].Submitted, most, len(a.task.Cases) == 1)
	o.Stop, o.Stdout = sandbox.Exited, size
	absent, ok := errors.AsType[*outputs.MissingError](err)
	switch {
	case ok:
		return o, absent.Why
	case err != nil && ctx.Err() != nil:
		o.Stop = sandbox.Cancelled
	case err != nil:
		o = run.Outcome{Err: err}
	case limits.Bytes(size) > most:
		o.Stop = sandbox.OverOutput
	}
	return o, ""
}

// memo returns the memo of the runs; nil if each of them must happen.
func (a *attempt) memo() *run.Memo {
	if a.task.Repeat > 1 || a.checker.multipass() {
		return nil
	}
	return a.judge.Memo
}

// evaluate judges a run by its measurements and its output.
func (a *attempt) evaluate(ctx context.Context, r sandbox.Result, out *capture, p pass) (Judgement, error) {
	mismatch := closed(out.compared, r, a.limits)
	if err := out.compared.Err(); err != nil {
		return Judgement{}, err
	}
	return a.checker.evaluate(ctx, finishedRun{a.limits, r, mismatch, a.data, p, func() (content.Content, error) {
		if err := a.late(a.sub, nil); err != nil {
			return content.Content{}, err
		}
		return out.kept.content()
	}})
}

// interact does what pass does, with an interactor beside the program.
func (a *attempt) interact(ctx context.Context, job run.Job, p pass) (attemptResult, *pass, error) {
	job.Interactor = a.checker.interactor(a.data, p, a.task.Transcript)
	job.Input = content.Content{}
	o := a.worker.Run(ctx, job, a.memo())
	if o.Interaction != nil {
		defer o.Interaction.Copies.Close()
	}
	r, next := a.judgeRun(ctx, o, func() (Judgement, error) {
		return a.checker.judgeInteraction(ctx, interaction{a.limits, a.data, o, p})
	})
	return r, next, nil
}

// judgeRun turns the outcome of a run into the event of the case. It calls evaluate unless the run
// failed.
func (a *attempt) judgeRun(ctx context.Context, o run.Outcome, evaluate func() (Judgement, error)) (attemptResult, *pass) {
	event := &Case{Result: o.Result, Truncated: o.Truncated, Cached: o.Cached}
	if o.Err != nil {
		// The submission is to blame only if its own executable does not start, not if a tool or
		// an interactor does not.
		var start *sandbox.StartError
		_, interactor := errors.AsType[*runner.InteractorError](o.Err)
		if errors.As(o.Err, &start) && !interactor && a.sub.program != nil && a.sub.program.Executable() {
			event.Verdict, event.Cause = verdict.RTE, o.Err.Error()
			return attemptResult{event: event}, nil
		}
		return attemptResult{event: judgeFailed(o.Err), err: o.Err}, nil
	}
	event.Stderr = strings.ToValidUTF8(string(o.Stderr), "\uFFFD")
	if o.Interaction != nil {
		event.Transcript = o.Interaction.Transcript
	}
	judgement, err := evaluate()
	if late, ok := errors.AsType[*lateError](err); ok {
		_ = a.late(a.sub, late)
	}
	if ctx.Err() != nil && err != nil {
		return attemptResult{event: event}, nil // stopped because the case was cancelled
	}
	if err != nil {
		return attemptResult{event: judgeFailed(err)}, nil
	}
	event.Verdict, event.Cause, event.Mismatch, event.Message = judgement.Verdict, judgement.Cause, judgement.Mismatch, document.First(judgement.Message)
	if hint := a.task.Problem.FilesHint; hint != "" && o.Stdout == 0 && (event.Verdict == verdict.RTE || event.Verdict.Is(verdict.WrongOutput)) {
		event.Cause += " (hint: " + hint + ")"
	}
	event.Score, event.Multiplier, event.Untimed = judgement.Score, judgement.Multiplier, judgement.Untimed
	return attemptResult{event: event}, judgement.next
}

// maxResult raises the usage in r to that of o, an earlier pass.
func maxResult(r *sandbox.Result, o sandbox.Result) {
	r.CPU, r.Wall, r.Memory = max(r.CPU, o.CPU), max(r.Wall, o.Wall), max(r.Memory, o.Memory)
}

// judgeFailed returns the event for a failure of the judge, without measurements.
func judgeFailed(err error) *Case {
	lines := strings.FieldsFunc(err.Error(), func(r rune) bool { return r == '\n' || r == '\r' })
	cause := "the judge failed: "
	if _, unread := errors.AsType[*build.UnreadError](err); unread || missingTool(err) {
		cause = "not judged: "
	}
	return &Case{Verdict: verdict.JE, Cause: cause + strings.Join(lines, "; "), Result: sandbox.Result{Stop: sandbox.NotRun}}
}

// missingTool reports whether a submission was not built because the tools of its language are not
// installed or do not work.
func missingTool(err error) bool {
	_, missing := errors.AsType[*build.MissingError](err)
	return missing
}

// capture compares a program's output while the program writes it, and keeps it if the checker or
// the user needs it.
type capture struct {
	compare  func() *diff.Comparer
	compared *diff.Comparer
	kept     *kept // may be nil

	beginning beginning
}

func (a *attempt) capture() (*capture, error) {
	o := &capture{beginning: beginning{most: int(a.task.Outputs)}, compare: func() *diff.Comparer { return a.checker.comparer(a.data, a.compare) }}
	o.compared = o.compare()
	if a.folder == "" && a.checker == nil {
		return o, nil
	}
	var err error
	o.kept, err = newKept(a.judge.Temp, a.folder, a.task.KeptName(a.si, a.ci, ".out"))
	return o, err
}

func (o *capture) Write(p []byte) (int, error) {
	if o.kept != nil {
		_, _ = o.kept.Write(p)
	}
	o.beginning.add(p)
	return o.compared.Write(p)
}

// Reset drops the output, because the run is repeated.
func (o *capture) Reset() {
	o.compared.Close()
	o.compared = o.compare()
	o.beginning.text, o.beginning.cut = nil, false
	if o.kept != nil {
		o.kept.reset()
	}
}

// keep closes the kept output and returns its path if the user asked for it.
func (o *capture) keep() (path string, err error) {
	if o.kept == nil {
		return "", nil
	}
	path, err = o.kept.finish()
	o.kept = nil
	return path, err
}

// discard ends the comparison, and closes and removes the output unless keep was called.
func (o *capture) discard() {
	o.compared.Close()
	o.kept.discard()
}
