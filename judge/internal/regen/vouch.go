package regen

import (
	"context"
	"fmt"
	"slices"

	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/cases"
)

// note returns the hash of what a program is made of, and takes note of its toolchain.
func (w *work) note(ctx context.Context, folder string) (hash string, err error) {
	p, err := w.m.Provenance(ctx, folder)
	if err != nil {
		return "", err
	}
	if !slices.Contains(w.tools, p.Toolchain) {
		w.tools = append(w.tools, p.Toolchain)
	}
	h := cache.NewHasher("program 1")
	h.Text(p.Source, p.Flags)
	return string(h.Key()), nil
}

// settled reports whether an expectation needs no run: the lock knows it, the case
// is as it was, and so are the programs.
func (w *work) settled(c *cases.Case) bool {
	return !w.o.Fresh && w.sameInput(c) && w.sameOutput(c)
}

// sameInput reports whether the input is known to be the one that the lock knows.
func (w *work) sameInput(c *cases.Case) bool {
	switch {
	case c.Lock.Input == "" || c.Lock.Made != c.Made():
		return false
	case c.Input != nil:
		return cases.Hash([]byte(*c.Input)) == c.Lock.Input
	}
	return w.same(w.set.Lock.Generator, w.now.Generator)
}

// sameOutput reports whether the expectation is the one that the lock knows and the
// reference has, given the input that the lock knows, and was found right by what decides
// now.
func (w *work) sameOutput(c *cases.Case) bool {
	switch {
	case c.Lock.Output == "" || !w.same(w.set.Lock.Reference, w.now.Reference) || !w.same(w.set.Lock.Checker, w.now.Checker):
		return false
	case c.Output == nil: // as the lock must say, or somebody has taken it out of the file
		return c.Lock.Bytes > 0
	}
	return c.Lock.Bytes == 0 && cases.Hash([]byte(*c.Output)) == c.Lock.Output
}

// same compares a program with the one that the lock knows. One that another
// toolchain has built is another, until this machine has seen it make the same.
func (w *work) same(locked, now string) bool {
	return w.vouched || locked == now && w.set.Lock.Toolchain == w.now.Toolchain
}

// vouches reports whether this machine has computed, twice, all that a lock says with
// the programs and the toolchain that it names.
func (w *work) vouches(l *cases.Lock) (bool, error) {
	entry, err := w.m.Cache.Get(vouchKey(l))
	if entry == nil || err != nil {
		return false, err
	}
	return true, entry.Close()
}

func (w *work) vouch(l *cases.Lock) error {
	entry, err := w.m.Cache.Put(vouchKey(l), func(string) error { return nil })
	if err != nil {
		return fmt.Errorf("%s: %w", w.m.Problem.ID, err)
	}
	return entry.Close()
}

func vouchKey(l *cases.Lock) cache.Key {
	h := cache.NewHasher("lock 1")
	h.Bytes(l.Marshal())
	return h.Key()
}
