package run

import "sync"

// turns are places in a row that are passed in any order. It is safe for concurrent use.
type turns struct {
	mu     sync.Mutex
	change sync.Cond
	passed []bool
	first  int // the first place that has not been passed
}

func newTurns(n int) *turns {
	t := &turns{passed: make([]bool, n)}
	t.change.L = &t.mu
	return t
}

// pass says that place i has been passed; it may be said more than once.
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

// await returns when all places before i have been passed.
func (t *turns) await(i int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.first < i {
		t.change.Wait()
	}
}
