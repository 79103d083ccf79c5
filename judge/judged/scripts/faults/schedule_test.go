package faults

import (
	"slices"
	"testing"

	"tribunal/internal/tier"
)

// The usual shapes.
var (
	alone   = shape{nodes: 0, services: 1, workers: 2}
	simple  = shape{nodes: 1, services: 2, workers: 2}
	cluster = shape{nodes: 3, services: 2, workers: 2}
)

// TestFaults has a schedule for each kind of fault. The usual ones are played each time: the death of a process of
// each kind, and cut links; TestFullDisk is another.
func TestFaults(t *testing.T) {
	tier.T2(t, "the service under faults")
	t.Parallel()
	usual := []string{
		"workers die while they judge", "the only process dies while it takes submissions", "the NATS server dies", "links are cut",
	}
	for _, tt := range []struct {
		why   string
		shape shape
		steps []string
	}{
		{"nothing happens", simple, nil},
		{"workers die while they judge", simple, []string{"kill worker0 1s", "kill worker1 1s", "kill worker0 0s"}},
		{"workers end in order", simple, []string{"stop worker0 500ms", "stop worker1 0s"}},
		{"the only process dies while it takes submissions", alone, []string{"kill server0 0s", "kill server0 500ms", "kill server0 0s"}},
		{"a service dies, and then the one that leads", simple, []string{"kill server1 500ms", "kill leader 2s", "kill leader 0s"}},
		{"the service that leads is frozen until another leads, and goes on", simple, []string{"pause leader 6s"}},
		{"the NATS server dies", simple, []string{"kill node0 0s", "kill node0 1s"}},
		{"a cluster loses a node, and then its leader", cluster, []string{"kill node2 2s", "kill head 2s"}},
		{"a cluster is cut in two, on both sides of which are clients", cluster, []string{"cut head 6s"}},
		{"links are cut", simple, []string{"cut worker0 1s", "cut server0 1s", "cut client1 500ms", "cut leader 4s"}},
		{"links stall", simple, []string{"stall worker1 3s", "stall leader 3s", "stall client0 1s"}},
		{"links are slow", simple, []string{"slow worker0 2s", "slow server1 2s", "slow client0 2s"}},
		{"clocks jump", simple, []string{"early leader 1s", "late leader 1s", "late server1 1s", "early worker0 1s"}},
		{"a hostile worker joins", simple, []string{"join villain 4s"}},
		{"everything dies", simple, []string{"kill all 0s", "kill all 1s"}},
		{"a cluster dies as a whole, and then with everything else", cluster, []string{"kill nodes 1s", "kill all 0s"}},
	} {
		t.Run(tt.why, func(t *testing.T) {
			if !slices.Contains(usual, tt.why) {
				tier.T3(t, tt.why)
			}
			t.Parallel()
			var steps []step
			for _, text := range tt.steps {
				s, err := parse(text)
				if err != nil {
					t.Fatal(err)
				}
				steps = append(steps, s)
			}
			storm(t, tt.shape, steps)
		})
	}
}
