// Package regen recomputes expected outputs and applies them as reviewed edits.
package regen

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"unicode/utf8"

	"github.com/google/renameio/v2"

	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/fixture"
	"tribunal/judge/internal/yamlstrict"
)

// inlineLimit is the size up to which an output stands in the case file. Larger
// ones are kept as a hash in the lock alone.
const inlineLimit = 4 << 10

// Change is one expectation that is not what the reference says.
type Change struct {
	Case     string         // group/name
	New      bool           // there was none before
	Mismatch *diff.Mismatch // old against new; nil when New or when the old one is known by its hash only
}

// Plan is what a regeneration would write for one problem. Nothing is written
// before Apply.
type Plan struct {
	Problem string
	Cases   int
	Changes []Change
	Stale   bool // an expectation, or what the lock says of a case, would change
	Renew   bool // only the lock's note of what the programs were made of would

	files []edit // all that was read; the lock last
}

// edit is what becomes of one file.
type edit struct {
	path      string
	old, text []byte // as it was read and as it should be
}

func (e *edit) changes() bool { return string(e.old) != string(e.text) }

// PinnedError reports that the reference disagrees with an output that a person
// or the statement has set. One of them is wrong, and a person must say which.
type PinnedError struct {
	Case     *cases.Case
	Mismatch *diff.Mismatch
}

func (e *PinnedError) Error() string {
	return e.Case.Errorf("output", "pinned outputs are never rewritten: mend the reference or the case", "the reference disagrees with the pinned output, nothing is written").Error() +
		"\n" + e.Mismatch.Format(e.Case.Name)
}

// Make runs the reference on all cases of the maker's problem and compares what it
// prints with what the case files and the lock say. The error is a *PinnedError,
// located at a case that the reference or the generator fails on, or the judge's.
func Make(ctx context.Context, m *fixture.Maker, show diff.Options) (*Plan, error) {
	set, err := cases.Read(m.Root, m.Problem)
	if err != nil {
		return nil, err
	}
	p := &Plan{Problem: m.Problem, Cases: len(set.Cases)}
	// Read now, so that what somebody edits while the programs run is noticed.
	if p.files, err = read(m, set); err != nil {
		return nil, err
	}
	if err := m.PrepareInputs(ctx, set.Cases); err != nil {
		return nil, err
	}
	if err := m.PrepareOutputs(ctx, set.Cases); err != nil {
		return nil, err
	}
	lock := &cases.Lock{Cases: map[string]cases.LockCase{}}
	if err := programs(ctx, m, set, lock); err != nil {
		return nil, err
	}
	outputs := map[string]map[string]*string{} // by file, by short name
	for i := range set.Cases {
		c := &set.Cases[i]
		input, err := m.Input(ctx, c)
		if err != nil {
			return nil, err
		}
		derived, err := m.Derived(ctx, c)
		if err != nil {
			return nil, err
		}
		if err := p.compare(c, derived, show); err != nil {
			return nil, err
		}
		entry := cases.LockCase{Output: cases.Hash(derived), Bytes: int64(len(derived))}
		if c.Generate != nil {
			entry.Input = cases.Hash(input)
		}
		lock.Cases[c.Name] = entry
		if !c.Pinned {
			if outputs[c.File] == nil {
				outputs[c.File] = map[string]*string{}
			}
			outputs[c.File][c.Short()] = inline(derived)
		}
	}
	return p, p.edit(set, outputs, lock)
}

// programs notes in the lock what the expectations were made with.
func programs(ctx context.Context, m *fixture.Maker, set *cases.Set, lock *cases.Lock) error {
	reference, err := m.Key(ctx, m.Reference())
	if err != nil {
		return err
	}
	lock.Reference = string(reference)
	for i := range set.Cases {
		if set.Cases[i].Generate != nil {
			generator, err := m.Key(ctx, m.Generator())
			lock.Generator = string(generator)
			return err
		}
	}
	return nil
}

// compare notes how a case's expectation differs from what the reference prints.
func (p *Plan) compare(c *cases.Case, derived []byte, show diff.Options) error {
	if c.Output == nil {
		if c.Lock.Output != cases.Hash(derived) {
			p.Changes = append(p.Changes, Change{Case: c.Name, New: c.Lock.Output == ""})
		}
		return nil
	}
	mismatch := diff.Compare([]byte(*c.Output), derived, show)
	switch {
	case mismatch == nil:
	case c.Pinned:
		return &PinnedError{Case: c, Mismatch: mismatch}
	default:
		p.Changes = append(p.Changes, Change{Case: c.Name, Mismatch: mismatch})
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

// read returns the case files and the lock as they are; a missing lock is empty.
func read(m *fixture.Maker, set *cases.Set) ([]edit, error) {
	var files []edit
	for _, file := range set.Files {
		text, err := yamlstrict.Read(file)
		if err != nil {
			return nil, err
		}
		files = append(files, edit{path: file, old: text})
	}
	lock := filepath.Join(m.Root, "cases", m.Problem, "lock.yaml")
	text, err := os.ReadFile(lock)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, yamlstrict.FileError(lock, err)
	}
	return append(files, edit{path: lock, old: text}), nil
}

// edit prepares the new texts of the files.
func (p *Plan) edit(set *cases.Set, outputs map[string]map[string]*string, lock *cases.Lock) (err error) {
	last := len(p.files) - 1
	for i := range p.files[:last] {
		e := &p.files[i]
		if e.text, err = cases.SetOutputs(e.path, e.old, outputs[e.path]); err != nil {
			return err
		}
		p.Stale = p.Stale || e.changes()
	}
	locked := &p.files[last]
	locked.text = lock.Marshal()
	// Another toolchain makes another program, which may well print the same.
	before := *lock
	before.Reference, before.Generator = set.Lock.Reference, set.Lock.Generator
	p.Stale = p.Stale || string(before.Marshal()) != string(locked.old)
	p.Renew = !p.Stale && locked.changes()
	return nil
}

// Apply writes the plan, each file by one rename and the lock last, so that a lock
// never vouches for an output that is not there. Files that somebody has changed
// since Make read them stop it before anything is written.
func (p *Plan) Apply() error {
	if !p.Stale && !p.Renew {
		return nil
	}
	for _, e := range p.files {
		now, err := os.ReadFile(e.path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return yamlstrict.FileError(e.path, err)
		}
		if string(now) != string(e.old) {
			return fmt.Errorf("%s: changed while the outputs were computed (hint: run it again)", e.path)
		}
	}
	for _, e := range p.files {
		if !e.changes() {
			continue
		}
		if err := renameio.WriteFile(e.path, e.text, 0o644); err != nil {
			return fmt.Errorf("%s: %w", e.path, err)
		}
	}
	return nil
}
