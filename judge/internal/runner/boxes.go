package runner

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"tribunal/judge/internal/sandbox"
)

// boxPool keeps boxes of a host open for the next runs of the same kind. It is safe for
// concurrent use.
type boxPool struct {
	host Host
	most int  // number of boxes, in use or idle, beyond which idle ones are closed
	tidy bool // see [Local.Tidy]

	mu    sync.Mutex
	inUse int
	idle  []pooledBox // least recently used first
}

// pooledBox is a box with the kind and the CPUs of its last run.
type pooledBox struct {
	sandbox.Box
	key   string
	cpus  []int
	fresh bool
}

// boxKey returns the same key for specs that can share a box.
func boxKey(spec sandbox.Spec) string { return fmt.Sprintf("%#v", spec) }

// acquire returns a box for the spec. Unless it must be fresh, it prefers an idle box, best of all
// one whose last run was pinned to the same CPUs. Before it opens a new box, it closes the least
// recently used idle ones beyond b.most. The caller must release the box; release closes a fresh
// one.
func (b *boxPool) acquire(spec sandbox.Spec, cpus []int, fresh bool) (pooledBox, error) {
	h := pooledBox{key: boxKey(spec), cpus: cpus, fresh: fresh}
	old, surplus := b.find(h)
	if old.Box != nil {
		old.cpus = cpus
		return old, nil
	}
	for _, box := range surplus {
		box.Close()
	}
	var err error
	if h.Box, err = b.host.NewBox(spec); err != nil {
		b.mu.Lock()
		b.inUse--
		b.mu.Unlock()
	}
	return h, err
}

// find takes an idle box that can be used as h out of the pool. If there is none, it takes out the
// surplus boxes, which must be closed before a new one is opened.
func (b *boxPool) find(h pooledBox) (old pooledBox, surplus []pooledBox) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.inUse++
	like := func(o pooledBox) bool { return o.key == h.key && !h.fresh }
	i := slices.IndexFunc(b.idle, func(o pooledBox) bool { return like(o) && slices.Equal(o.cpus, h.cpus) })
	if i < 0 {
		i = slices.IndexFunc(b.idle, like)
	}
	if i >= 0 {
		old = b.idle[i]
		b.idle = slices.Delete(b.idle, i, i+1)
		return old, nil
	}
	if n := min(b.inUse+len(b.idle)-b.most, len(b.idle)); n > 0 {
		surplus = slices.Clone(b.idle[:n])
		b.idle = slices.Delete(b.idle, 0, n)
	}
	return pooledBox{}, surplus
}

// release returns a box to the pool after a run that ended with err. It closes the box if the run
// failed, unless the only failure was that the program did not start.
func (b *boxPool) release(h pooledBox, err error) {
	_, notStarted := errors.AsType[*sandbox.StartError](err)
	keep := (err == nil || notStarted) && !h.fresh
	if !keep {
		h.Close()
	} else if box, ok := h.Box.(interface{ Tidy() }); b.tidy && ok {
		box.Tidy()
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.inUse--
	if keep {
		b.idle = append(b.idle, h)
	}
}

// close closes the idle boxes.
func (b *boxPool) close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	var errs []error
	for _, h := range b.idle {
		errs = append(errs, h.Close())
	}
	b.idle = nil
	return errors.Join(errs...)
}
