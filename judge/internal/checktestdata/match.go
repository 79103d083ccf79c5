package checktestdata

// put adds an instruction, and reports whether there are not too many.
func (p *pattern) put(i inst) bool {
	p.insts = append(p.insts, i)
	return len(p.insts) <= maxInsts
}

// here returns the index of the next instruction.
func (p *pattern) here() int32 { return int32(len(p.insts)) }

// emit adds the instructions of r, and reports whether there are not too many.
func (p *pattern) emit(r *regex) bool {
	switch r.kind {
	case regexSet:
		return p.put(inst{op: instChar, x: int32(r.set)})
	case regexSequence:
		for _, s := range r.subs {
			if !p.emit(s) {
				return false
			}
		}
		return true
	case regexEither:
		return p.either(r.subs)
	}
	for range r.min {
		before := p.here()
		if !p.emit(r.subs[0]) {
			return false
		}
		if p.here() == before {
			break // r takes no character, so that repeating it adds nothing
		}
	}
	if r.max < 0 {
		loop := p.here()
		if !p.put(inst{op: instSplit, x: loop + 1}) || !p.emit(r.subs[0]) || !p.put(inst{op: instJump, x: loop}) {
			return false
		}
		p.insts[loop].y = p.here()
		return true
	}
	var splits []int32
	for range r.max - r.min {
		splits = append(splits, p.here())
		if !p.put(inst{op: instSplit, x: p.here() + 1}) || !p.emit(r.subs[0]) {
			return false
		}
	}
	for _, s := range splits {
		p.insts[s].y = p.here()
	}
	return true
}

// either adds the instructions of alternatives, the preferred one first.
func (p *pattern) either(subs []*regex) bool {
	var ends []int32
	for i, s := range subs {
		split := p.here()
		last := i == len(subs)-1
		if !last && !p.put(inst{op: instSplit, x: split + 1}) || !p.emit(s) {
			return false
		}
		if !last {
			ends = append(ends, p.here())
			if !p.put(inst{op: instJump}) {
				return false
			}
			p.insts[split].y = p.here()
		}
	}
	for _, e := range ends {
		p.insts[e].x = p.here()
	}
	return true
}

// matcher matches a pattern by simulating all ways through it at once. The time is at most
// proportional to the bytes of the text times the instructions of the pattern, and the memory does
// not depend on the text.
type matcher struct {
	*pattern
	now, then places // before and after the current byte
	stack     []int32
}

func newMatcher(p *pattern) *matcher {
	return &matcher{pattern: p, now: newPlaces(len(p.insts)), then: newPlaces(len(p.insts))}
}

// places is a set of instructions, the preferred ones first. It is a sparse set: truncating list
// empties it, because an entry of where counts only if list agrees.
type places struct {
	list  []int32
	where []int32 // by instruction, its index in list
}

func newPlaces(n int) places { return places{make([]int32, 0, n), make([]int32, n)} }

func (p *places) has(i int32) bool {
	w := p.where[i]
	return int(w) < len(p.list) && p.list[w] == i
}

func (p *places) add(i int32) {
	p.where[i] = int32(len(p.list))
	p.list = append(p.list, i)
}

// match returns the length of the preferred match at the beginning of text, -1 if there is none.
func (m *matcher) match(text []byte) int {
	length := -1
	m.now.list = m.now.list[:0]
	m.reach(&m.now, 0)
	for at := 0; len(m.now.list) > 0; at++ {
		m.then.list = m.then.list[:0]
		for _, i := range m.now.list {
			in := m.insts[i]
			if in.op == instDone {
				length = at // the instructions after it are preferred less
				break
			}
			if in.op == instChar && at < len(text) && m.sets[in.x].has(text[at]) {
				m.reach(&m.then, i+1)
			}
		}
		m.now, m.then = m.then, m.now
	}
	return length
}

// reach adds an instruction, and all that can be reached from it without reading a byte.
func (m *matcher) reach(p *places, i int32) {
	m.stack = append(m.stack[:0], i)
	for len(m.stack) > 0 {
		i := m.stack[len(m.stack)-1]
		m.stack = m.stack[:len(m.stack)-1]
		if p.has(i) {
			continue
		}
		p.add(i)
		switch in := m.insts[i]; in.op {
		case instJump:
			m.stack = append(m.stack, in.x)
		case instSplit:
			m.stack = append(m.stack, in.y, in.x)
		}
	}
}
