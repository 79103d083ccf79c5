package main

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"tribunal/judge/internal/version"
	"tribunal/judge/judged/internal/trace"
)

type traceOptions struct{ otlp string }

func (o *traceOptions) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.otlp, "otlp", "", "`URL` of a collector of OpenTelemetry that gets traces by OTLP over HTTP (default: that in OTEL_EXPORTER_OTLP_ENDPOINT, or none)")
}

// sendTime is how long a process may take at its end to send its last spans.
const sendTime = 5 * time.Second

// open returns a tracer, nil if nothing is to be traced. The caller calls end when all spans have ended.
func (o *traceOptions) open(ctx context.Context, log *slog.Logger) (t *trace.Tracer, end func(), err error) {
	t, err = trace.New(ctx, o.otlp, version.Build(), func(err error) { log.Warn("traces cannot be sent", "error", err) })
	if err != nil {
		return nil, nil, usage(fmt.Errorf("--otlp: %w", err))
	}
	return t, func() {
		ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), sendTime)
		defer stop()
		if err := t.Close(ctx); err != nil {
			log.Warn("the last traces cannot be sent", "error", err)
		}
	}, nil
}
