package perform

import (
	"context"
	"errors"
	"fmt"
	"regexp"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/engine"
	"tribunal/judge/internal/event"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/yamlstrict"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/task"
	"tribunal/judge/lab/verify"
)

// maxFindings bounds the findings that are kept of a check.
const maxFindings = 100

// errLong ends a check that takes longer than its task allows.
var errLong = errors.New("the check takes too long")

// check finds out whether a version of a problem can be judged and, unless the task is quick, whether its parts
// agree. Only the former decides whether it is usable, in the time that the task allows; findings are for the
// problem's authors.
func (p *Performer) check(ctx context.Context, t *task.Task) (*task.Answer, error) {
	bounded := ctx
	if t.Within > 0 {
		var stop context.CancelFunc
		bounded, stop = context.WithTimeoutCause(ctx, t.Within, errLong)
		defer stop()
	}
	c := &ledger.Checked{}
	err := p.inspect(bounded, t, c)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil && errors.Is(context.Cause(bounded), errLong):
		c.Usable = false
		c.Findings = append(c.Findings, fmt.Sprintf("the check takes longer than %v (hint: give the package fewer or faster submissions and cases)", t.Within))
	case err != nil:
		return nil, err
	}
	return &task.Answer{Checked: c}, nil
}

// inspect is check without its bound of time. After an error, c has what was found out before.
func (p *Performer) inspect(ctx context.Context, t *task.Task, c *ledger.Checked) error {
	open, err := p.versions.open(ctx, t.Problem, t.Archive)
	if err == nil {
		defer open.release()
		c.Title = cut(open.problem.Title)
		var job grade.Task
		if job, err = open.problem.Task(ctx); err == nil {
			c.Usable, c.Cases, c.Shown = true, len(job.Cases), shown(open.problem.Problem)
			c.Page, err = p.page(ctx, open.problem)
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		if _, missing := errors.AsType[*build.MissingError](err); missing || !faulty(err) {
			return problemError{err}
		}
		c.Findings = []string{p.finding(err.Error())}
		return nil
	}
	if t.Quick {
		return nil
	}
	report, err := verify.Run(ctx, p.environment(open.problem), []string{open.problem.ID}, verify.Options{Emit: func(event.Event) {}})
	if report != nil {
		c.Findings = p.findings(report)
	}
	if err != nil {
		return fmt.Errorf("verifying %s: %w", t.Problem, err)
	}
	return nil
}

// maxSamples bounds the names of samples in bytes, so that they fit into an answer.
const maxSamples = 64 << 10

// shown returns what submitters may see of the cases of a problem.
func shown(p *problem.Problem) *ledger.Shown {
	s := &ledger.Shown{Feedback: string(p.Feedback), Numbered: p.Numbered}
	size := 0
	for _, name := range p.Open {
		if size += len(name); size <= maxSamples {
			s.Samples = append(s.Samples, name)
		}
	}
	return s
}

func (p *Performer) findings(r *verify.Report) (list []string) {
	for i, f := range r.Findings {
		if i == maxFindings {
			return append(list, fmt.Sprintf("and %d more", len(r.Findings)-i))
		}
		list = append(list, p.finding(f.String()))
	}
	return list
}

// finding returns a bounded finding, in which paths begin in the package and not in the cache of this worker.
func (p *Performer) finding(text string) string {
	cached := regexp.MustCompile(regexp.QuoteMeta(p.engine.Cache.Dir()) + `/\S+?/files/`)
	return cut(cached.ReplaceAllString(text, ""))
}

// faulty reports whether an error from opening a problem is the fault of its files.
func faulty(err error) bool {
	_, user := errors.AsType[engine.UserError](err)
	_, located := errors.AsType[*yamlstrict.Error](err)
	return user || located
}

// environment gives the checks access to a problem that is open.
func (p *Performer) environment(open *engine.Problem) *verify.Environment {
	root := ""
	if open.Format == "" { // a repository with this problem alone
		root = open.Root
	}
	return &verify.Environment{
		Root: root, Known: []string{open.ID},
		Show: p.engine.Config.Diff,
		Load: func(context.Context, string) (*problem.Problem, func() error, error) {
			return open.Problem, func() error { return nil }, nil
		},
		Judge: func(*problem.Problem) *grade.Judge { return open.Judge() },
		Limits: func(ctx context.Context, j *grade.Judge, t grade.Task) (limits.Limits, string, error) {
			return p.engine.DeriveLimits(ctx, j, t)
		},
	}
}
