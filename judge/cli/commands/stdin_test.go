package commands

import (
	"context"
	"errors"
	"io"
	"testing"

	"tribunal/judge/cli"
	"tribunal/judge/internal/build"
	"tribunal/judge/internal/repo"
)

// silent is an input that blocks forever, like an idle terminal. The first Read closes reading.
type silent struct{ reading chan struct{} }

func (s silent) Read([]byte) (int, error) {
	close(s.reading)
	select {}
}

// TestInterruptedInput checks that an interrupt ends the wait for a source on standard input.
func TestInterruptedInput(t *testing.T) {
	t.Parallel()
	ctx, interrupt := context.WithCancel(t.Context())
	in := silent{make(chan struct{})}
	go func() {
		<-in.reading
		interrupt()
	}()
	g := &gradeOptions{App: &cli.App{Std: cli.Stdio{In: in, Out: io.Discard, Err: io.Discard}}, language: "c"}
	if _, err := g.reading().Read(ctx, []string{"-"}, build.Defaults(), repo.Bare("", "").Files, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v, want context.Canceled", err)
	}
}
