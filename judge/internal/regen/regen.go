// Package regen recomputes expected outputs and applies them as reviewed edits.
//
// The lock of a problem records hashes of everything from which its expected outputs were made. A
// case that agrees with the lock needs no run. For the other cases, [Make] generates the inputs,
// runs the reference on them and compares its outputs with the old ones. [Plan.Confirm] then tests
// the new outputs: it runs the reference a second time in another environment, and runs the
// problem's brute and compares. [Plan.Apply] writes all changes or none.
//
// Begin with regen.go, which makes and applies the plan. uptodate.go decides which cases need a
// run, checker.go whether the problem accepts an output; confirm.go runs the reference again,
// brute.go runs the brute; refusal.go holds the errors, kept.go the input files that they name,
// and reasons.go explains why a lock is stale.
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

// inlineLimit is the largest size, in bytes, of an output that is stored in the case file. A larger
// output is not stored: the lock has its hash.
const inlineLimit = 4 << 10

// Options configures a regeneration.
type Options struct {
	Judge *grade.Judge      // runs the problem's output validators; nil: they do not run, and accept every output
	Show  diff.Options      // how to show differences
	Globs []string          // regenerate only cases that match one of these; all if empty
	Fresh bool              // trust neither lock nor cache
	Keep  string            // folder for the input of a refused case, until [Sweep]; "" keeps none
	Stage func(name string) // called when a stage begins, such as "compiling reference/game"; may be nil
}

// Change is one expected output that differs from that of the reference.
type Change struct {
	Case     string         `json:"case"`         // group/name
	New      bool           `json:"new"`          // the case had no expected output before
	Bytes    int64          `json:"output_bytes"` // size of the new output
	Mismatch *diff.Mismatch `json:"mismatch"`     // old against new output; nil if New, or if only the hash of the old output is known
}

// Plan holds the changes that a regeneration makes to one problem. Only Apply writes them.
type Plan struct {
	Problem string
	Total   int // cases of the problem
	Changes []Change
	Stale   bool     // an expected output, or the lock's entry of a case, changes
	Reasons []string // why the plan is stale, besides Changes; a clause each
	Renew   bool     // only the lock's hashes of the programs change
	Notes   []string // remarks that change nothing, one sentence each

	w        *work
	computed []cases.Case // the cases that were run, as they will be after Apply
	cases    []cases.Case // all cases of the problem, as they will be after Apply
	lock     *cases.Lock  // the new lock
	files    []cases.Edit // all files that were read, the lock last
}

// Cases returns the cases of the problem as they will be after Apply, so that programs can be
// judged on them before Apply.
func (p *Plan) Cases() []cases.Case { return p.cases }

// work is the state from which a plan is made.
type work struct {
	m        *casedata.Provider
	o        Options
	set      *cases.Set
	chosen   map[string]bool // whether to regenerate a case, by its name
	current  cases.Lock      // the old lock's entries of cases, with the hashes of the programs as they are now
	checker  *checker
	verified bool     // this machine has made everything in the lock with the current programs
	tools    []string // toolchains of the programs, without repeats
}

// Look returns the plan if no case needs a run, and nil otherwise. It compares hashes and runs no
// program, so the provider needs no pool.
func Look(ctx context.Context, m *casedata.Provider, o Options) (*Plan, error) {
	w, err := begin(ctx, m, o)
	if err != nil {
		return nil, err
	}
	for i := range w.set.Cases {
		if c := &w.set.Cases[i]; w.chosen[c.Name] && !w.upToDate(c) {
			return nil, nil
		}
	}
	return w.plan(ctx, nil)
}

// Make runs the cases that do not agree with the lock, and compares the outputs of the reference
// with those in the case files and the lock. An error is a *Refusal, a *yamlstrict.Error, or a
// failure of the judge.
func Make(ctx context.Context, m *casedata.Provider, o Options) (*Plan, error) {
	w, err := begin(ctx, m, o)
	if err != nil {
		return nil, err
	}
	m.Fresh = m.Fresh || o.Fresh
	derived, err := w.compute(ctx)
	if err != nil {
		err = w.refuse(err)
		if r, ok := err.(*Refusal); ok {
			r.Computed, r.Needed = m.Kept(ctx, w.stale()), len(w.stale())
		}
		return nil, err
	}
	p, err := w.plan(ctx, derived)
	if err != nil {
		return nil, err
	}
	if !m.Problem.Derives() {
		return p, nil // the reference's outputs cannot be compared with answers
	}
	return p, w.refuse(p.checkExpectations(ctx, derived))
}

// begin reads the cases, selects those to regenerate and hashes the programs.
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
	return w, w.hashPrograms(ctx, generated)
}

// hashPrograms sets w.current, w.checker and w.verified.
func (w *work) hashPrograms(ctx context.Context, generated bool) (err error) {
	if w.current.Reference, err = w.hashProgram(ctx, w.m.Problem.Reference); err != nil {
		return err
	}
	if generated {
		if w.current.Generator, err = w.hashProgram(ctx, w.m.Problem.Generator); err != nil {
			return err
		}
	}
	if w.checker, err = w.newChecker(ctx); err != nil {
		return err
	}
	w.current.Checker, w.current.Toolchain = w.checker.hash, strings.Join(w.tools, "; ")
	w.current.Cases = w.set.Lock.Cases
	if !w.o.Fresh {
		w.verified, err = w.isVerified(&w.current)
	}
	return err
}

// stale returns the chosen cases that are not up to date.
func (w *work) stale() (list []cases.Case) {
	for i := range w.set.Cases {
		if c := &w.set.Cases[i]; w.chosen[c.Name] && !w.upToDate(c) {
			list = append(list, *c)
		}
	}
	return list
}

// compute runs the chosen cases that are not up to date, and returns their outputs by case name.
func (w *work) compute(ctx context.Context) (map[string][]byte, error) {
	var generated []cases.Case
	unknown := w.stale()
	for _, c := range unknown {
		if c.Generate != nil {
			generated = append(generated, c)
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

// plan compares the derived outputs, which are keyed by case name, with the old ones, and prepares
// the new texts of the files. A case that is not in derived keeps its output: it is up to date, or
// not chosen.
func (w *work) plan(ctx context.Context, derived map[string][]byte) (*Plan, error) {
	p := &Plan{Problem: w.m.Problem.ID, Total: len(w.set.Cases), w: w, files: w.set.Edits()}
	p.lock = &cases.Lock{Cases: map[string]cases.LockCase{}}
	kept := false // whether the new lock keeps an entry that is not up to date
	for _, c := range w.set.Cases {
		output, computed := derived[c.Name]
		if computed {
			p.compare(&c, output)
			if err := w.setOutput(ctx, &c, output); err != nil {
				return nil, err
			}
			p.computed = append(p.computed, c)
		}
		if c.Lock != (cases.LockCase{}) {
			p.lock.Cases[c.Name] = c.Lock
			kept = kept || !computed && !w.upToDate(&c)
		}
		p.cases = append(p.cases, c)
	}
	// The hash of a program in a lock means that this program made all entries. If an older version
	// made some, the new lock has no hash of the program, so that these entries stay out of date.
	hash := func(before, now string) string {
		if kept && !w.verified && before != now {
			return ""
		}
		return now
	}
	p.lock.Reference = hash(w.set.Lock.Reference, w.current.Reference)
	p.lock.Generator = hash(w.set.Lock.Generator, w.current.Generator)
	p.lock.Checker = hash(w.set.Lock.Checker, w.current.Checker)
	p.lock.Toolchain = hash(w.set.Lock.Toolchain, w.current.Toolchain)
	return p, p.edit()
}

// compare records a change if the derived output differs from the expected one. It skips pinned
// outputs: checkExpectations compares those.
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

// setOutput sets the expected output of c, and its entry in the lock.
func (w *work) setOutput(ctx context.Context, c *cases.Case, output []byte) error {
	input, err := w.m.Input(ctx, c)
	if err != nil {
		return err
	}
	c.Lock = cases.LockCase{Made: c.Made(), Input: cases.Hash(input), Output: cases.Hash(output)}
	if c.Pinned {
		c.Lock.Output = cases.Hash([]byte(*c.Output)) // the output of the reference may differ from the pinned one
		return nil
	}
	if c.Output = inline(output); c.Output == nil {
		c.Lock.Bytes = int64(len(output))
	}
	return nil
}

// inline returns the output as the text for a case file, or nil if it is stored as a hash.
func inline(output []byte) *string {
	if len(output) > inlineLimit || !utf8.Valid(output) {
		return nil
	}
	text := string(output)
	return &text
}

// edit sets the new texts of the files, and Stale, Renew and Reasons.
func (p *Plan) edit() (err error) {
	outputs := map[string]map[string]*string{} // by file, then by the short name of the case
	for i := range p.computed {
		c := &p.computed[i]
		if outputs[c.File] == nil {
			outputs[c.File] = map[string]*string{}
		}
		if !c.Pinned {
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
	// Changed sources, or another toolchain, may make the same outputs. Changed sources renew the
	// lock. Another toolchain alone does not: otherwise two authors with different toolchains would
	// rewrite the lock in turn.
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

// Apply writes all changes of the plan or none; see [cases.Replace].
func (p *Plan) Apply() error {
	if !p.Stale && !p.Renew {
		return nil
	}
	return cases.Replace(p.w.m.Problem.Root, p.Problem, p.files)
}

// Writes returns the files that Apply changes, with their new texts.
func (p *Plan) Writes() (list []cases.Edit) {
	for _, e := range p.files {
		if e.Changes() {
			list = append(list, e)
		}
	}
	return list
}
