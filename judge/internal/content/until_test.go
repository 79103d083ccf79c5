package content

import (
	"context"
	"errors"
	"io"
	"testing"
)

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// TestUntil cancels an endless read.
func TestUntil(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r := Until(ctx, readerFunc(func(p []byte) (int, error) { cancel(); return len(p), nil }))
	if n, err := io.Copy(io.Discard, r); !errors.Is(err, context.Canceled) || n == 0 {
		t.Errorf("read %d bytes and %v after the end", n, err)
	}
}
