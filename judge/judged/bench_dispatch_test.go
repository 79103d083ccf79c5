package main

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"tribunal/judge/judged/internal/broker"
	"tribunal/judge/judged/internal/broker/brokertest"
	"tribunal/judge/judged/internal/gauge"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
	"tribunal/judge/judged/internal/store"
)

// BenchmarkDispatch hands in programs whose judging takes no time, a thousand of which are under way at a
// time: what the service, the server in its process and the workers carry together, with several numbers
// of workers, and with three servers that all keep everything.
func BenchmarkDispatch(b *testing.B) {
	for _, row := range []struct {
		name    string
		servers int
		workers int
	}{
		{"1 worker", 1, 1},
		{"16 workers", 1, 16},
		{"256 workers", 1, 256},
		{"16 workers, three servers", 3, 16},
	} {
		b.Run(row.name, func(b *testing.B) {
			b.ReportMetric(dispatch(b, small(b), row.servers, row.workers, 8), "verdicts/s")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// resultSize is the size in bytes of the results of players.
const resultSize = 8 << 10

// dispatch hands in programs whose judging takes no time, and returns how many verdicts there are per
// second.
func dispatch(b *testing.B, l load, servers, workers, slots int) float64 {
	const most = 1000 // are under way
	var players []*gauge.Player
	for i := range workers {
		players = append(players, &gauge.Player{Name: fmt.Sprint("player-", i), Slots: slots, Result: resultSize})
	}
	nc, st := openWith(b, servers)
	svc, stop := run(b, nc, st, service.Options{Tick: 100 * time.Millisecond}, players...)
	defer stop()
	l.publish(b, svc)
	done := svc.WatchAll(func(sub *ledger.Submission) bool { return sub.Counts().Status == ledger.Done })
	defer done.Close()
	n := 0
	for b.Loop() {
		if _, _, err := svc.Submit(b.Context(), l.request(n)); err != nil {
			b.Fatal(err)
		}
		if n++; n > most {
			<-done.C
		}
	}
	for range min(n, most) {
		<-done.C
	}
	return float64(n) / b.Elapsed().Seconds()
}

// openWith starts one server or several, and returns a connection and a store that all of them keep.
func openWith(b *testing.B, servers int) (*nats.Conn, *store.Store) {
	b.Helper()
	if servers == 1 {
		nc := brokertest.Connect(b)
		return nc, brokertest.Open(b, nc, broker.Options{})
	}
	c, err := broker.StartCluster(b.TempDir(), servers)
	if err != nil {
		b.Fatal(err)
	}
	nc, err := c.Connect()
	if err != nil {
		c.Shutdown()
		b.Fatal(err)
	}
	b.Cleanup(func() { nc.Close(); c.Shutdown() })
	for range 30 { // until leaders are elected
		ctx, stop := context.WithTimeout(b.Context(), 5*time.Second)
		st, err := broker.Open(ctx, nc, broker.Options{Replicas: servers})
		stop()
		if err == nil {
			return nc, st
		}
		b.Logf("not yet: %v", err)
	}
	b.Fatal("the cluster does not get ready")
	return nil, nil
}
