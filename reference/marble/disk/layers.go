package disk

import "slices"

// Layers holds the keys that a search from one end has met, in streams.
//
// All layers stay in one file, because the answer is read out of them. Keys are compared with all
// earlier ones, which the streams of met hold. These are first the layers themselves. As soon as
// there are Sizes.Merge streams of a level, they are merged into one of the next level, in a file of
// its own. So there are few of them, and a key is copied a few times only.
type Layers[K Key] struct {
	store  *Store[K]
	file   *file // of the layers
	layers []*Stream[K]
	met    []*Stream[K] // of falling levels
}

// Begin makes layers whose first has one key. The caller must close them.
func (s *Store[K]) Begin(part int, first K) (*Layers[K], error) {
	file, err := s.folder.create()
	if err != nil {
		return nil, err
	}
	l := &Layers[K]{store: s, file: file}
	s.threads[0].Hold(part, first, 0)
	if err := l.Add(); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// Newest returns the newest layer.
func (l *Layers[K]) Newest() *Stream[K] { return l.layers[len(l.layers)-1] }

// Depth returns the distance of the newest layer.
func (l *Layers[K]) Depth() int { return len(l.layers) - 1 }

// Layer returns the layer at a distance.
func (l *Layers[K]) Layer(d int) *Stream[K] { return l.layers[d] }

// blocks returns the number of blocks of all streams.
func (l *Layers[K]) blocks() int {
	sum := 0
	for _, s := range slices.Concat(l.layers, l.met) {
		sum += len(s.blocks)
	}
	return sum
}

// Close deletes the files.
func (l *Layers[K]) Close() {
	l.store.blocks -= l.blocks()
	l.remove(l.met)
	l.file.close()
}

// remove deletes the files of merged streams.
func (l *Layers[K]) remove(streams []*Stream[K]) {
	for _, s := range streams {
		if s.file != l.file {
			s.file.close()
		}
	}
}

// Add adds a layer: the keys that the threads hold, without those of earlier layers. From then on
// the threads hold none.
func (l *Layers[K]) Add() error {
	s, before := l.store, l.blocks()
	var found []*Stream[K]
	for _, t := range s.threads {
		t.empty()
		found = append(found, t.spilled...)
		t.spilled = nil
	}
	layer, err := s.write(l.file, true, found, func(t *Thread[K], part int) {
		before := t.result.count
		t.absorb(part, found, l.met)
		s.keys.Add(int64(t.result.count - before))
	})
	if err != nil {
		return err
	}
	l.layers = append(l.layers, layer)
	l.met = append(l.met, layer)
	for {
		n := len(l.met) - s.sizes.Merge
		if n < 0 || l.met[n].level != l.met[len(l.met)-1].level {
			break
		}
		if err := l.mergeFrom(n); err != nil {
			return err
		}
	}
	s.blocks += l.blocks() - before
	return s.spill.clear()
}

// mergeFrom merges the streams of met from number n on.
func (l *Layers[K]) mergeFrom(n int) error {
	old := l.met[n:]
	file, err := l.store.folder.create()
	if err != nil {
		return err
	}
	merged, err := l.store.write(file, false, old, func(t *Thread[K], part int) {
		t.copy(t.merge(old, part), nil, &t.result, part)
	})
	if err != nil {
		file.close()
		return err
	}
	merged.level = old[0].level + 1
	l.remove(old)
	l.met = append(slices.Clone(l.met[:n]), merged)
	return nil
}
