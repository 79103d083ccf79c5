package checktestdata

// put adds an instruction. It reports false if the pattern then has more than maxInsts.
func (p *pattern) put(i inst) bool {
	p.insts = append(p.insts, i)
	return len(p.insts) <= maxInsts
}

// next returns the index of the instruction that will be added next.
func (p *pattern) next() int32 { return int32(len(p.insts)) }

// emit adds the instructions of r. It reports false if the pattern then has more than maxInsts.
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
		before := p.next()
		if !p.emit(r.subs[0]) {
			return false
		}
		if p.next() == before {
			break // the repeated expression is empty, so repeating it adds nothing
		}
	}
	if r.max < 0 {
		loop := p.next()
		if !p.put(inst{op: instSplit, x: loop + 1}) || !p.emit(r.subs[0]) || !p.put(inst{op: instJump, x: loop}) {
			return false
		}
		p.insts[loop].y = p.next()
		return true
	}
	var splits []int32
	for range r.max - r.min {
		splits = append(splits, p.next())
		if !p.put(inst{op: instSplit, x: p.next() + 1}) || !p.emit(r.subs[0]) {
			return false
		}
	}
	for _, s := range splits {
		p.insts[s].y = p.next()
	}
	return true
}

// either adds the instructions of alternatives, the preferred one first. It reports false if the
// pattern then has more than maxInsts.
func (p *pattern) either(subs []*regex) bool {
	var ends []int32
	for i, s := range subs {
		split := p.next()
		last := i == len(subs)-1
		if !last && !p.put(inst{op: instSplit, x: split + 1}) || !p.emit(s) {
			return false
		}
		if !last {
			ends = append(ends, p.next())
			if !p.put(inst{op: instJump}) {
				return false
			}
			p.insts[split].y = p.next()
		}
	}
	for _, e := range ends {
		p.insts[e].x = p.next()
	}
	return true
}

// matcher matches a pattern by following all paths through it at the same time. The time is at most
// proportional to the bytes of the text times the instructions of the pattern, and the memory does
// not depend on the text.
type matcher struct {
	*pattern
	now, then instSet // instructions reached before and after the current byte
	stack     []int32
}

func newMatcher(p *pattern) *matcher {
	return &matcher{pattern: p, now: newInstSet(len(p.insts)), then: newInstSet(len(p.insts))}
}

// instSet is a set of instructions, the preferred ones first. It is a sparse set: an entry of index
// is valid only if list has the instruction there, so truncating list empties the set.
type instSet struct {
	list  []int32
	index []int32 // index in list, by instruction
}

func newInstSet(n int) instSet { return instSet{make([]int32, 0, n), make([]int32, n)} }

func (s *instSet) has(i int32) bool {
	at := s.index[i]
	return int(at) < len(s.list) && s.list[at] == i
}

func (s *instSet) add(i int32) {
	s.index[i] = int32(len(s.list))
	s.list = append(s.list, i)
}

// match returns the length of the preferred match at the beginning of text; -1 if there is none.
func (m *matcher) match(text []byte) int {
	length := -1
	m.now.list = m.now.list[:0]
	m.reach(&m.now, 0)
	for at := 0; len(m.now.list) > 0; at++ {
		m.then.list = m.then.list[:0]
		for _, i := range m.now.list {
			in := m.insts[i]
			if in.op == instDone {
				length = at // all later instructions are less preferred
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

// reach adds to s an instruction and all instructions that follow it without reading a byte.
func (m *matcher) reach(s *instSet, i int32) {
	m.stack = append(m.stack[:0], i)
	for len(m.stack) > 0 {
		i := m.stack[len(m.stack)-1]
		m.stack = m.stack[:len(m.stack)-1]
		if s.has(i) {
			continue
		}
		s.add(i)
		switch in := m.insts[i]; in.op {
		case instJump:
			m.stack = append(m.stack, in.x)
		case instSplit:
			m.stack = append(m.stack, in.y, in.x)
		}
	}
}
