package main

// layers holds the positions that a search from one end has met: a set of all of them, and lists of
// those in the newest layer and in the one being added. Once there are many positions, set and
// lists are cut into parts by the square of one marble, the lead. So threads can add to different
// parts without locks, and a part stays in a processor's cache while a thread adds to it.
type layers[K key] struct {
	f      *field
	parts  []part[K] // one, or one for each square of the lead
	lead   *lead     // nil while there is only one part
	depth  int       // distance of the newest complete layer
	total  int       // positions in all complete layers
	newest int       // positions in the newest layer

	begun []piece // pieces of the newest layer that are not expanded yet; nil before begin
	spent int64   // cost of all layers, the one being added included
}

// part is a part of the set and of the lists. The positions in the lists of a search from the start
// have marks, see growFore.
type part[K key] struct {
	set          set[K]
	newest, next []K
}

// piece is newest[from:to] of a part.
type piece struct{ part, from, to int }

func newLayers[K key](f *field, first K) *layers[K] {
	l := &layers[K]{f: f, parts: make([]part[K], 1), total: 1, newest: 1}
	p := &l.parts[0]
	p.set = &whole[K]{}
	p.newest = p.set.add([]K{first}, ageOf(0), nil)
	return l
}

// ageOf returns the age of the positions of layer d.
func ageOf(d int) uint64 { return uint64(d%ages) + 1 }

// part returns the number of the part that a key belongs to, marked or bare.
func (l *layers[K]) part(k *K) int {
	if l.lead == nil {
		return 0
	}
	return squareOf(l.lead, k)
}

// age returns the age of a bare key, or 0 if it has not been met.
func (l *layers[K]) age(k K) uint64 { return l.parts[l.part(&k)].set.age(k) }

// begin prepares to add a layer, unless that layer has been begun.
func (l *layers[K]) begin() {
	if l.begun != nil {
		return
	}
	for i := range l.parts {
		size := len(l.parts[i].newest)
		for from := 0; from < size; from += pieceSize {
			l.begun = append(l.begun, piece{i, from, min(from+pieceSize, size)})
		}
	}
}

// end makes the added layer the newest.
func (l *layers[K]) end() {
	l.depth++
	l.newest = 0
	for i := range l.parts {
		p := &l.parts[i]
		p.newest, p.next = p.next, p.newest[:0]
		l.newest += len(p.newest)
	}
	l.total += l.newest
	l.begun = nil
}

// split cuts the only part into many. It returns a function that fills the set of a part. Several
// threads may fill different parts at once, and all must be filled before the layers are used.
func (l *layers[K]) split(lead *lead) (fill func(part int)) {
	old := l.parts[0]
	l.lead, l.parts = lead, make([]part[K], l.f.n*l.f.n)
	met := make([][]K, len(l.parts)) // by part, marked with the ages
	for age := uint64(1); age <= ages; age++ {
		old.set.each(age, func(k K) {
			i := l.part(&k)
			met[i] = append(met[i], marked(k, age))
		})
	}
	for _, k := range old.newest {
		p := &l.parts[l.part(&k)]
		p.newest = append(p.newest, k)
	}
	return func(part int) {
		set := newSet[K](lead, part)
		for _, k := range met[part] {
			set.add([]K{k}, k[0]>>keyBits, nil)
		}
		l.parts[part].set = set
	}
}

// chooseLead returns the marble that spreads the newest positions best: the one whose most frequent
// square is the least frequent.
func (l *layers[K]) chooseLead() *lead {
	var best *lead
	least := l.newest + 1
	for _, slot := range l.f.slots {
		lead := newLead(l.f, slot)
		most, counts := 0, make([]int, l.f.n*l.f.n)
		for _, k := range l.parts[0].newest {
			at := squareOf(lead, &k)
			counts[at]++
			most = max(most, counts[at])
		}
		if most < least {
			best, least = lead, most
		}
	}
	return best
}

// bytes returns the memory in use.
func (l *layers[K]) bytes() int64 {
	sum := int64(0)
	for i := range l.parts {
		sum += l.parts[i].bytes()
	}
	return sum
}

// bytes returns the memory in use.
func (p *part[K]) bytes() int64 {
	var one K
	return int64(p.set.bytes() + 8*len(one)*(cap(p.newest)+cap(p.next)))
}
