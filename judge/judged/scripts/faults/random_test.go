package faults

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"tribunal/internal/tier"
)

var (
	schedules = flag.Int("schedules", 1, "`number` of random schedules")
	seed      = flag.Uint64("seed", 1, "`seed` of the first random schedule; the next has the next one")
)

// TestRandom plays random schedules, in which faults overlap. What fails is played again by
//
//	go test -run TestRandom ./judge/judged/scripts/faults -args -schedules 1 -seed SEED
//
// and a row of [TestFaults] can have the same steps.
func TestRandom(t *testing.T) {
	asked := false
	flag.Visit(func(f *flag.Flag) { asked = asked || f.Name == "schedules" || f.Name == "seed" })
	if !asked {
		tier.T3(t, "random schedules of faults")
	}
	t.Parallel()
	for i := range *schedules {
		seed := *seed + uint64(i)
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			s, steps := random(rand.New(rand.NewPCG(seed, 0)))
			t.Logf("seed %d: %s: %q", seed, s, steps)
			storm(t, s, steps)
		})
	}
}

// random returns a schedule.
func random(r *rand.Rand) (s shape, steps []step) {
	s = []shape{alone, simple, simple, cluster}[r.IntN(4)]
	s.workers = 1 + r.IntN(3)
	targets := map[string]int{"node": s.nodes, "server": s.services, "worker": s.workers, "client": s.services}
	kinds := []string{"server", "worker", "server", "worker", "client"}
	if s.nodes > 0 {
		kinds = append(kinds, "node", "node")
	}
	for range 3 + r.IntN(5) {
		kind := kinds[r.IntN(len(kinds))]
		can := applicable(kind, s)
		next := step{can[r.IntN(len(can))], fmt.Sprint(kind, r.IntN(targets[kind])), time.Duration(r.IntN(3000)) * time.Millisecond}
		switch {
		case r.IntN(10) == 0:
			next = step{"join", "villain", next.hold}
		case kind == "server" && s.services > 1 && r.IntN(3) == 0:
			next.target = "leader"
		case kind == "node" && s.nodes > 1 && r.IntN(3) == 0:
			next.target = "head"
		}
		steps = append(steps, next)
	}
	return s, steps
}

// applicable lists the faults that a kind of process can have in a shape.
func applicable(kind string, s shape) []string {
	const lines, processes, clocks = "cut stall slow", "kill kill stop pause", "early late"
	list := ""
	switch {
	case kind == "client":
		list = lines
	case kind == "worker" || kind == "server" && s.nodes > 0:
		list = processes + " " + lines + " " + clocks
	case kind == "server": // its NATS server is in it
		list = processes + " " + clocks
	case s.nodes > 1:
		list = processes + " " + lines // to the other nodes
	default:
		list = processes
	}
	return strings.Fields(list)
}
