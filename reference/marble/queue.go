package main

import "sync/atomic"

// queue hands out the numbers below n to the workers of a team, each number once. Every worker has a
// range of its own and takes its numbers in order. A worker that has taken all of them helps the
// others, from the ends of their ranges. So the numbers that a worker takes are nearly the same in
// each layer, and what it stored about a part is still in the cache of its processor.
type queue []span

// span is a range of numbers: those from the upper half of the word to before the lower half. It is
// one word so that from and to change at once.
type span struct {
	word atomic.Uint64
	_    pad
}

func newQueue(n, workers int) queue {
	q := make(queue, workers)
	for i := range q {
		q[i].word.Store(uint64(n*i/workers)<<32 | uint64(n*(i+1)/workers))
	}
	return q
}

// take returns a number for a worker, or false if none is left. Several workers may call it at once.
func (q queue) take(worker int) (number int, ok bool) {
	for i := range q {
		s := &q[(worker+i)%len(q)]
		for {
			word := s.word.Load()
			from, to := word>>32, word&(1<<32-1)
			if from == to {
				break
			}
			number := from
			if i == 0 {
				from++
			} else {
				to--
				number = to
			}
			if s.word.CompareAndSwap(word, from<<32|to) {
				return int(number), true
			}
		}
	}
	return 0, false
}

// empty reports whether all numbers have been taken. No worker may take numbers meanwhile.
func (q queue) empty() bool {
	for i := range q {
		if word := q[i].word.Load(); word>>32 != word&(1<<32-1) {
			return false
		}
	}
	return true
}
