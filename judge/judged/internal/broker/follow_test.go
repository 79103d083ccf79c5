package broker

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"tribunal/judge/judged/internal/store"
	"tribunal/judge/judged/internal/store/storetest"
)

// TestSilentConsumer follows a log through a consumer that delivers nothing, although its server says that
// it is there: a paused one, which behaves as the consumer on a node that has missed the records.
func TestSilentConsumer(t *testing.T) {
	t.Parallel()
	server := start(t, Embedded{Dir: t.TempDir()})
	nc := connected(t, server)
	o := shortTimes(1)
	s := opened(t, nc, o)
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	stream, err := js.Stream(t.Context(), o.Prefix+"-ledger")
	if err != nil {
		t.Fatal(err)
	}
	appended := func(subject string) {
		t.Helper()
		if _, err := s.Log.Append(t.Context(), subject, 0, nil); err != nil {
			t.Fatal(err)
		}
	}
	appended("first")
	ctx := storetest.Patient(t)
	var got []string
	follow := func(from uint64) error {
		return s.Log.Follow(ctx, from, func(r store.Record) error {
			got = append(got, r.Subject)
			if r.Subject == "second" {
				return context.Canceled
			}
			for name := range stream.ConsumerNames(ctx).Name() {
				if _, err := js.PauseConsumer(ctx, o.Prefix+"-ledger", name, time.Now().Add(time.Hour)); err != nil {
					t.Error(err)
				}
			}
			appended("second")
			return nil
		})
	}
	if err := follow(0); !errors.Is(err, errBehind) {
		t.Fatalf("the consumer delivers nothing, and following it ends with %v", err)
	}
	if err := follow(1); !errors.Is(err, context.Canceled) || len(got) != 2 {
		t.Errorf("%v, %v", got, err)
	}
}
