package broker

import (
	"log/slog"
	"testing"

	"github.com/nats-io/nats.go"

	"tribunal/judge/judged/internal/access"
	"tribunal/judge/judged/internal/access/accesstest"
)

// TestTokens keeps tokens in JetStream.
func TestTokens(t *testing.T) {
	t.Parallel()
	accesstest.Store(t, func(t *testing.T) access.Store {
		server := start(t, Embedded{Dir: t.TempDir()})
		s, err := access.NewLogStore(t.Context(), openStore(t, func() (*nats.Conn, error) { return server.Connect("") }, shortTimes(1)).Tokens, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		return s
	})
}
