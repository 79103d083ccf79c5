package main

import (
	"context"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// The garbage collector may let the memory grow to leastMemory, or to a quarter and memorySpare more than what is
// in use.
const (
	leastMemory = 400 << 20
	memorySpare = 32 << 20
)

// boundMemory lets the process take little more memory than is in use, until ctx ends, unless the user has set a
// limit. A service keeps much for long: the state of what waits, and what the NATS server has just written. By
// default the collector would allow as much garbage on top.
func boundMemory(ctx context.Context) {
	if os.Getenv("GOMEMLIMIT") != "" || os.Getenv("GOGC") != "" {
		return
	}
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1))
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	for limit := int64(0); ; {
		metrics.Read(live)
		if next := memoryLimit(int64(live[0].Value.Uint64())); next != limit {
			limit = next
			debug.SetMemoryLimit(limit) // which stops the world for a moment
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// memoryLimit returns the limit while so much is in use, in steps of memorySpare.
func memoryLimit(live int64) int64 {
	limit := live + live/4 + memorySpare
	return max(leastMemory, limit-limit%memorySpare)
}
