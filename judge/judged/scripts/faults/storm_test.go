package faults

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"

	"tribunal/judge/judged/internal/store/storetest"
)

// step is a fault for a while. It begins when as many submissions are acknowledged as its place in the
// schedule says, so that there is load whenever something fails.
type step struct {
	fault, target string
	hold          time.Duration
}

func (s step) String() string { return fmt.Sprint(s.fault, " ", s.target, " ", s.hold) }

func parse(text string) (s step, err error) {
	var hold string
	if _, err = fmt.Sscan(text, &s.fault, &s.target, &hold); err == nil {
		s.hold, err = time.ParseDuration(hold)
	}
	if err != nil {
		return s, fmt.Errorf("step %q: %w", text, err)
	}
	return s, nil
}

// fault is a failure of a process or its links, and its repair.
type fault struct {
	begin, end func(p *process, links []*link) error
}

var faultsOf = map[string]fault{
	"kill":  {toProcess((*process).kill), started},
	"stop":  {toProcess((*process).stop), started},
	"join":  {started, toProcess((*process).kill)},
	"pause": {toProcess((*process).pause), toProcess((*process).resume)},
	"cut":   toLinks((*link).cut),
	"stall": toLinks((*link).stall),
	"slow":  toLinks((*link).slow),
	"early": toClock("-1h"),
	"late":  toClock("1h"),
}

func started(p *process, _ []*link) error { return p.start() }

func toProcess(do func(*process)) func(*process, []*link) error {
	return func(p *process, _ []*link) error { do(p); return nil }
}

func toLinks(set func(l *link, is bool)) fault {
	all := func(is bool) func(*process, []*link) error {
		return func(_ *process, links []*link) error {
			for _, l := range links {
				set(l, is)
			}
			return nil
		}
	}
	return fault{all(true), all(false)}
}

func toClock(by string) fault {
	return fault{toProcess(func(p *process) { p.tell(by) }), toProcess(func(p *process) { p.tell("0s") })}
}

// perStep is the number of submissions for each step of a schedule.
const perStep = 24

// storm hands in submissions, lets the faults of a schedule happen meanwhile, and checks what came of
// it.
func storm(t *testing.T, s shape, steps []step) {
	t.Helper()
	w := newWorld(t, s)
	n := perStep * (len(steps) + 1)
	ctx := storetest.Patient(t)
	begin := time.Now()
	note := func(what any) { t.Logf("%6d ms: %v", time.Since(begin).Milliseconds(), what) }
	g, all := errgroup.WithContext(ctx)
	g.Go(func() error { return w.client.submit(all, n) })
	for i, s := range steps {
		g.Go(func() error {
			if err := w.client.await(all, perStep*i+perStep/2); err != nil {
				return err
			}
			note(s)
			return w.happen(all, s)
		})
	}
	if err := g.Wait(); err != nil {
		t.Fatal(err)
	}
	note("everything is acknowledged")
	if err := w.heal(ctx); err != nil {
		t.Fatal(err)
	}
	w.check(ctx, t, n)
	note("everything is checked")
}

// happen lets a step happen.
func (w *world) happen(ctx context.Context, s step) error {
	targets, err := w.resolve(ctx, s.target)
	if err != nil {
		return err
	}
	f, known := faultsOf[s.fault]
	for _, name := range targets {
		p, links := w.processes[name], w.links[name]
		if !known || p == nil && links == nil {
			return fmt.Errorf("step %q: no such fault, or no such target", s)
		}
		if err := f.begin(p, links); err != nil {
			return err
		}
	}
	select {
	case <-time.After(s.hold):
	case <-ctx.Done():
		return ctx.Err()
	}
	for _, name := range targets {
		if err := f.end(w.processes[name], w.links[name]); err != nil {
			return err
		}
	}
	return nil
}

// resolve returns what a target is now: "leader" is the service that leads, "head" the node that leads the
// ledger, "nodes" are all nodes, and "all" are all processes but the villain.
func (w *world) resolve(ctx context.Context, target string) ([]string, error) {
	switch target {
	case "nodes", "all":
		names := slices.Sorted(maps.Keys(w.processes)) // nodes come first
		return slices.DeleteFunc(names, func(name string) bool {
			return name == villainName || target == "nodes" && w.processes[name].role.Node == nil
		}), nil
	case "leader":
		return w.find(ctx, leader)
	case "head":
		return w.find(ctx, head)
	}
	return []string{target}, nil
}

// find asks the NATS servers which of them has a role, until one does.
func (w *world) find(ctx context.Context, who func(context.Context, jetstream.JetStream) (string, error)) ([]string, error) {
	js, done, err := w.jetstream()
	if err != nil {
		return nil, err
	}
	defer done()
	for {
		name, err := who(ctx, js)
		if err == nil && name != "" {
			return []string{name}, nil
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func leader(ctx context.Context, js jetstream.JetStream) (string, error) {
	s, err := js.Stream(ctx, "tribunal-board")
	if err != nil {
		return "", err
	}
	m, err := s.GetLastMsgForSubject(ctx, "tribunal.board.leader")
	if err != nil {
		return "", err
	}
	return string(m.Data), nil
}

func head(ctx context.Context, js jetstream.JetStream) (string, error) {
	s, err := js.Stream(ctx, "tribunal-ledger")
	if err != nil {
		return "", err
	}
	return s.CachedInfo().Cluster.Leader, nil
}
