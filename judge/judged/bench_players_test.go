package main

import (
	"context"
	"errors"
	"testing"

	"github.com/nats-io/nats.go"

	"tribunal/judge/judged/internal/broker"
	"tribunal/judge/judged/internal/gauge"
	"tribunal/judge/judged/internal/service"
	"tribunal/judge/judged/internal/store"
	"tribunal/judge/judged/internal/worker"
)

// run starts a service with workers that run nothing, each with a queue of its own, and waits until it
// knows the ledger.
func run(b *testing.B, nc *nats.Conn, st *store.Store, o service.Options, players ...*gauge.Player) (svc *service.Service, stop func()) {
	b.Helper()
	svc, err := service.New(b.Context(), st, o)
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(b.Context())
	done := make(chan error)
	start := func(run func() error) {
		go func() { done <- run() }()
	}
	start(func() error { return svc.Run(ctx) })
	for _, p := range players {
		joined, err := broker.Join(ctx, nc, "")
		if err != nil {
			b.Fatal(err)
		}
		start(func() error { return worker.New(joined, p, worker.Options{}).Run(ctx, ctx) })
	}
	if err := svc.CatchUp(ctx); err != nil {
		b.Fatal(err)
	}
	return svc, func() {
		cancel()
		for range 1 + len(players) {
			if err := <-done; err != nil && !errors.Is(err, context.Canceled) {
				b.Error(err)
			}
		}
	}
}

// unattended starts a service that knows the problem of a load and has no workers.
func unattended(b *testing.B, nc *nats.Conn, st *store.Store, l *load) (svc *service.Service, stop func()) {
	b.Helper()
	svc, stop = run(b, nc, st, service.Options{}, &gauge.Player{Name: "checker", Slots: 1})
	l.publish(b, svc)
	stop()
	return run(b, nc, st, service.Options{})
}
