package accesstest

import (
	"log/slog"
	"testing"
	"time"

	"tribunal/judge/judged/internal/access"
	"tribunal/judge/judged/internal/store/simstore"
)

func TestLogStore(t *testing.T) {
	t.Parallel()
	Store(t, func(t *testing.T) access.Store {
		s, err := access.NewLogStore(t.Context(), simstore.Blocking(time.Second, time.Second)().Tokens, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		return s
	})
}
