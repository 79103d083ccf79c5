package mutate

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/fixture"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/internal/yamlstrict"
)

// Hunt is what a search for inputs that kill survivors came to.
type Hunt struct {
	Inputs int // that were tried
	Found  []*Found
}

// Found is an input that kills survivors. As a case of the problem it would raise the
// score.
type Found struct {
	Generate []string // arguments of the generator, without the seed
	Seed     uint64
	Bytes    int // of the input
	Kills    []Kill
}

// Command returns the arguments of judge that print the input.
func (f *Found) Command(problem string) string {
	return strings.Join(slices.Concat([]string{"gen", problem}, f.Generate, []string{"-seed=" + strconv.FormatUint(f.Seed, 10)}), " ")
}

// Kill is a survivor that an input kills.
type Kill struct {
	Mutant  *Mutant
	Verdict verdict.Verdict
	Cause   string
}

const (
	huntTime  = 2 * time.Second  // that the unmutated schema may take on an input
	firstCost = time.Millisecond // that a first rung is taken to have cost already, doubled for each above
	maxSame   = 20               // inputs in a row that have been there before, after which a rung has no more
	huntBatch = 8                // inputs at a time, for each slot
)

// climber is a rung of the generator's ladder, or the arguments of a case.
type climber struct {
	generate []string
	seed     uint64        // the next
	spent    time.Duration // on it so far
	tries    int
	same     int // inputs in a row that were there before
}

// quarry is one input of a batch.
type quarry struct {
	*climber
	c       cases.Case
	input   bytes.Buffer
	ok      bool // it is new, and the unmutated schema has an answer
	fixture fixture.Fixture
	trial   trial
	found   Found
	guess   time.Duration // what it was thought to cost
	took    time.Duration // what it did
}

// hunting is a hunt in progress.
type hunting struct {
	*work
	until time.Time
	rungs []*climber
	seen  map[string]bool // hashes of inputs
	alive []*Result
}

// hunt searches for inputs that kill survivors: those of the generator's ladder and of the
// cases with other seeds. All rungs get about the same time, the low ones first.
func (w *work) hunt(ctx context.Context) error {
	w.emit(&Stage{"hunting survivors"})
	h := &hunting{work: w, until: time.Now().Add(w.o.Hunt), seen: map[string]bool{}}
	w.report.Remaining = &Hunt{}
	for i := range w.report.Mutants {
		if m := &w.report.Mutants[i]; m.survives() && !m.Equivalent() {
			h.alive = append(h.alive, m)
		}
	}
	if err := h.climb(ctx); err != nil {
		return err
	}
	for _, f := range w.fixtures {
		input, err := f.Input.Bytes()
		if err != nil {
			return err
		}
		h.seen[cases.Hash(input)] = true
	}
	for len(h.alive) > 0 && len(h.rungs) > 0 && time.Now().Before(h.until) {
		if err := h.batch(ctx); err != nil {
			return err
		}
	}
	return nil
}

// climb finds the rungs.
func (h *hunting) climb(ctx context.Context) error {
	add := func(generate []string, above int) {
		if !slices.ContainsFunc(h.rungs, func(c *climber) bool { return slices.Equal(c.generate, generate) }) {
			h.rungs = append(h.rungs, &climber{generate: generate, seed: 1, spent: firstCost << min(above, 20)})
		}
	}
	ladder, err := h.judge.Fixtures.Ladder(ctx)
	if _, none := errors.AsType[*yamlstrict.Error](err); err != nil && !none {
		return err
	}
	above := 0
	for i, r := range ladder {
		if above++; i == 0 || ladder[i-1].Family() != r.Family() {
			above = 0
		}
		add(r.Generate, above)
	}
	for i, c := range h.o.Task.Cases {
		if c.Generate != nil {
			above := 0
			for h.trials[i].cost > firstCost<<above {
				above++
			}
			add(c.Generate, above)
		}
	}
	if len(h.rungs) == 0 && err != nil {
		return err
	}
	return nil
}

// batch tries the next inputs.
func (h *hunting) batch(ctx context.Context) error {
	var list []*quarry
	for range huntBatch * h.judge.Pool.Slots() {
		c := slices.MinFunc(h.rungs, func(a, b *climber) int { return cmp.Compare(a.spent, b.spent) })
		seed := c.seed
		list = append(list, &quarry{climber: c, c: cases.Case{Generate: c.generate, Seed: &seed}})
		c.seed++
		c.tries++
		list[len(list)-1].guess = c.spent / time.Duration(c.tries)
		c.spent += list[len(list)-1].guess
	}
	all := list
	for _, step := range []func(context.Context, []*quarry) error{h.make, h.reveal, h.chase} {
		if err := step(ctx, list); err != nil {
			return err
		}
		list = slices.DeleteFunc(slices.Clone(list), func(q *quarry) bool { return !q.ok })
	}
	h.report.Remaining.Inputs += len(list)
	for _, q := range list {
		if len(q.found.Kills) > 0 {
			h.report.Remaining.Found = append(h.report.Remaining.Found, &q.found)
			h.emit(&q.found)
		}
	}
	for _, q := range all {
		q.spent += q.took - q.guess
	}
	h.rungs = slices.DeleteFunc(h.rungs, func(c *climber) bool { return c.same >= maxSame })
	return nil
}

// make generates inputs.
func (h *hunting) make(ctx context.Context, list []*quarry) error {
	program, err := h.judge.Fixtures.Program(ctx, h.judge.Fixtures.Problem.Generator)
	if err != nil {
		return err
	}
	return run.Each(ctx, h.judge.Pool, len(list), 1, func(ctx context.Context, w *run.Worker, i int) (bool, error) {
		if !time.Now().Before(h.until) {
			return false, nil
		}
		q, job := list[i], fixture.Generate(&list[i].c)
		job.Program, job.Stdout = program, &q.input
		o := w.Run(ctx, job, nil)
		q.took = overhead + o.Wall
		return o.Err == nil && o.OK(job.Limits), nil
	}, func(i int, ok bool) error {
		q := list[i]
		hash := cases.Hash(q.input.Bytes())
		if q.ok = ok && !h.seen[hash]; q.ok {
			h.seen[hash], q.same = true, 0
		} else {
			q.same++
		}
		return nil
	})
}

// reveal runs the unmutated schema, which knows the right answers, and tells which
// mutants an input may kill.
func (h *hunting) reveal(ctx context.Context, list []*quarry) error {
	l := h.baseLimits()
	l.CPU, l.Wall = min(l.CPU, huntTime), min(l.Wall, wallFactor*huntTime)
	on := make([]fixture.Fixture, len(list))
	for i, q := range list {
		on[i].Input = content.Of(q.input.Bytes())
	}
	told, err := h.unmutated(ctx, on, l, nil)
	if err != nil {
		return err
	}
	for i, q := range list {
		m := told[i]
		q.took += 2 * (overhead + m.took.Wall)
		q.fixture = fixture.Fixture{Input: on[i].Input, Want: content.Of(m.output)}
		q.trial, err = h.trial(ctx, &q.fixture, m, l)
		q.ok = err == nil
		q.found = Found{Generate: q.generate, Seed: *q.c.Seed, Bytes: int(on[i].Input.Size())}
	}
	return nil
}

// chase runs survivors on the inputs that pass their sites, the smallest input first.
func (h *hunting) chase(ctx context.Context, list []*quarry) error {
	slices.SortStableFunc(list, func(a, b *quarry) int { return cmp.Compare(a.fixture.Input.Size(), b.fixture.Input.Size()) })
	type pair struct {
		m *Result
		q *quarry
	}
	var pairs []pair
	for _, q := range list {
		for _, m := range h.alive {
			if q.trial.passes(m.Site) {
				pairs = append(pairs, pair{m, q})
			}
		}
	}
	killed := map[*Result]bool{}
	var mu sync.Mutex // of killed
	err := h.try(ctx, len(pairs), nil, func(i int) (*Mutant, *trial) {
		mu.Lock()
		defer mu.Unlock()
		if killed[pairs[i].m] || time.Now().After(h.until) {
			return nil, nil
		}
		return &pairs[i].m.Mutant, &pairs[i].q.trial
	}, func(i int, r ruling) {
		mu.Lock()
		defer mu.Unlock()
		p := pairs[i]
		p.q.took += overhead + p.q.trial.cost
		if r.err == nil && r.Verdict != verdict.AC && !killed[p.m] {
			killed[p.m] = true
			p.q.found.Kills = append(p.q.found.Kills, Kill{&p.m.Mutant, r.Verdict, r.Cause})
		}
	})
	h.alive = slices.DeleteFunc(h.alive, func(m *Result) bool { return killed[m] })
	return err
}
