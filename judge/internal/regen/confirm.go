package regen

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/verdict"
)

// What a brute may use for one case. It is slow by its nature, and what is out of its
// reach is no opinion.
const (
	bruteTime   = 10 * time.Second // or the problem's, if that is less
	bruteMemory = limits.GiB       // or the problem's, if that is more
)

// Confirm doubts what Make computed. The reference is run once more, in other
// surroundings, on whatever it has not been run twice on here; and the brute, where
// there is one, is judged by the expectations that are new or changed. The error is a
// *Refusal, or the judge's. j judges with the provider that the plan was made with.
func (p *Plan) Confirm(ctx context.Context, j *grade.Judge) error {
	if len(p.computed) == 0 {
		return nil
	}
	if err := p.again(ctx); err != nil {
		return p.w.refuse(err)
	}
	if err := p.witness(ctx, j); err != nil {
		return p.w.refuse(err)
	}
	if len(p.w.o.Globs) > 0 {
		return nil // the lock says more than was computed
	}
	l := p.w.now
	l.Cases = p.lock.Cases
	return p.w.vouch(&l)
}

// again runs the reference a second time.
func (p *Plan) again(ctx context.Context) error {
	w := p.w
	if !w.m.Problem.Derives() {
		return nil // it has not been run once
	}
	if text, err := os.ReadFile("/proc/sys/kernel/randomize_va_space"); err == nil && strings.TrimSpace(string(text)) == "0" {
		p.Notes = append(p.Notes, "this host does not randomise address spaces (kernel.randomize_va_space): a reference whose output hangs on addresses may go unnoticed")
	}
	c, second, err := w.m.Repeat(ctx, p.computed)
	if err != nil || c == nil {
		return err
	}
	first, err := w.m.DerivedOutput(ctx, c)
	if err != nil {
		return err
	}
	input, err := w.m.Input(ctx, c)
	if err != nil {
		return err
	}
	return &Refusal{
		Kind: Unstable, Case: c.Name, Mismatch: diff.Compare(first, second, w.o.Show), Kept: w.keep(c, input),
		Err: c.Errorf("", "look for the order of maps, addresses, the time, or what several goroutines do",
			"the reference is not deterministic: a second run printed something else"),
	}
}

// witness asks the brute.
func (p *Plan) witness(ctx context.Context, j *grade.Judge) error {
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
		if !p.news(c) {
			continue
		}
		o, err := p.ask(brute, task, c)
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
		w.o.Stage("asking " + w.m.Problem.Brute)
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
	return p.hear(ctx, events, opinions)
}

// news reports whether an output is one that the lock does not know for this input, or
// not the one in the file. A pinned one is no less news: the person who pinned it may be as
// wrong as the reference, and this is when the brute can say so.
func (p *Plan) news(c *cases.Case) bool {
	old := p.w.set.Lock.Cases[c.Name]
	return old.Input != c.Lock.Input || old.Output != c.Lock.Output ||
		slices.ContainsFunc(p.Changes, func(change Change) bool { return change.Case == c.Name })
}

// hear weighs what the brute came to.
func (p *Plan) hear(ctx context.Context, events []*grade.Case, opinions map[string]opinion) error {
	w := p.w
	var wrong []*Refusal
	var smallest []byte
	worst := 0 // of wrong: that with the smallest input
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
				Err: o.c.Errorf("", "one of them is wrong", "%s disagrees with the reference", w.m.Problem.Brute),
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

// bruteTask is what a brute is judged by, without cases.
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

// opinion is what a brute has to say about one case: the keys under which it is
// remembered.
type opinion struct {
	c                  *cases.Case
	agrees, outOfReach cache.Key
	known              bool
}

// ask looks up what the brute said before.
func (p *Plan) ask(brute cache.Key, t grade.Task, c *cases.Case) (opinion, error) {
	o := opinion{c: c}
	key := func(kind string, more ...string) cache.Key {
		h := cache.NewHasher(kind)
		h.Text(string(brute), c.Lock.Input, fmt.Sprint(t.Limits))
		h.Text(more...)
		if c.Generate == nil && c.Made() != "" { // with arguments or files, or judged otherwise
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
