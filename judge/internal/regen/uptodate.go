package regen

import (
	"context"
	"fmt"
	"slices"

	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/cases"
)

// hashProgram returns the hash of a program's source and flags, and adds its toolchain to w.tools.
func (w *work) hashProgram(ctx context.Context, folder string) (string, error) {
	hash, toolchain, err := w.m.Made(ctx, folder)
	if err == nil && !slices.Contains(w.tools, toolchain) {
		w.tools = append(w.tools, toolchain)
	}
	return hash, err
}

// upToDate reports whether a case needs no run: the lock records its output, and neither the case
// nor the programs have changed.
func (w *work) upToDate(c *cases.Case) bool {
	return !w.o.Fresh && w.sameInput(c) && w.sameOutput(c)
}

// sameInput reports whether the input is known, without a run, to be the one in the lock.
func (w *work) sameInput(c *cases.Case) bool {
	switch {
	case c.Lock.Input == "" || c.Lock.Made != c.Made():
		return false
	case c.Input != nil:
		return cases.Hash([]byte(*c.Input)) == c.Lock.Input
	}
	return w.same(w.set.Lock.Generator, w.current.Generator)
}

// sameOutput reports whether the expected output is the one in the lock, made by the current
// reference from the input in the lock, and accepted by the current checker.
func (w *work) sameOutput(c *cases.Case) bool {
	switch {
	case c.Lock.Output == "" || !w.same(w.set.Lock.Reference, w.current.Reference) || !w.same(w.set.Lock.Checker, w.current.Checker):
		return false
	case c.Output == nil: // without Bytes in the lock, the output was removed from the case file
		return c.Lock.Bytes > 0
	}
	return c.Lock.Bytes == 0 && cases.Hash([]byte(*c.Output)) == c.Lock.Output
}

// same reports whether a program counts as unchanged: its hash and the toolchain match the lock, or
// this machine has already reproduced the whole lock with the current programs.
func (w *work) same(locked, now string) bool {
	return w.verified || locked == now && w.set.Lock.Toolchain == w.current.Toolchain
}

// isVerified reports whether this machine has already computed every entry of l twice, with the
// programs and the toolchain that l records.
func (w *work) isVerified(l *cases.Lock) (bool, error) {
	entry, err := w.m.Cache.Get(verifiedKey(l))
	if entry == nil || err != nil {
		return false, err
	}
	return true, entry.Close()
}

// recordVerified records in the cache what isVerified reports.
func (w *work) recordVerified(l *cases.Lock) error {
	entry, err := w.m.Cache.Put(verifiedKey(l), func(string) error { return nil })
	if err != nil {
		return fmt.Errorf("%s: %w", w.m.Problem.ID, err)
	}
	return entry.Close()
}

func verifiedKey(l *cases.Lock) cache.Key {
	h := cache.NewHasher("lock 1")
	h.Bytes(l.Marshal())
	return h.Key()
}
