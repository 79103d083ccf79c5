//go:build linux

package sandbox

import (
	"context"
	"os"
	"testing"
	"time"
)

// BenchmarkRun reports the cost of a jailed run, with and without the system call
// filter, against a bare fork, exec and wait of the same program, all on all CPUs, in
// the same process.
func BenchmarkRun(b *testing.B) {
	exe := compileC(b, hello)
	cpus := AllowedCPUs()
	jail := func(open bool) func(slot int) {
		h, err := Open(Auto)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { h.Close() })
		if h.noFilter = open; open && h.spare != nil {
			h.spare.Close()
			h.spare = nil
		}
		boxes := make([]Box, len(cpus))
		for i := range boxes {
			boxes[i] = box(b, h, Spec{})
		}
		return func(slot int) {
			if _, err := boxes[slot].Run(context.Background(), Command{Args: []string{"/w/p"}, Exe: exe, Limits: usual, CPUs: cpus[slot : slot+1]}); err != nil {
				b.Error(err)
			}
		}
	}
	bare := func(int) {
		p, err := os.StartProcess(exe.Name(), []string{"p"}, &os.ProcAttr{Files: []*os.File{nil, nil, nil}})
		if err != nil {
			b.Error(err)
			return
		}
		p.Wait()
	}
	sealed, open := jail(false), jail(true)
	const runs = 200
	var full, unfiltered, floor time.Duration
	for b.Loop() {
		full += each(len(cpus), runs, sealed)
		unfiltered += each(len(cpus), runs, open)
		floor += each(len(cpus), runs, bare)
	}
	n := float64(b.N * runs)
	b.ReportMetric(float64(full.Microseconds())/n, "jail-µs/run")
	b.ReportMetric(float64(unfiltered.Microseconds())/n, "unfiltered-µs/run")
	b.ReportMetric(float64(floor.Microseconds())/n, "bare-µs/run")
	b.ReportMetric(float64(full)/float64(floor), "ratio")
	b.ReportMetric(float64(unfiltered)/float64(floor), "unfiltered-ratio")
}

// each calls f n times in all, from as many goroutines as there are slots.
func each(slots, n int, f func(slot int)) time.Duration {
	start := time.Now()
	next := make(chan int)
	done := make(chan struct{})
	for slot := range slots {
		go func() {
			for range next {
				f(slot)
			}
			done <- struct{}{}
		}()
	}
	for i := range n {
		next <- i
	}
	close(next)
	for range slots {
		<-done
	}
	return time.Since(start)
}
