// Package brokertest starts NATS servers for the tests of other packages.
package brokertest

import (
	"context"
	"testing"

	"github.com/nats-io/nats.go"

	"tribunal/judge/judged/internal/broker"
	"tribunal/judge/judged/internal/store"
	"tribunal/judge/judged/internal/store/storetest"
)

// Connect starts a server with a folder of its own, and returns a connection to it. Both end with the test, after
// everything that the caller has to clean up.
func Connect(t testing.TB) *nats.Conn {
	t.Helper()
	server, err := broker.Start(broker.Embedded{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Shutdown)
	nc, err := server.Connect("")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return nc
}

// Open returns the store behind a connection.
func Open(t testing.TB, nc *nats.Conn, o broker.Options) *store.Store {
	t.Helper()
	return storetest.Opened(t, func(ctx context.Context) (*store.Store, error) { return broker.Open(ctx, nc, o) })
}
