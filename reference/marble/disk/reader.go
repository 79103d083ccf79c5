package disk

import "encoding/binary"

// reader reads the keys of a part of a stream. At the end cur is beyond all keys.
type reader[K Key] struct {
	cur  K
	mark uint64 // of cur
	err  error

	file   *file
	shift  uint
	blocks []block[K] // the current one and those after it
	space  []byte     // memory for blocks
	ahead  []byte     // bytes of the blocks after the current one that have been read
	left   []byte     // what is left of the current block
}

// open begins to read blocks. The space must have room for one of them.
func (r *reader[K]) open(s *Stream[K], blocks []block[K], space []byte) {
	*r = reader[K]{file: s.file, blocks: blocks, space: space}
	if s.marked {
		r.shift = markBits
	}
	r.enter()
}

// ended reports whether there are no more keys, or the rest could not be read.
func (r *reader[K]) ended() bool { return r.cur[0] == beyond }

// enter begins the first of the blocks.
func (r *reader[K]) enter() {
	if len(r.blocks) == 0 || r.err != nil {
		r.cur[0] = beyond
		return
	}
	size := int(r.blocks[0].size)
	if len(r.ahead) < size {
		at, n := r.blocks[0].at, size
		for _, b := range r.blocks[1:] {
			if b.at != at+int64(n) || n+int(b.size) > len(r.space) {
				break
			}
			n += int(b.size)
		}
		r.ahead = r.space[:n]
		if r.err = r.file.read(r.ahead, at); r.err != nil {
			r.cur[0] = beyond
			return
		}
	}
	r.left, r.ahead = r.ahead[:size], r.ahead[size:]
	r.cur = *new(K)
	r.decode()
}

// next goes on to the next key.
func (r *reader[K]) next() {
	if len(r.left) == 0 {
		if len(r.blocks) > 0 {
			r.blocks = r.blocks[1:]
		}
		r.enter()
		return
	}
	r.decode()
}

// decode reads a key of the current block.
func (r *reader[K]) decode() {
	d, n := binary.Uvarint(r.left)
	r.left = r.left[n:]
	r.mark = d & (1<<r.shift - 1)
	d >>= r.shift
	r.cur[0] += d
	same := d == 0
	for i := 1; i < len(r.cur); i++ {
		d, n := binary.Uvarint(r.left)
		r.left = r.left[n:]
		if same {
			same = d == 0
			d += r.cur[i]
		}
		r.cur[i] = d
	}
}

// seek goes on to the first key that is not less than k. It passes over blocks without
// reading them. It leaves mark undefined.
func (r *reader[K]) seek(k *K) {
	for less(&r.cur, k) {
		if less(&r.blocks[0].last, k) {
			r.pass(k)
			continue
		}
		if len(r.cur) > 1 {
			r.decode()
			continue
		}
		cur, left, shift, to := r.cur[0], r.left, r.shift&63, (*k)[0]
		i := 0
		for cur < to { // the block has a key that is not less, so this ends in it
			d := uint64(left[i])
			i++
			if d >= 0x80 {
				d &= 0x7f
				for s := uint(7); ; s += 7 {
					b := uint64(left[i])
					i++
					d |= b & 0x7f << (s & 63)
					if b < 0x80 {
						break
					}
				}
			}
			cur += d >> shift
		}
		r.cur[0], r.left = cur, left[i:]
	}
}

// pass goes on to the first block that has a key not less than k.
func (r *reader[K]) pass(k *K) {
	from := r.blocks[0]
	n := 1
	for n < len(r.blocks) && less(&r.blocks[n].last, k) {
		n++
	}
	r.blocks = r.blocks[n:]
	if len(r.blocks) > 0 {
		if skip := r.blocks[0].at - (from.at + int64(from.size)); skip >= 0 && skip <= int64(len(r.ahead)) {
			r.ahead = r.ahead[skip:]
		} else {
			r.ahead = nil
		}
	}
	r.enter()
}

// subtract removes from sorted keys those that the reader still has to read, and returns the others.
// Keys may have marks, which do not matter. It overwrites the slice.
func (r *reader[K]) subtract(keys []K) []K {
	kept := keys[:0]
	for i := range keys {
		k := bare(keys[i])
		r.seek(&k)
		if r.cur != k {
			kept = append(kept, keys[i])
		}
	}
	return kept
}

// merger merges sorted readers by a heap: the children of reader i are 2i+1 and 2i+2, and none is
// before its parent.
type merger[K Key] []*reader[K]

// order makes a heap of readers in any order.
func (m merger[K]) order() {
	for i := len(m) / 2; i >= 0; i-- {
		m.sink(i)
	}
}

// sink restores the order of the heap after reader i has gone on.
func (m merger[K]) sink(i int) {
	for {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(m); child++ {
			if less(&m[child].cur, &m[least].cur) {
				least = child
			}
		}
		if least == i {
			return
		}
		m[i], m[least] = m[least], m[i]
		i = least
	}
}

// fill appends merged keys until the capacity is reached or there are no more. Keys that several
// readers have appear once, with the marks of all.
func (m merger[K]) fill(keys []K) []K {
	for len(keys) < cap(keys) && len(m) > 0 && !m[0].ended() {
		k := m[0].cur
		mark := uint64(0)
		for m[0].cur == k {
			mark |= m[0].mark
			m[0].next()
			m.sink(0)
		}
		keys = append(keys, marked(k, mark))
	}
	return keys
}
