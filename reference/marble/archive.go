package main

import "slices"

// archive holds the positions that a search from one end has met, in streams.
//
// All layers stay in one file, because the answer is read out of them. Positions are compared with
// all earlier ones, which the streams of met hold. These are first the layers themselves. As soon as
// there are mergeAt streams of a level, they are merged into one of the next level, in a file of its
// own. So there are few of them, and a position is copied a few times only.
type archive[K key] struct {
	file   *scratchFile // of the layers
	layers []*stream[K]
	met    []*stream[K] // of falling levels
	spent  int64        // cost of all layers
}

// newest returns the newest layer.
func (a *archive[K]) newest() *stream[K] { return a.layers[len(a.layers)-1] }

// depth returns the distance of the newest layer.
func (a *archive[K]) depth() int { return len(a.layers) - 1 }

// blocks returns the number of blocks of all streams.
func (a *archive[K]) blocks() int {
	sum := 0
	for _, s := range slices.Concat(a.layers, a.met) {
		sum += len(s.blocks)
	}
	return sum
}

// close deletes the files.
func (a *archive[K]) close() {
	a.remove(a.met)
	a.file.close()
}

// remove deletes the files of merged streams.
func (a *archive[K]) remove(streams []*stream[K]) {
	for _, s := range streams {
		if s.file != a.file {
			s.file.close()
		}
	}
}

// add makes those of the positions that the threads hold the newest layer that are not in an earlier
// one, and counts them.
func (a *archive[K]) add(all sorters[K], m *meter) error {
	var found []*stream[K]
	for _, w := range all {
		w.empty()
		found = append(found, w.spilled...)
		w.spilled = nil
	}
	layer, err := all.write(a.file, true, found, func(w *sorter[K], part int) {
		before := w.result.count
		w.absorb(part, found, a.met)
		m.positions.Add(int64(w.result.count - before))
	})
	if err != nil {
		return err
	}
	a.layers = append(a.layers, layer)
	a.met = append(a.met, layer)
	for {
		n := len(a.met) - mergeAt
		if n < 0 || a.met[n].level != a.met[len(a.met)-1].level {
			return nil
		}
		if err := a.mergeFrom(n, all); err != nil {
			return err
		}
	}
}

// mergeFrom merges the streams of met from number n on.
func (a *archive[K]) mergeFrom(n int, all sorters[K]) error {
	old := a.met[n:]
	file, err := a.file.create()
	if err != nil {
		return err
	}
	merged, err := all.write(file, false, old, func(w *sorter[K], part int) {
		w.copy(w.merge(old, part), nil, &w.result, part)
	})
	if err != nil {
		file.close()
		return err
	}
	merged.level = old[0].level + 1
	a.remove(old)
	a.met = append(slices.Clone(a.met[:n]), merged)
	return nil
}
