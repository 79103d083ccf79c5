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

	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/internal/yamlstrict"
)

// Hunt is the result of a search for inputs that kill survivors.
type Hunt struct {
	Inputs int      `json:"inputs"` // number of inputs tried
	Found  []*Found `json:"found"`
}

// Found is an input that kills survivors. If it were a case of the problem, the score would be
// higher.
type Found struct {
	Generate []string `json:"generate"` // arguments of the generator, without the seed
	Seed     uint64   `json:"seed"`
	Bytes    int      `json:"input_bytes"`
	Kills    []Kill   `json:"kills"`
}

func (*Found) Kind() string { return "found" }

// Command returns the arguments with which judge prints the input.
func (f *Found) Command(problem string) string {
	return strings.Join(slices.Concat([]string{"gen", problem}, f.Generate, []string{"-seed=" + strconv.FormatUint(f.Seed, 10)}), " ")
}

// Kill is a survivor that an input kills.
type Kill struct {
	ID      int             `json:"id"` // ID of Mutant
	Verdict verdict.Verdict `json:"verdict"`
	Cause   string          `json:"cause"`

	Mutant *Mutant `json:"-"`
}

const (
	huntTime   = 2 * time.Second  // maximum CPU time of the unmutated schema on an input
	firstCost  = time.Millisecond // assumed cost of the smallest size of a family, doubled for each larger one
	maxRepeats = 20               // a source is exhausted after so many known inputs in a row
	huntBatch  = 8                // number of inputs in a batch, for each slot
)

// source generates inputs with a size of the generator, or with the arguments of a case.
type source struct {
	generate []string      // arguments of the generator
	seed     uint64        // seed of the next input
	spent    time.Duration // time spent on the source so far
	tries    int           // number of inputs tried
	repeats  int           // number of known inputs in a row
}

// candidate is one input of a batch.
type candidate struct {
	*source
	c        cases.Case
	input    bytes.Buffer
	ok       bool // the input is new, and the unmutated schema answers it
	data     casedata.Data
	trial    trial
	found    Found
	expected time.Duration // estimated cost
	took     time.Duration // actual cost
}

// hunting is the state of a hunt.
type hunting struct {
	*work
	until     time.Time
	sources   []*source
	seen      map[string]bool // hashes of all inputs so far
	survivors []*Result
}

// hunt searches for inputs that kill survivors. It generates inputs of all the generator's sizes,
// and with the arguments of the cases but other seeds. All sources get about the same time, those
// of small inputs first.
func (w *work) hunt(ctx context.Context) error {
	w.emit.Stage("hunting survivors")
	h := &hunting{work: w, until: time.Now().Add(w.o.Hunt), seen: map[string]bool{}}
	w.report.Hunt = &Hunt{}
	for i := range w.report.Mutants {
		if m := &w.report.Mutants[i]; m.survives() && !m.Equivalent() {
			h.survivors = append(h.survivors, m)
		}
	}
	if err := h.findSources(ctx); err != nil {
		return err
	}
	for _, f := range w.data {
		input, err := f.Input.Bytes()
		if err != nil {
			return err
		}
		h.seen[cases.Hash(input)] = true
	}
	for len(h.survivors) > 0 && len(h.sources) > 0 && time.Now().Before(h.until) {
		if err := h.batch(ctx); err != nil {
			return err
		}
	}
	return nil
}

// findSources sets h.sources.
func (h *hunting) findSources(ctx context.Context) error {
	add := func(generate []string, above int) {
		if !slices.ContainsFunc(h.sources, func(c *source) bool { return slices.Equal(c.generate, generate) }) {
			h.sources = append(h.sources, &source{generate: generate, seed: 1, spent: firstCost << min(above, 20)})
		}
	}
	ladder, err := h.judge.CaseData.Sizes(ctx)
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
	if len(h.sources) == 0 && err != nil {
		return err
	}
	return nil
}

// batch generates a batch of inputs and runs survivors on them.
func (h *hunting) batch(ctx context.Context) error {
	var list []*candidate
	for range huntBatch * h.judge.Pool.Slots() {
		c := slices.MinFunc(h.sources, func(a, b *source) int { return cmp.Compare(a.spent, b.spent) })
		seed := c.seed
		list = append(list, &candidate{source: c, c: cases.Case{Generate: c.generate, Seed: &seed}})
		c.seed++
		c.tries++
		list[len(list)-1].expected = c.spent / time.Duration(c.tries)
		c.spent += list[len(list)-1].expected
	}
	all := list
	for _, step := range []func(context.Context, []*candidate) error{h.make, h.answer, h.runSurvivors} {
		if err := step(ctx, list); err != nil {
			return err
		}
		list = slices.DeleteFunc(slices.Clone(list), func(q *candidate) bool { return !q.ok })
	}
	h.report.Hunt.Inputs += len(list)
	for _, q := range list {
		if len(q.found.Kills) > 0 {
			h.report.Hunt.Found = append(h.report.Hunt.Found, &q.found)
			h.emit.Send(&q.found)
		}
	}
	for _, q := range all {
		q.spent += q.took - q.expected
	}
	h.sources = slices.DeleteFunc(h.sources, func(c *source) bool { return c.repeats >= maxRepeats })
	return nil
}

// make generates the inputs of candidates.
func (h *hunting) make(ctx context.Context, list []*candidate) error {
	program, err := h.judge.CaseData.Program(ctx, h.judge.CaseData.Problem.Generator)
	if err != nil {
		return err
	}
	return run.Each(ctx, h.judge.Pool, len(list), 1, func(ctx context.Context, w *run.Worker, i int) (bool, error) {
		if !time.Now().Before(h.until) {
			return false, nil
		}
		q, job := list[i], casedata.GenerateJob(&list[i].c)
		job.Program, job.Stdout = program, &q.input
		o := w.Run(ctx, job, nil)
		q.took = overhead + o.Wall
		return o.Err == nil && o.OK(job.Limits), nil
	}, func(i int, ok bool) error {
		q := list[i]
		hash := cases.Hash(q.input.Bytes())
		if q.ok = ok && !h.seen[hash]; q.ok {
			h.seen[hash], q.repeats = true, 0
		} else {
			q.repeats++
		}
		return nil
	})
}

// answer runs the unmutated schema on candidates, and sets their answers and the sites that they
// reach.
func (h *hunting) answer(ctx context.Context, list []*candidate) error {
	l := h.baseLimits()
	l.CPU, l.Wall = min(l.CPU, huntTime), min(l.Wall, wallFactor*huntTime)
	on := make([]casedata.Data, len(list))
	for i, q := range list {
		on[i].Input = content.Of(q.input.Bytes())
	}
	results, err := h.unmutated(ctx, on, l, nil)
	if err != nil {
		return err
	}
	for i, q := range list {
		m := results[i]
		q.took += 2 * (overhead + m.took.Wall)
		q.data = casedata.Data{Input: on[i].Input, Want: content.Of(m.output)}
		q.trial, err = h.trial(ctx, &q.data, m, l)
		q.ok = err == nil
		q.found = Found{Generate: q.generate, Seed: *q.c.Seed, Bytes: int(on[i].Input.Size())}
	}
	return nil
}

// runSurvivors runs survivors on the inputs that reach their sites, the smallest input first.
func (h *hunting) runSurvivors(ctx context.Context, list []*candidate) error {
	slices.SortStableFunc(list, func(a, b *candidate) int { return cmp.Compare(a.data.Input.Size(), b.data.Input.Size()) })
	type pair struct {
		m *Result
		q *candidate
	}
	var pairs []pair
	for _, q := range list {
		for _, m := range h.survivors {
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
	}, func(i int, r judgement) {
		mu.Lock()
		defer mu.Unlock()
		p := pairs[i]
		p.q.took += overhead + p.q.trial.cost
		if r.err == nil && r.Verdict != verdict.AC && !killed[p.m] {
			killed[p.m] = true
			p.q.found.Kills = append(p.q.found.Kills, Kill{p.m.ID, r.Verdict, r.Cause, &p.m.Mutant})
		}
	})
	h.survivors = slices.DeleteFunc(h.survivors, func(m *Result) bool { return killed[m] })
	return err
}
