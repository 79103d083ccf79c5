package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"time"

	"tribunal/judge/internal/limits"
	"tribunal/judge/judged/internal/broker"
	"tribunal/judge/judged/internal/broker/brokertest"
	"tribunal/judge/judged/internal/gauge"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/scale"
	"tribunal/judge/judged/internal/service"
)

// BenchmarkSimulated compares what a service does with what its simulation says, with costs that are
// measured before: with few workers, whose judgings take 50 ms each, and with a service that is always
// busy. 1 means that both are the same.
func BenchmarkSimulated(b *testing.B) {
	c := &scale.Constants{Cores: runtime.NumCPU()}
	var err error
	if c.Single, err = gauge.Single(b.Context(), b.TempDir(), func(string) {}); err != nil {
		b.Fatal(err)
	}
	l := small(b)
	setup := scale.Usual(c)
	setup.RTT, setup.Link = 0, 1e12 // all in one process
	setup.Cases, setup.Compile, setup.Case, setup.Spread = 1, 0, 50*time.Millisecond, 0
	setup.Source, setup.Result = limits.Bytes(len(l.code)), resultSize
	for _, workers := range []int{1, 2, 4} {
		b.Run(fmt.Sprint("workers ", workers), func(b *testing.B) {
			s := setup
			s.Workers = workers
			taken, judged := live(b, l, s)
			p := scale.Simulate(s)
			b.ReportMetric(float64(len(judged))/b.Elapsed().Seconds()/p.Verdicts, "x-verdicts")
			b.ReportMetric(float64(taken.at(95))/float64(p.Taken), "x-taken")
			b.ReportMetric(float64(judged.at(95))/float64(p.Judged), "x-judged")
			b.ReportMetric(0, "ns/op")
		})
	}
	b.Run("a busy service", func(b *testing.B) {
		const workers, slots = 16, 8
		verdicts := dispatch(b, l, 1, workers, slots)
		s := setup
		s.Workers, s.Slots, s.Case, s.Arrivals = workers, slots, time.Microsecond, 100
		curve, err := scale.Draw(b.Context(), s, []int{workers})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(verdicts/curve.Busiest()[0].Carries, "x-verdicts")
		b.ReportMetric(0, "ns/op")
	})
}

// live hands in programs as a simulation does, once for each iteration, and returns how long they took to
// be taken and to be judged.
func live(b *testing.B, l load, s scale.Setup) (taken, judged quantiles) {
	var players []*gauge.Player
	for i := range s.Workers {
		slots := make(chan bool, s.Slots)
		players = append(players, &gauge.Player{Name: fmt.Sprint("player-", i), Slots: s.Slots, Result: int(s.Result), Judge: func(context.Context) error {
			slots <- true
			time.Sleep(s.Case)
			<-slots
			return nil
		}})
	}
	nc := brokertest.Connect(b)
	st := brokertest.Open(b, nc, broker.Options{})
	svc, stop := run(b, nc, st, service.Options{Tick: 100 * time.Millisecond}, players...)
	defer stop()
	l.publish(b, svc)
	done := svc.WatchAll(func(sub *ledger.Submission) bool { return sub.Counts().Status == ledger.Done })
	defer done.Close()
	var (
		mu      sync.Mutex
		due     []time.Time
		waiting sync.WaitGroup // for acknowledgements and verdicts
	)
	note := func(list *quantiles, since time.Time) {
		mu.Lock()
		*list = append(*list, time.Since(since))
		mu.Unlock()
		waiting.Done()
	}
	go func() {
		for u := range done.C {
			n, _ := strconv.Atoi(u.Submission.Name)
			mu.Lock()
			since := due[n]
			mu.Unlock()
			note(&judged, since)
		}
	}()
	random, next := rand.New(rand.NewPCG(1, 2)), time.Now()
	for n := 0; b.Loop(); n++ {
		time.Sleep(time.Until(next))
		mu.Lock()
		due = append(due, next)
		mu.Unlock()
		next = next.Add(time.Duration(random.ExpFloat64() / s.Offered() * float64(time.Second)))
		waiting.Add(2)
		go func() {
			r := l.request(n)
			r.Name = strconv.Itoa(n)
			begin := time.Now() // which is late if this host is busy
			if _, _, err := svc.Submit(b.Context(), r); err != nil {
				panic(err) // the benchmark cannot go on
			}
			note(&taken, begin)
		}()
	}
	waiting.Wait()
	return taken, judged
}
