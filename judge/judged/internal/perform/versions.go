package perform

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/engine"
	"tribunal/judge/judged/internal/store"
	"tribunal/judge/packages/pkgformat"
)

// mostOpen is how many versions of problems stay open after their last judging. The next judging is faster then:
// data and programs are ready.
const mostOpen = 32

// versions opens versions of problems, each once, and keeps the most recently used ones open. It is safe
// for concurrent use.
type versions struct {
	engine *engine.Engine
	blobs  store.Blobs

	mu   sync.Mutex
	all  map[string]*openVersion // by hash and id
	idle *list.List              // of *openVersion without users, the most recently used first
}

// openVersion is a version of a problem that is open, or about to be.
type openVersion struct {
	of      *versions
	key     string
	users   int
	element *list.Element // in idle; nil while it has users

	ready     chan struct{} // closed when the following is set
	problem   *engine.Problem
	entry     *cache.Entry // holds the archive
	slow      atomic.Int32 // drawings that took too long
	err       error
	abandoned bool // the task that was opening it ended before; others that wait try again
}

func newVersions(eng *engine.Engine, blobs store.Blobs) *versions {
	return &versions{engine: eng, blobs: blobs, all: map[string]*openVersion{}, idle: list.New()}
}

// open opens the version of a problem with this archive. The caller releases it.
func (v *versions) open(ctx context.Context, id string, archive store.Ref) (*openVersion, error) {
	for {
		o, err := v.share(ctx, id, archive)
		switch {
		case err != nil:
			return nil, err
		case o.err == nil:
			return o, nil
		case !o.abandoned || ctx.Err() != nil:
			return nil, o.err
		}
	}
}

// share opens a version, or waits for another task that is opening it. The version says whether that failed. The
// error is that of ctx.
func (v *versions) share(ctx context.Context, id string, archive store.Ref) (*openVersion, error) {
	key := archive.Hash + " " + id
	v.mu.Lock()
	o, known := v.all[key]
	if !known {
		o = &openVersion{of: v, key: key, ready: make(chan struct{})}
		v.all[key] = o
	}
	if o.element != nil {
		v.idle.Remove(o.element)
		o.element = nil
	}
	o.users++
	v.mu.Unlock()
	if !known {
		o.problem, o.entry, o.err = v.fetch(ctx, id, archive)
		if o.err != nil { // the next task tries again
			o.abandoned = ctx.Err() != nil
			v.mu.Lock()
			delete(v.all, key)
			v.mu.Unlock()
		}
		close(o.ready)
		return o, nil
	}
	select {
	case <-o.ready:
		return o, nil
	case <-ctx.Done():
		o.release() // the task that opens it is another user
		return nil, ctx.Err()
	}
}

// fetch brings an archive into the cache, unless it is there, and opens it.
func (v *versions) fetch(ctx context.Context, id string, archive store.Ref) (*engine.Problem, *cache.Entry, error) {
	h := cache.NewHasher("version 1")
	h.Text(archive.Hash, id)
	entry, err := v.engine.Cache.Get(h.Key())
	if err == nil && entry == nil {
		var data []byte
		if data, err = store.Fetch(ctx, v.blobs, archive); err != nil {
			return nil, nil, fmt.Errorf("problem %s: %w", id, err)
		}
		entry, err = v.engine.Cache.Put(h.Key(), func(dir string) error {
			return os.WriteFile(filepath.Join(dir, id+".zip"), data, 0o644)
		})
	}
	if err != nil {
		return nil, nil, err
	}
	p, err := v.engine.Open(ctx, entry.Path(id+".zip"), pkgformat.Options{})
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("problem %s: %w", id, err), entry.Close())
	}
	return p, entry, nil
}

// release ends a use of an open version. Versions that could not be opened are forgotten, and need no release.
func (o *openVersion) release() {
	v := o.of
	v.mu.Lock()
	defer v.mu.Unlock()
	if o.users--; o.users > 0 {
		return
	}
	o.element = v.idle.PushFront(o)
	for v.idle.Len() > mostOpen {
		oldest := v.idle.Remove(v.idle.Back()).(*openVersion)
		delete(v.all, oldest.key)
		_ = oldest.close() // its files are temporary
	}
}

func (o *openVersion) close() error { return errors.Join(o.problem.Close(), o.entry.Close()) }

// close closes all versions. None may be in use.
func (v *versions) close() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	var errs []error
	for e := v.idle.Front(); e != nil; e = e.Next() {
		errs = append(errs, e.Value.(*openVersion).close())
	}
	v.idle.Init()
	clear(v.all)
	return errors.Join(errs...)
}
