package regen

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/verdict"
)

// The limits of a brute on one case. A brute may exceed them: that is not a disagreement.
const (
	bruteTime   = 10 * time.Second // or the problem's CPU limit, if that is lower
	bruteMemory = limits.GiB       // or the problem's memory limit, if that is higher
)

// crossCheck judges the brute on the cases with new outputs, and refuses the plan if the brute
// disagrees.
func (p *Plan) crossCheck(ctx context.Context, j *grade.Judge) error {
	w := p.w
	if _, err := os.Stat(filepath.Join(w.m.Problem.Root, w.m.Problem.Brute)); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	brute, err := w.m.Key(ctx, w.m.Problem.Brute)
	if err != nil {
		return err
	}
	task := p.bruteTask()
	opinions := map[string]opinion{}
	for i := range p.computed {
		c := &p.computed[i]
		if !p.isNew(c) {
			continue
		}
		o, err := p.recall(brute, task, c)
		if err != nil {
			return err
		}
		if !o.known {
			task.Cases = append(task.Cases, *c)
			opinions[c.Name] = o
		}
	}
	if len(task.Cases) == 0 {
		return nil
	}
	if _, err := w.m.Program(ctx, w.m.Problem.Brute); err != nil {
		return err
	}
	if w.o.Stage != nil {
		w.o.Stage("running " + w.m.Problem.Brute)
	}
	source, err := w.m.Source(w.m.Problem.Brute)
	if err != nil {
		return err
	}
	task.Submissions = []grade.Submission{{Source: source}}
	var events []*grade.Case
	err = j.Grade(ctx, task, func(e grade.Event) {
		if c, ok := e.(*grade.Case); ok {
			events = append(events, c)
		}
	})
	if err != nil {
		return err
	}
	return p.weigh(ctx, events, opinions)
}

// isNew reports whether the expected output of c is new or changed: the old lock does not record it
// for this input, or the case file holds a different one. A pinned output can be new as well: it
// may be as wrong as the reference, which the brute can show.
func (p *Plan) isNew(c *cases.Case) bool {
	old := p.w.set.Lock.Cases[c.Name]
	return old.Input != c.Lock.Input || old.Output != c.Lock.Output ||
		slices.ContainsFunc(p.Changes, func(change Change) bool { return change.Case == c.Name })
}

// weigh evaluates the brute's results. It remembers in the cache the cases on which the brute
// agrees or exceeds a limit, notes those on which it fails, and refuses the plan if it disagrees on
// any; the refusal shows the case with the smallest input.
func (p *Plan) weigh(ctx context.Context, events []*grade.Case, opinions map[string]opinion) error {
	w := p.w
	var wrong []*Refusal
	var smallest []byte
	worst := 0 // the index in wrong of the smallest input
	for _, e := range events {
		o := opinions[e.Name]
		var remember cache.Key
		switch e.Verdict.Kind() {
		case verdict.Accepted:
			remember = o.agrees
		case verdict.TooSlow, verdict.TooMuch:
			remember = o.outOfReach
		case verdict.WrongOutput:
			input, err := w.m.Input(ctx, o.c)
			if err != nil {
				return err
			}
			r := &Refusal{
				Kind: Disputed, Case: e.Name, Mismatch: e.Mismatch, Input: beginning(input), input: input,
				Err: o.c.Errorf("", "one of the two is wrong", "%s disagrees with the reference", w.m.Problem.Brute),
			}
			if wrong = append(wrong, r); len(wrong) == 1 || len(input) < len(smallest) {
				smallest, worst = input, len(wrong)-1
			}
			continue
		case verdict.JudgeFailed:
			return errors.New(e.Cause)
		default:
			p.Notes = append(p.Notes, fmt.Sprintf("%s has no opinion on %s: %v, %s", w.m.Problem.Brute, e.Name, e.Verdict, e.Cause))
			continue
		}
		entry, err := w.m.Cache.Put(remember, func(string) error { return nil })
		if err != nil {
			return err
		}
		entry.Close()
	}
	if len(wrong) == 0 {
		return nil
	}
	r := wrong[worst]
	r.Others = slices.Delete(wrong, worst, worst+1)
	return r
}

// bruteTask returns the task that judges the brute, still without cases and submission.
func (p *Plan) bruteTask() grade.Task {
	w := p.w
	t := grade.Task{Problem: w.m.Problem, All: true, Show: w.o.Show, Limits: w.m.Limits}
	if t.Limits.CPU == 0 || t.Limits.CPU > bruteTime {
		t.Limits.CPU = bruteTime
	}
	t.Limits.Wall = 3 * t.Limits.CPU
	if t.Limits.Memory > 0 {
		t.Limits.Memory = max(t.Limits.Memory, bruteMemory)
	}
	return t
}

// opinion holds the cache keys for the brute's results on one case.
type opinion struct {
	c          *cases.Case
	agrees     cache.Key // has an entry if the brute agrees
	outOfReach cache.Key // has an entry if the brute exceeds a limit
	known      bool      // one of the keys has an entry
}

// recall looks up in the cache whether this brute has been judged on c before, with the same
// limits.
func (p *Plan) recall(brute cache.Key, t grade.Task, c *cases.Case) (opinion, error) {
	o := opinion{c: c}
	key := func(kind string, more ...string) cache.Key {
		h := cache.NewHasher(kind)
		h.Text(string(brute), c.Lock.Input, fmt.Sprint(t.Limits))
		h.Text(more...)
		if c.Generate == nil && c.Made() != "" { // c has arguments, files or a validator of its own
			h.Text(c.Made())
		}
		return h.Key()
	}
	o.agrees = key("brute agrees 2", c.Lock.Output, fmt.Sprint(t.Problem.Options(t.Show), t.Problem.Checker(), t.Problem.Validator != nil))
	o.outOfReach = key("brute gives up 1")
	for _, k := range []cache.Key{o.agrees, o.outOfReach} {
		if p.w.o.Fresh {
			p.w.m.Cache.Drop(k)
			continue
		}
		entry, err := p.w.m.Cache.Get(k)
		if err != nil {
			return o, err
		}
		if entry != nil {
			entry.Close()
			o.known = true
		}
	}
	return o, nil
}
