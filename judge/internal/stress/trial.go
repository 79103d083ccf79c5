package stress

import (
	"bytes"
	"context"
	"sync"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/fixture"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/yamlstrict"
)

// A stage is the run that a trial waits for.
type stage uint8

const (
	generate stage = iota
	validate
	refer // to the reference
	first // program in question
	second
	over
)

// A trial is one input on its way through the programs: a run at a time, on one worker.
type trial struct {
	Source
	stage stage
	Fault

	ended   bool             // by itself: nothing stopped it
	judged  bool             // every program had an opinion
	mute    bool             // the reference or a witness had none
	refusal string           // the input is not valid, for this reason
	failed  error            // one of the problem's own programs is at fault
	refused *fixture.Refusal // in the generator's words, if it is that one

	stdout bytes.Buffer
	died   bool // a box did, under this stage
	ctx    context.Context
	cancel context.CancelFunc
}

// A course is many trials, several at a time, until one of them is what is looked for.
type course struct {
	*Search
	arbiter  *grade.Arbiter
	programs [over]*build.Program  // by stage; nil for a stage that is left out
	holds    func(*trial) bool     // is what is looked for; may be called for several at a time
	told     func(i int, t *trial) // in order, of each up to the one that is found

	mu     sync.Mutex
	trials map[int]*trial
	found  int   // the first that is
	broken error // the judge's own
}

// judged returns a course whose outputs are judged by the reference. It must be closed.
func (s *Search) judged(ctx context.Context) (*course, error) {
	arbiter, err := s.Judge.Arbiter(ctx, s.Task)
	if err != nil {
		return nil, err
	}
	c, err := s.newCourse(ctx, arbiter)
	if err != nil {
		arbiter.Close()
	}
	return c, err
}

func (c *course) close() { c.arbiter.Close() }

// newCourse builds what the stages need. Without an arbiter the reference is not asked,
// and any output is as right as another.
func (s *Search) newCourse(ctx context.Context, arbiter *grade.Arbiter) (*course, error) {
	c := &course{Search: s, arbiter: arbiter}
	m := s.fixtures()
	for at, folder := range map[stage]string{generate: m.Generator(), validate: m.Checker(), refer: m.Reference()} {
		if at == refer && arbiter == nil {
			continue
		}
		program, err := m.Program(ctx, folder)
		if err != nil {
			return nil, err
		}
		c.programs[at] = program
	}
	c.programs[first] = s.A.Program
	if s.B != nil {
		c.programs[second] = s.B.Program
	}
	return c, nil
}

// run tries n inputs and returns the first in their order that holds, with its number, or
// nil when there is none. next returns the trial of the i-th, or nil to leave it out. Trials
// after the one that is returned may have been made as well. Those in progress stop when
// bound ends, without an opinion.
func (c *course) run(ctx, bound context.Context, n int, next func(i int) *trial) (*trial, int, error) {
	c.trials, c.found, c.broken = map[int]*trial{}, n, nil
	err := c.Judge.Pool.Each(ctx, n, 1, func(i int) (run.Job, bool, error) {
		return c.prepare(bound, i, next)
	}, func(i int, o run.Outcome) run.Next {
		return c.finish(ctx, i, o)
	}, func(i int, _ bool) {
		c.mu.Lock()
		t, counts := c.trials[i], i <= c.found // all before i have ended
		if i != c.found {
			delete(c.trials, i)
		}
		c.mu.Unlock()
		if t != nil && counts && c.told != nil {
			c.told(i, t)
		}
	})
	switch {
	case c.broken != nil:
		return nil, 0, c.broken
	case err != nil:
		return nil, 0, err
	}
	return c.trials[c.found], c.found, nil
}

// prepare returns the run of the stage that the i-th trial is at. A trial goes from stage
// to stage by asking its worker for another run.
func (c *course) prepare(bound context.Context, i int, next func(i int) *trial) (run.Job, bool, error) {
	c.mu.Lock()
	t, late, broken := c.trials[i], i > c.found, c.broken
	c.mu.Unlock()
	if broken != nil {
		return run.Job{}, false, broken
	}
	if late || bound.Err() != nil {
		if t != nil {
			t.cancel()
		}
		return run.Job{}, false, nil
	}
	if t == nil {
		if t = next(i); t == nil {
			return run.Job{}, false, nil
		}
		t.ctx, t.cancel = context.WithCancel(bound)
		c.mu.Lock()
		c.trials[i] = t
		c.mu.Unlock()
	}
	job := c.job(t)
	job.Program, job.Context, job.Stdout = c.programs[t.stage], t.ctx, &t.stdout
	t.stdout.Reset()
	return job, true, nil
}

func (c *course) job(t *trial) run.Job {
	switch t.stage {
	case generate:
		return t.Source.job()
	case validate:
		return fixture.Inspect(content.Of(t.Input))
	case refer:
		return run.Job{Input: content.Of(t.Input), Limits: narrow(c.Task.Limits)}
	case first:
		return run.Job{Input: content.Of(t.Input), Limits: narrow(c.A.Limits)}
	}
	return run.Job{Input: content.Of(t.Input), Limits: narrow(c.B.Limits)}
}

// finish takes in what a run came to.
func (c *course) finish(ctx context.Context, i int, o run.Outcome) run.Next {
	c.mu.Lock()
	t := c.trials[i]
	c.mu.Unlock()
	if again := run.Lost(o.Err); again != run.Done && !t.died {
		t.died = true
		return again
	}
	err := o.Err
	if err == nil && o.Stop != sandbox.Cancelled {
		t.died = false
		err = c.advance(ctx, t, o)
	} else {
		t.stage = over
	}
	if err == nil && t.stage != over {
		return run.Again
	}
	t.ended = err == nil && o.Stop != sandbox.Cancelled
	t.cancel()
	t.stdout = bytes.Buffer{}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case err != nil && c.broken == nil:
		c.broken = err
	case err == nil && i < c.found && c.holds(t):
		c.found = i
		for k, other := range c.trials {
			if k > i {
				other.cancel()
			}
		}
	}
	return run.Done
}

// advance brings a trial to the next stage that there is, or to its end. The error is the
// judge's own.
func (c *course) advance(ctx context.Context, t *trial, o run.Outcome) error {
	at := t.stage
	t.stage = over
	m := c.fixtures()
	switch at {
	case generate:
		if l := t.Source.job().Limits; !o.OK(l) {
			said := fixture.Refusal{Reason: fixture.Cause(o, l), Hint: "judge gen " + m.Problem + " lists the families"}
			if t.refused = m.Refused(o); t.refused != nil {
				said = *t.refused
			}
			t.failed = &yamlstrict.Error{File: m.Generator(), Msg: t.Source.String() + ": " + said.Reason, Hint: said.Hint}
			return nil
		}
		t.Input = bytes.Clone(t.stdout.Bytes())
	case validate:
		valid, refusal, failure := fixture.Inspected(o)
		t.refusal = refusal
		if failure != "" {
			t.failed = &yamlstrict.Error{File: m.Checker(), Msg: "-input: " + failure, Hint: "it was asked about what " + t.from(m) + " prints"}
		}
		if !valid {
			return nil
		}
	case refer:
		l := narrow(c.Task.Limits)
		if v, _ := grade.Classify(l, o.Result, grade.Comparison{}); v.OverLimit() {
			t.mute = true
			return nil
		}
		if !o.OK(l) {
			t.failed = &yamlstrict.Error{File: m.Reference(), Msg: fixture.Cause(o, l), Hint: "its input was what " + t.from(m) + " prints"}
			return nil
		}
		t.Want = bytes.Clone(t.stdout.Bytes())
		if c.A.Program == nil {
			if err := c.rule(ctx, t, first, o); err != nil {
				return err
			}
		}
	case first, second:
		if err := c.rule(ctx, t, at, o); err != nil {
			return err
		}
		if side := c.side(at); side.Witness && t.answer(at).Verdict.OverLimit() {
			t.mute = true
			return nil
		}
	}
	for next := at + 1; next < over; next++ {
		if c.programs[next] != nil {
			t.stage = next
			return nil
		}
	}
	t.judged = true
	return nil
}

// side returns the program in question of a stage.
func (c *course) side(at stage) *Side {
	if at == first {
		return &c.A
	}
	return c.B
}

// answer returns what it said.
func (t *trial) answer(at stage) *Answer {
	if at == first {
		return &t.A
	}
	return t.B
}

// rule notes what a run of one of the programs in question is worth.
func (c *course) rule(ctx context.Context, t *trial, at stage, o run.Outcome) error {
	l := narrow(c.side(at).Limits)
	output := bytes.Clone(t.stdout.Bytes())
	if c.arbiter == nil {
		t.A = Answer{Result: o.Result}
		t.A.Verdict, t.A.Cause = grade.Classify(l, o.Result, grade.Comparison{})
		return o.Err
	}
	ruling, err := c.arbiter.Rule(ctx, l, fixture.Fixture{Input: content.Of(t.Input), Want: content.Of(t.Want)}, o, output)
	if err != nil {
		return err
	}
	answer := Answer{
		Verdict: ruling.Verdict, Cause: ruling.Cause, Mismatch: ruling.Mismatch, Message: ruling.Message,
		Result: o.Result, Stderr: o.Stderr, Output: output,
	}
	if at == first {
		t.A = answer
	} else {
		t.B = &answer
	}
	return nil
}

// from names the command that prints the input.
func (t *trial) from(m *fixture.Maker) string {
	if t.Generate == nil {
		return "a smaller one"
	}
	return "judge gen " + m.Problem + " " + t.Source.String()
}
