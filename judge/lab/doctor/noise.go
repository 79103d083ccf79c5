//go:build linux

package doctor

import (
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

const (
	workSteps  = 20_000 // steps in a piece of work, which takes some ten microseconds
	tickLength = 10 * time.Millisecond
)

// probe measures all CPUs for some time, and all at once, because the slots will also use them
// together.
func probe(cpus []int, watch time.Duration) []Noise {
	list := make([]Noise, len(cpus))
	before := steal()
	var watchers sync.WaitGroup
	for i, cpu := range cpus {
		watchers.Go(func() { list[i] = watchCPU(cpu, watch) })
	}
	watchers.Wait()
	after := steal()
	for i := range list {
		list[i].Steal = after[list[i].CPU] - before[list[i].CPU]
	}
	return list
}

func watchCPU(cpu int, watch time.Duration) Noise {
	runtime.LockOSThread()
	var usual, only unix.CPUSet
	only.Set(cpu)
	if unix.SchedGetaffinity(0, &usual) == nil && unix.SchedSetaffinity(0, &only) == nil {
		defer func() {
			if unix.SchedSetaffinity(0, &usual) == nil {
				runtime.UnlockOSThread() // otherwise the thread ends with the goroutine
			}
		}()
	}
	var pieces []time.Duration
	for start := time.Now(); time.Since(start) < watch; {
		begin := time.Now()
		runtime.KeepAlive(work())
		pieces = append(pieces, time.Since(begin))
	}
	return measure(cpu, pieces)
}

// measure summarizes the times of the pieces, of which there must be one at least.
func measure(cpu int, pieces []time.Duration) Noise {
	slices.Sort(pieces)
	n := Noise{CPU: cpu, Pieces: len(pieces), Median: pieces[len(pieces)/2], P99: pieces[len(pieces)*99/100], Worst: pieces[len(pieces)-1]}
	var total, over time.Duration
	for _, p := range pieces {
		total += p
		over += max(p-n.Median, 0)
	}
	n.Lost = float64(over) / float64(max(total, 1))
	return n
}

//go:noinline
func work() uint64 {
	x := uint64(1)
	for range workSteps {
		x = x*6364136223846793005 + 1442695040888963407
	}
	return x // keeps the compiler from dropping the loop
}

// steal returns the time that the hypervisor has taken from each CPU since boot, see proc_stat(5).
func steal() map[int]time.Duration {
	list := map[int]time.Duration{}
	text, _ := os.ReadFile("/proc/stat")
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) < 9 {
			continue
		}
		cpu, err := strconv.Atoi(strings.TrimPrefix(fields[0], "cpu"))
		if err != nil {
			continue
		}
		ticks, _ := strconv.ParseInt(fields[8], 10, 64)
		list[cpu] = time.Duration(ticks) * tickLength
	}
	return list
}
