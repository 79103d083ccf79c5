package faults

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"tribunal/judge/internal/verdict"
	"tribunal/judge/judged/internal/broker"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/store"
	"tribunal/judge/judged/internal/task"
	"tribunal/judge/judged/internal/worker"
)

// script is a source. It says what judging it takes and gives, so that a verdict of another submission
// is seen, and hundreds of judgings take seconds.
type script struct {
	Key     string // of the submission
	Verdict verdict.Verdict
	Takes   time.Duration
	Fails   int    // attempts in which the judge fails
	Large   int    // bytes of the result, which is a blob if it is large
	Padding string // makes the source a blob
}

// cases is the number of cases of every problem.
const cases = 10

// decides returns the case with the verdict.
func (s *script) decides() int {
	h := fnv.New32()
	h.Write([]byte(s.Key))
	return int(h.Sum32() % cases)
}

// report is the result of a script, or of a part of it.
type report struct {
	Key      string
	From, To int // cases
	Padding  string
}

// laborer is a worker that follows scripts instead of running programs.
type laborer struct {
	Name    string
	NATS    string // URLs
	Slots   int
	Hostile bool // see hostile_test.go
}

func (l *laborer) run(ctx context.Context) error {
	opener := joining
	if l.Hostile {
		opener = opening(1) // it reads the ledger, to know when a lie is one
	}
	st, done, err := open(ctx, func() (*nats.Conn, error) { return broker.Dial(l.NATS, "") }, opener)
	if err != nil {
		return err
	}
	defer done()
	ready()
	a := &actor{host: task.Host{Worker: l.Name, Slots: l.Slots}, blobs: worker.Patient(st.Blobs, logger())}
	if l.Hostile {
		return newVillain(st, a).run(ctx)
	}
	kill, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(time.Second, stop) })()
	o := worker.Options{Presence: presence / 6, Health: time.Second, Now: clock.Now, Log: logger()}
	return worker.New(st, a, o).Run(ctx, kill)
}

// actor is a [worker.Performer] that follows scripts.
type actor struct {
	host  task.Host
	blobs store.Blobs
}

func (a *actor) Host() task.Host               { return a.host }
func (a *actor) Examine(context.Context) error { return nil }

func (a *actor) Perform(ctx context.Context, t *task.Task, live func(any)) (*task.Answer, error) {
	if t.Part == task.Check {
		_, err := store.Fetch(ctx, a.blobs, t.Archive)
		return &task.Answer{Checked: &ledger.Checked{Usable: true, Title: t.Problem, Cases: cases}}, err
	}
	text, err := store.Fetch(ctx, a.blobs, t.Source)
	if err != nil {
		return nil, err
	}
	var s script
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, err
	}
	if t.Attempt <= s.Fails {
		return nil, errors.New("the script wants the judge to fail")
	}
	live(map[string]string{"event": "judging"})
	from, to := 0, cases
	takes := s.Takes
	switch {
	case t.Part == task.Join:
		if to, err = a.joined(ctx, t, &s); err != nil {
			return nil, err
		}
		takes = 0
	case t.Part >= 0:
		from, to = t.Cases.From, t.Cases.To
		takes = takes * time.Duration(to-from) / cases
	}
	select {
	case <-time.After(takes):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return a.answer(ctx, t, &s, from, to)
}

// answer returns the answer to a task of a script, of which these cases were judged.
func (a *actor) answer(ctx context.Context, t *task.Task, s *script, from, to int) (*task.Answer, error) {
	text, err := json.Marshal(report{s.Key, from, to, strings.Repeat("x", s.Large)})
	if err != nil {
		return nil, err
	}
	answer := &task.Answer{}
	if answer.Result, err = store.Stow(ctx, a.blobs, text); err != nil {
		return nil, err
	}
	failed := s.Verdict != verdict.AC && from <= s.decides() && s.decides() < to
	if t.Part >= 0 {
		answer.Decides = failed
		return answer, nil
	}
	if s.Verdict != verdict.AC && !failed {
		return nil, fmt.Errorf("%s was joined from cases %d to %d, and case %d decides", s.Key, from, to, s.decides())
	}
	answer.Summary = &ledger.Summary{Verdict: s.Verdict, Cause: s.Key, Judged: to - from, Total: cases, Spent: s.Takes}
	return answer, nil
}

// joined checks that the results of the parts are of this script and follow each other, and returns the
// number of their cases.
func (a *actor) joined(ctx context.Context, t *task.Task, s *script) (to int, err error) {
	for i, ref := range t.Parts {
		text, err := store.Fetch(ctx, a.blobs, ref)
		if err != nil {
			return 0, err
		}
		var r report
		if err := json.Unmarshal(text, &r); err != nil {
			return 0, err
		}
		if r.Key != s.Key || r.From != to {
			return 0, fmt.Errorf("part %d of %s is of %s, and begins at case %d instead of %d", i, s.Key, r.Key, r.From, to)
		}
		to = r.To
	}
	return to, nil
}
