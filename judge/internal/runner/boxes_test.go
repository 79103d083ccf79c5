package runner

import (
	"fmt"
	"testing"

	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/sandbox/sandboxtest"
)

// TestBoxPool acquires and releases one box after the other, in a pool of at most two.
func TestBoxPool(t *testing.T) {
	t.Parallel()
	host := sandboxtest.New(t, nil)
	b := &boxPool{host: host, most: 2}
	for _, tt := range []struct {
		why, kind string
		cpu       int
		fresh     bool
		want      string // the numbers of the boxes that are open afterwards
	}{
		{"the first", "a", 0, false, "[0]"},
		{"another kind", "b", 0, false, "[0 1]"},
		{"the first kind again, on another CPU", "a", 1, false, "[0 1]"},
		{"a third kind takes the place of the least recently used", "c", 0, false, "[0 2]"},
		{"a fresh one is closed after its run", "c", 0, true, "[2]"},
		{"the kinds that were closed", "b", 0, false, "[2 4]"},
	} {
		h, err := b.acquire(sandbox.Spec{Folder: sandbox.Folder{Path: tt.kind}}, []int{tt.cpu}, tt.fresh)
		if err != nil {
			t.Fatal(err)
		}
		b.release(h, nil)
		var open []int
		for i := range host.Boxes() {
			if host.Open(i) {
				open = append(open, i)
			}
		}
		if got := fmt.Sprint(open); got != tt.want {
			t.Errorf("%s: the boxes %s are open, want %s", tt.why, got, tt.want)
		}
	}
	if err := b.close(); err != nil {
		t.Error(err)
	}
}
