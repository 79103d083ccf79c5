//go:build linux

package sandbox

import (
	"testing"
	"time"
)

// TestDeparted follows processes that end between two polls.
func TestDeparted(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	// process is the state of a process in one poll: its number, its parent's, its own CPU time,
	// and the kernel's account of the children that it has waited for.
	type process struct {
		pid, parent    int
		used, children time.Duration
	}
	for _, tt := range []struct {
		why   string
		looks [][]process
		want  time.Duration
	}{
		{"all are alive", [][]process{{{1, 0, 100 * ms, 0}, {2, 1, 50 * ms, 0}}}, 150 * ms},
		{"a child that was waited for is in its parent's account", [][]process{
			{{1, 0, 100 * ms, 0}, {2, 1, 50 * ms, 0}},
			{{1, 0, 100 * ms, 60 * ms}},
		}, 160 * ms},
		{"a child that was not is remembered, to within a tick", [][]process{
			{{1, 0, 100 * ms, 0}, {2, 1, 50 * ms, 0}},
			{{1, 0, 100 * ms, 0}},
		}, 140 * ms},
		{"many short children that are waited for are not counted twice", [][]process{
			{{1, 0, 0, 0}, {2, 1, 9 * ms, 0}},
			{{1, 0, 0, 0}, {3, 1, 9 * ms, 0}},
			{{1, 0, 0, 10 * ms}, {4, 1, 9 * ms, 0}},
			{{1, 0, 0, 30 * ms}},
		}, 30 * ms},
		{"a chain: each process starts the next and exits", [][]process{
			{{1, 0, 0, 0}, {2, 1, 100 * ms, 0}},
			{{1, 0, 0, 0}, {3, 9, 100 * ms, 0}, {2, 1, 100 * ms, 0}},
			{{1, 0, 0, 100 * ms}, {4, 9, 100 * ms, 0}},
			{{1, 0, 0, 100 * ms}},
		}, 300 * ms},
		{"what a process owes moves to its parent when it ends", [][]process{
			{{1, 0, 0, 0}, {2, 1, 10 * ms, 0}, {3, 2, 500 * ms, 0}},
			{{1, 0, 0, 10 * ms}},
		}, 490 * ms},
		{"what a process owes is not counted twice if its parent waited for it", [][]process{
			{{1, 0, 0, 0}, {2, 1, 10 * ms, 0}, {3, 2, 500 * ms, 0}},
			{{1, 0, 0, 520 * ms}},
		}, 520 * ms},
	} {
		var d departed
		var got time.Duration
		for _, look := range tt.looks {
			now, used := map[int]processStat{}, map[int]time.Duration{}
			for _, p := range look {
				now[p.pid] = processStat{parent: p.parent, childrenCPU: p.children, start: p.pid}
				used[p.pid] = p.used
			}
			got = d.update(now, used)
		}
		if got != tt.want {
			t.Errorf("%s: got %v, want %v", tt.why, got, tt.want)
		}
	}
}
