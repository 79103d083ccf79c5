package main

import (
	"context"
	"errors"
	"io"
	"testing"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/repo"
)

// silent is an input that never says anything, like a terminal.
type silent struct{ asked chan struct{} }

func (s silent) Read([]byte) (int, error) {
	close(s.asked)
	select {}
}

// TestInterruptedInput: a source on standard input is not waited for after an interrupt.
func TestInterruptedInput(t *testing.T) {
	t.Parallel()
	ctx, interrupt := context.WithCancel(t.Context())
	in := silent{make(chan struct{})}
	go func() {
		<-in.asked
		interrupt()
	}()
	g := &gradeOptions{options: &options{std: stdio{in: in, out: io.Discard, err: io.Discard}}, language: "c"}
	if _, err := g.read(ctx, []string{"-"}, build.Defaults(), repo.Bare("", "").Files, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want that it was interrupted", err)
	}
}
