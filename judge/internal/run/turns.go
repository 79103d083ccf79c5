package run

import "sync"

// turns lets work at one place wait for all work at lower places, which may finish in any order.
// It is safe for concurrent use.
type turns struct {
	mu     sync.Mutex
	change sync.Cond
	passed []bool
	first  int // the lowest place that has not been passed
}

func newTurns(n int) *turns {
	t := &turns{passed: make([]bool, n)}
	t.change.L = &t.mu
	return t
}

// pass marks place i as passed. It may be called again for the same place.
func (t *turns) pass(i int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.passed[i] = true
	before := t.first
	for t.first < len(t.passed) && t.passed[t.first] {
		t.first++
	}
	if t.first > before {
		t.change.Broadcast()
	}
}

// await waits until all places below i have been passed.
func (t *turns) await(i int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.first < i {
		t.change.Wait()
	}
}
