package runner

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"tribunal/judge/internal/sandbox"
)

// boxes are those of a host that are open for the next runs of the same kind. They are safe
// for concurrent use.
type boxes struct {
	host Host
	most int
	tidy bool

	mu   sync.Mutex
	used int    // how many runs have
	idle []held // the one used the longest ago first
}

// held is a box and what it was last used for.
type held struct {
	sandbox.Box
	key   string
	cpus  []int
	fresh bool
}

// boxKey is the same for specs that can share a box.
func boxKey(spec sandbox.Spec) string { return fmt.Sprintf("%#v", spec) }

// take returns a box for the spec: an idle one, if there is one and it need not be fresh, and
// rather one that was last pinned to the same CPUs. While there are more than most, the one
// used the longest ago makes room for a new one. The box must be given back; a fresh one is not
// kept then.
func (b *boxes) take(spec sandbox.Spec, cpus []int, fresh bool) (held, error) {
	h := held{key: boxKey(spec), cpus: cpus, fresh: fresh}
	old, rest := b.find(h)
	if old.Box != nil {
		old.cpus = cpus
		return old, nil
	}
	for _, box := range rest {
		box.Close()
	}
	var err error
	if h.Box, err = b.host.NewBox(spec); err != nil {
		b.mu.Lock()
		b.used--
		b.mu.Unlock()
	}
	return h, err
}

// find takes an idle box like h out, and otherwise those that make room for a new one.
func (b *boxes) find(h held) (old held, rest []held) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used++
	like := func(o held) bool { return o.key == h.key && !h.fresh }
	i := slices.IndexFunc(b.idle, func(o held) bool { return like(o) && slices.Equal(o.cpus, h.cpus) })
	if i < 0 {
		i = slices.IndexFunc(b.idle, like)
	}
	if i >= 0 {
		old = b.idle[i]
		b.idle = slices.Delete(b.idle, i, i+1)
		return old, nil
	}
	if n := min(b.used+len(b.idle)-b.most, len(b.idle)); n > 0 {
		rest = slices.Clone(b.idle[:n])
		b.idle = slices.Delete(b.idle, 0, n)
	}
	return held{}, rest
}

// give gives a box back after a run with this error. One that failed is closed, unless only
// the program did not start.
func (b *boxes) give(h held, err error) {
	_, start := errors.AsType[*sandbox.StartError](err)
	keep := (err == nil || start) && !h.fresh
	if !keep {
		h.Close()
	} else if box, ok := h.Box.(interface{ Tidy() }); b.tidy && ok {
		box.Tidy()
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used--
	if keep {
		b.idle = append(b.idle, h)
	}
}

// close closes those that are idle.
func (b *boxes) close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	var errs []error
	for _, h := range b.idle {
		errs = append(errs, h.Close())
	}
	b.idle = nil
	return errors.Join(errs...)
}
