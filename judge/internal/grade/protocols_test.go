package grade

import (
	"testing"

	"tribunal/judge/internal/problem"
)

// TestReaders checks that the answer of each protocol has a reader.
func TestReaders(t *testing.T) {
	t.Parallel()
	for _, p := range problem.Protocols() {
		if readers[p].read == nil {
			t.Errorf("the answer of the protocol %s has no reader", p)
		}
	}
	if len(readers) != len(problem.Protocols()) {
		t.Error("a reader is for no protocol")
	}
}
