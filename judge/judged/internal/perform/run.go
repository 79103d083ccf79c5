package perform

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/document"
	"tribunal/judge/internal/engine"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/store"
	"tribunal/judge/judged/internal/task"
)

// Wide are the limits of a run without a problem.
var Wide = limits.Limits{CPU: 10 * time.Second, Wall: 30 * time.Second, Memory: limits.GiB, Output: 16 * limits.MiB, Processes: limits.Processes, CPUs: 1}

// maxStderr is how much of the standard error the result of a run keeps.
const maxStderr = 64 * limits.KiB

func (p *Performer) run(ctx context.Context, t *task.Task, live func(any)) (*task.Answer, error) {
	start := time.Now()
	about, l := p.bare, Wide
	if t.Problem != "" {
		open, err := p.versions.open(ctx, t.Problem, t.Archive)
		if err != nil {
			return nil, problemError{err}
		}
		defer open.release()
		job, err := open.problem.Task(ctx)
		if err != nil {
			return nil, problemError{err}
		}
		about, l = open.problem.Problem, job.Limits
	}
	source, err := p.source(ctx, t, about.Files)
	if err != nil {
		return nil, err
	}
	source = source.WithOptions(t.Options, p.engine.Config.Build.Languages)
	l = about.LimitsFor(l, source.Language, "")
	if l, err = engine.Override(t.Limits).Apply(p.engine.Config, l); err != nil {
		return nil, err
	}
	input, err := store.Fetch(ctx, p.blobs, *t.Input)
	if err != nil {
		return nil, fmt.Errorf("the input: %w", err)
	}
	live(Live{Judging: t.Judging, Attempt: t.Attempt, Event: "compiling"})
	r := p.newResult(ctx, t, source)
	r.Run = &task.Run{Limits: l, Built: grade.Built{Language: source.Language}}
	program, err := p.engine.Builder.Build(ctx, source)
	if compile, ok := errors.AsType[*build.CompileError](err); ok {
		r.Run.Built.Time = compile.Time
		r.Run.Built.Error = document.First(strings.TrimPrefix(err.Error(), "compile error: "))
		r.Run.Outcome, r.Run.Cause = verdict.CE.String(), cut(compile.Cause())
		return p.ran(ctx, r, start)
	}
	if err != nil {
		return nil, err
	}
	defer program.Close()
	if program.Outputs() != nil {
		r.Run.Outcome, r.Run.Cause = verdict.CE.String(), "it holds outputs, which cannot be run"
		return p.ran(ctx, r, start)
	}
	r.Run.Built.Cached, r.Run.Built.Time = program.Cached, program.Time
	live(Live{Judging: t.Judging, Attempt: t.Attempt, Event: "judging"})
	out := bounded{most: int(task.MaxOutput)}
	job := run.Job{
		Program: program, Args: t.Args, Input: content.Of(input), Stdout: &out, Limits: l,
		InFile: about.InFile, OutFile: about.OutFile, ReadOnly: about.ReadOnly, StderrMost: maxStderr,
	}
	job.Limits.CPUs = p.engine.Pool.Width(l.CPUs)
	result := p.engine.Pool.Run(ctx, job)
	if err := errors.Join(ctx.Err(), result.Err); err != nil {
		return nil, err
	}
	v, cause := grade.Classify(l, result.Result, grade.Comparison{})
	r.Run.Result, r.Run.Cause, r.Run.Outcome = result.Result, cut(cause), v.String()
	if v == verdict.AC {
		r.Run.Outcome = "OK"
	}
	r.Run.Text, r.Run.Truncated, r.Run.Errors = out.Bytes(), out.cut, result.Stderr
	return p.ran(ctx, r, start)
}

func (p *Performer) ran(ctx context.Context, r *task.Result, start time.Time) (*task.Answer, error) {
	r.Host, r.Elapsed = p.Host(), time.Since(start)
	a := &task.Answer{Summary: &ledger.Summary{
		Cause: r.Run.Cause, CPU: r.Run.CPU, Wall: r.Run.Wall, Memory: r.Run.Memory, Spent: r.Elapsed,
	}}
	var err error
	a.Result, err = p.stow(ctx, r)
	return a, err
}

// bounded is a sink that keeps the beginning of an output.
type bounded struct {
	bytes.Buffer
	most int
	cut  bool
}

func (b *bounded) Write(p []byte) (int, error) {
	if room := b.most - b.Len(); len(p) > room {
		b.cut = true
		b.Buffer.Write(p[:room])
		return len(p), nil
	}
	return b.Buffer.Write(p)
}

func (b *bounded) Reset() {
	b.cut = false
	b.Buffer.Reset()
}
