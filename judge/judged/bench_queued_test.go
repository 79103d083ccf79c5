package main

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"tribunal/judge/judged/internal/broker"
	"tribunal/judge/judged/internal/broker/brokertest"
	"tribunal/judge/judged/internal/service"
	"tribunal/judge/judged/internal/store"
)

// BenchmarkQueued hands in 100,000 programs as fast as the service takes them, without a worker. It
// reports the most memory that the process had meanwhile, in which the NATS server is too, what it needs
// when that has let go of what it has just written, and how long the service takes to start again: from
// the whole ledger, and from a snapshot.
func BenchmarkQueued(b *testing.B) {
	for _, row := range []struct {
		name  string
		bound func(context.Context) // the memory
	}{
		{"the collector alone", func(context.Context) {}},
		{"judged serve", boundMemory},
	} {
		b.Run(row.name, func(b *testing.B) {
			defer meanwhile(b.Context(), row.bound)()
			for b.Loop() {
				queued(b)
			}
			b.ReportMetric(0, "ns/op") // of everything
		})
	}
}

// meanwhile does something until stop is called.
func meanwhile(ctx context.Context, do func(context.Context)) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() { defer close(done); do(ctx) }()
	return func() { cancel(); <-done }
}

func queued(b *testing.B) {
	const submissions, submitters, callers = 100_000, 1000, 64
	l := small(b)
	nc := brokertest.Connect(b)
	st := brokertest.Open(b, nc, broker.Options{})
	svc, stop := unattended(b, nc, st, &l)
	size := heap()
	forgetPeak(b)
	start := time.Now()
	var all sync.WaitGroup
	for i := range callers {
		all.Go(func() {
			for n := i; n < submissions; n += callers {
				r := l.request(n)
				r.Submitter = fmt.Sprint("submitter-", n%submitters)
				if _, _, err := svc.Submit(b.Context(), r); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	if err := svc.CatchUp(b.Context()); err != nil {
		b.Fatal(err)
	}
	took := time.Since(start)
	if waiting := svc.Stats().Waiting; waiting != submissions {
		b.Fatalf("%d submissions wait, want %d", waiting, submissions)
	}
	b.ReportMetric(peak(b)/1e6, "MB-peak")
	time.Sleep(12 * time.Second) // the server keeps for 10 s what it has written
	b.ReportMetric(heap()/1e6, "MB")
	b.ReportMetric((heap()-size)/submissions, "B/submission")
	b.ReportMetric(float64(took.Nanoseconds())/submissions, "ns/submission")
	stop() // which makes a snapshot
	b.ReportMetric(float64(restart(b, nc, st).Nanoseconds()), "ns-snapshot")
	if err := st.Blobs.PutNamed(b.Context(), "snapshot", nil); err != nil { // an empty snapshot cannot be read
		b.Fatal(err)
	}
	b.ReportMetric(float64(restart(b, nc, st).Nanoseconds()), "ns-ledger")
	nc.Close()
}

// restart returns how long a service takes until it knows the ledger.
func restart(b *testing.B, nc *nats.Conn, st *store.Store) time.Duration {
	b.Helper()
	start := time.Now()
	_, stop := run(b, nc, st, service.Options{})
	defer stop()
	return time.Since(start)
}

// heap returns the size in bytes of what the process uses of its heap.
func heap() float64 {
	for range 3 { // pools keep what they have for a while
		debug.FreeOSMemory()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// forgetPeak makes peak return the most memory from now on.
func forgetPeak(b *testing.B) {
	b.Helper()
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil {
		b.Logf("the peak includes what was before: %v", err)
	}
}

var peakLine = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// peak returns the most memory that this process has had, in bytes.
func peak(b *testing.B) float64 {
	b.Helper()
	return peakOf(b, os.Getpid())
}

func peakOf(b *testing.B, pid int) float64 {
	b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	m := peakLine.FindSubmatch(text)
	if err != nil || m == nil {
		b.Skip("the memory is not known here: ", err)
	}
	n, err := strconv.ParseFloat(string(m[1]), 64)
	if err != nil {
		b.Fatal(err)
	}
	return n * 1024
}
