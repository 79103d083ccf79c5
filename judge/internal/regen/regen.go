// Package regen recomputes expected outputs and applies them as reviewed edits.
//
// The lock of a problem says by hashes what its expectations were made of. As long as
// that agrees with the files nothing is computed. What does not agree is: inputs are
// generated, the reference is run on them, and what it prints is compared with what was
// expected before ([Make]). Then it is doubted: the reference is run a second time in
// other surroundings, and the problem's brute is asked for its opinion
// ([Plan.Confirm]). What is left is written, all of it or nothing ([Plan.Apply]).
package regen

import (
	"context"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/yamlstrict"
)

// inlineLimit is the size up to which an output stands in the case file. Larger
// ones are kept as a hash in the lock alone.
const inlineLimit = 4 << 10

// Options say how expectations are made.
type Options struct {
	Judge *grade.Judge      // asks the problem's checker about the reference where a pinned output is another; nil asks none
	Show  diff.Options      // how much is shown of a difference
	Globs []string          // only the cases that match one of these; the others keep what they have
	Fresh bool              // believe neither lock nor cache
	Keep  string            // folder for the input of a case that is refused, until [Sweep]; "" keeps none
	Stage func(what string) // told what is being done, such as "compiling reference/game"; may be nil
}

// Change is one expectation that is not what the reference says.
type Change struct {
	Case     string         `json:"case"`         // group/name
	New      bool           `json:"new"`          // there was none before
	Bytes    int64          `json:"output_bytes"` // size of the new output
	Mismatch *diff.Mismatch `json:"mismatch"`     // old against new; nil when New or when the old one is known by its hash only
}

// Plan is what a regeneration would write for one problem. Nothing is written
// before Apply.
type Plan struct {
	Problem string
	Total   int // cases of the problem
	Changes []Change
	Stale   bool     // an expectation, or what the lock says of a case, would change
	Reasons []string // what but the changes would, with Stale, half a sentence each
	Renew   bool     // only the lock's note of what the programs were made of would
	Notes   []string // what was not as it should be and changes nothing, one sentence each

	w        *work
	computed []cases.Case // what was run, as it will be once applied
	cases    []cases.Case // all, likewise
	lock     *cases.Lock
	files    []cases.Edit // all that was read; the lock last
}

// Cases returns the cases of the problem as they will be once the plan is applied, so
// that programs can be judged by them before that.
func (p *Plan) Cases() []cases.Case { return p.cases }

// work is the making of one plan.
type work struct {
	m       *casedata.Provider
	o       Options
	set     *cases.Set
	chosen  map[string]bool // by name
	now     cases.Lock      // what the programs are made of, without cases
	court   *court
	vouched bool     // this machine has seen them make what the lock knows
	tools   []string // that have built the programs, each once
}

// Look returns the plan if it can be told by hashes alone, and nil if something has to
// be computed. It starts no program, and the provider needs no pool.
func Look(ctx context.Context, m *casedata.Provider, o Options) (*Plan, error) {
	w, err := begin(ctx, m, o)
	if err != nil {
		return nil, err
	}
	for i := range w.set.Cases {
		if c := &w.set.Cases[i]; w.chosen[c.Name] && !w.settled(c) {
			return nil, nil
		}
	}
	return w.plan(ctx, nil)
}

// Make computes what does not agree with the lock, and compares what the reference
// prints with what the case files and the lock say. The error is a *Refusal, located
// in a document, or the judge's.
func Make(ctx context.Context, m *casedata.Provider, o Options) (*Plan, error) {
	w, err := begin(ctx, m, o)
	if err != nil {
		return nil, err
	}
	m.Fresh = m.Fresh || o.Fresh
	derived, err := w.compute(ctx)
	if err != nil {
		return nil, w.refuse(err)
	}
	p, err := w.plan(ctx, derived)
	if err != nil {
		return nil, err
	}
	if !m.Problem.Derives() {
		return p, nil // there is no output of the reference to be held against the answers
	}
	return p, w.refuse(p.rule(ctx, derived))
}

// begin reads what there is.
func begin(ctx context.Context, m *casedata.Provider, o Options) (*work, error) {
	w := &work{m: m, o: o, chosen: map[string]bool{}}
	w.o.Show.Mode = diff.Exact
	m.Stage = o.Stage
	var err error
	if w.set, err = m.Problem.Read(); err != nil {
		return nil, err
	}
	generated := false
	for i := range w.set.Cases {
		c := &w.set.Cases[i]
		w.chosen[c.Name] = len(o.Globs) == 0
		generated = generated || c.Generate != nil
	}
	for _, glob := range o.Globs {
		matched, err := cases.Match(glob, w.set.Cases)
		if err != nil {
			return nil, &yamlstrict.Error{File: filepath.Join(m.Problem.Root, "cases", m.Problem.ID), Msg: err.Error()}
		}
		for _, c := range matched {
			w.chosen[c.Name] = true
		}
	}
	return w, w.programs(ctx, generated)
}

// programs notes what the programs are made of now.
func (w *work) programs(ctx context.Context, generated bool) (err error) {
	if w.now.Reference, err = w.note(ctx, w.m.Problem.Reference); err != nil {
		return err
	}
	if generated {
		if w.now.Generator, err = w.note(ctx, w.m.Problem.Generator); err != nil {
			return err
		}
	}
	if w.court, err = w.newCourt(ctx); err != nil {
		return err
	}
	w.now.Checker, w.now.Toolchain = w.court.hash, strings.Join(w.tools, "; ")
	w.now.Cases = w.set.Lock.Cases
	if !w.o.Fresh {
		w.vouched, err = w.vouches(&w.now)
	}
	return err
}

// compute runs what has to be run, and returns the outputs by the names of the cases.
func (w *work) compute(ctx context.Context) (map[string][]byte, error) {
	var unknown, generated []cases.Case
	for i := range w.set.Cases {
		c := &w.set.Cases[i]
		if !w.chosen[c.Name] || w.settled(c) {
			continue
		}
		unknown = append(unknown, *c)
		if c.Generate != nil {
			generated = append(generated, *c)
		}
	}
	if len(generated) > 0 {
		if err := w.m.PrepareInputs(ctx, generated); err != nil {
			return nil, err
		}
	}
	if len(unknown) > 0 && w.m.Problem.Derives() {
		if err := w.m.PrepareOutputs(ctx, unknown); err != nil {
			return nil, err
		}
	}
	derived := map[string][]byte{}
	for i := range unknown {
		if !w.m.Problem.Derives() { // all answers are pinned
			derived[unknown[i].Name] = []byte(*unknown[i].Output)
			continue
		}
		output, err := w.m.DerivedOutput(ctx, &unknown[i])
		if err != nil {
			return nil, err
		}
		derived[unknown[i].Name] = output
	}
	return derived, nil
}

// plan compares, and prepares the new texts. What is not among the outputs derived is
// known to be as the lock says, or keeps what it has.
func (w *work) plan(ctx context.Context, derived map[string][]byte) (*Plan, error) {
	p := &Plan{Problem: w.m.Problem.ID, Total: len(w.set.Cases), w: w, files: w.set.Edits()}
	p.lock = &cases.Lock{Cases: map[string]cases.LockCase{}}
	kept := false // an entry of which nothing is known
	for _, c := range w.set.Cases {
		output, computed := derived[c.Name]
		if computed {
			p.compare(&c, output)
			if err := w.take(ctx, &c, output); err != nil {
				return nil, err
			}
			p.computed = append(p.computed, c)
		}
		if c.Lock != (cases.LockCase{}) {
			p.lock.Cases[c.Name] = c.Lock
			kept = kept || !computed && !w.settled(&c)
		}
		p.cases = append(p.cases, c)
	}
	// A lock that names a program vouches that all its entries were made by it. When
	// some are left that were made by another it names none, and they stay unsettled.
	name := func(before, now string) string {
		if kept && !w.vouched && before != now {
			return ""
		}
		return now
	}
	p.lock.Reference = name(w.set.Lock.Reference, w.now.Reference)
	p.lock.Generator = name(w.set.Lock.Generator, w.now.Generator)
	p.lock.Checker = name(w.set.Lock.Checker, w.now.Checker)
	p.lock.Toolchain = name(w.set.Lock.Toolchain, w.now.Toolchain)
	return p, p.edit()
}

// compare notes how a case's expectation differs from what the reference prints. A
// pinned one may, as far as the problem accepts it: see rule.
func (p *Plan) compare(c *cases.Case, derived []byte) {
	change := Change{Case: c.Name, Bytes: int64(len(derived))}
	switch {
	case c.Pinned:
		return
	case c.Output != nil:
		if change.Mismatch = diff.Compare([]byte(*c.Output), derived, p.w.o.Show); change.Mismatch == nil {
			return
		}
	case c.Lock.Output == cases.Hash(derived):
		return
	default:
		change.New = c.Lock.Output == ""
	}
	p.Changes = append(p.Changes, change)
}

// take makes a case what it will be with that output.
func (w *work) take(ctx context.Context, c *cases.Case, output []byte) error {
	input, err := w.m.Input(ctx, c)
	if err != nil {
		return err
	}
	c.Lock = cases.LockCase{Made: c.Made(), Input: cases.Hash(input), Output: cases.Hash(output)}
	if c.Pinned {
		c.Lock.Output = cases.Hash([]byte(*c.Output)) // which the reference need not print byte for byte
		return nil
	}
	if c.Output = inline(output); c.Output == nil {
		c.Lock.Bytes = int64(len(output))
	}
	return nil
}

// inline returns the output as it stands in a case file, or nil when it does not.
func inline(output []byte) *string {
	if len(output) > inlineLimit || !utf8.Valid(output) {
		return nil
	}
	text := string(output)
	return &text
}

// edit prepares the new texts of the files.
func (p *Plan) edit() (err error) {
	outputs := map[string]map[string]*string{} // by file, by short name
	for i := range p.computed {
		if c := &p.computed[i]; !c.Pinned {
			if outputs[c.File] == nil {
				outputs[c.File] = map[string]*string{}
			}
			outputs[c.File][c.Short()] = c.Output
		}
	}
	last := len(p.files) - 1
	for i := range p.files[:last] {
		e := &p.files[i]
		if outputs[e.Path] == nil {
			continue
		}
		if e.Text, err = cases.SetOutputs(e.Path, e.Old, outputs[e.Path]); err != nil {
			return err
		}
		p.Stale = p.Stale || e.Changes()
	}
	// Other sources, or another toolchain, may well make the same. The sources are
	// noted; a toolchain alone is not, or two people would take turns in writing theirs.
	locked, old := &p.files[last], p.w.set.Lock
	before := *p.lock
	before.Reference, before.Generator, before.Checker, before.Toolchain = old.Reference, old.Generator, old.Checker, old.Toolchain
	p.Stale = p.Stale || string(before.Marshal()) != string(locked.Old)
	p.Renew = !p.Stale && (p.lock.Reference != old.Reference || p.lock.Generator != old.Generator || p.lock.Checker != old.Checker)
	if p.Stale {
		p.Reasons = p.reasons(locked.Old == nil)
	}
	if p.Stale || p.Renew {
		locked.Text = p.lock.Marshal()
	}
	return nil
}

// Apply writes the plan, all of it or nothing, see [cases.Replace].
func (p *Plan) Apply() error {
	if !p.Stale && !p.Renew {
		return nil
	}
	return cases.Replace(p.w.m.Problem.Root, p.Problem, p.files)
}

// Writes returns the files that Apply changes, as they will be.
func (p *Plan) Writes() (list []cases.Edit) {
	for _, e := range p.files {
		if e.Changes() {
			list = append(list, e)
		}
	}
	return list
}
