// Package trace traces what happens to a submission, in all processes of a service, with OpenTelemetry.
//
// A span covers the work of one process for a submission. Its [Span.Context] travels with the submission, through
// the ledger and the queues, and is the parent of what the next process does. Without a Tracer, nothing is
// measured, and nothing travels: the methods of a nil Tracer and of a nil Span do nothing.
package trace

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"os"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// Tracer makes spans, and sends them to a collector in the background. It is safe for concurrent use.
type Tracer struct {
	provider *sdk.TracerProvider
	tracer   trace.Tracer
}

// name is the name of the program in traces, unless OTEL_SERVICE_NAME gives another.
const name = "judged"

// New returns a tracer that sends spans to the collector at a URL, such as http://localhost:4318, by OTLP over
// HTTP. If the URL is "", the standard variables decide, such as OTEL_EXPORTER_OTLP_ENDPOINT; without these it
// returns nil. The variables also say how many traces are taken and what else the collector gets to know. Spans
// that cannot be sent are dropped; report, which is set for the whole process, gets the reason. The caller closes
// the tracer.
func New(ctx context.Context, endpoint, build string, report func(error)) (*Tracer, error) {
	var options []otlptracehttp.Option
	switch {
	case endpoint != "":
		u, err := url.Parse(endpoint)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return nil, fmt.Errorf("%q is no URL of a collector (hint: http://localhost:4318)", endpoint)
		}
		options = append(options, otlptracehttp.WithEndpointURL(u.JoinPath("v1", "traces").String()))
	case os.Getenv("OTEL_SDK_DISABLED") == "true", cmp.Or(os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT"), os.Getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")) == "":
		return nil, nil
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(report))
	exporter, err := otlptracehttp.New(ctx, options...)
	if err != nil {
		return nil, err
	}
	about, err := resource.New(ctx, resource.WithAttributes(attribute.String("service.name", name), attribute.String("service.version", build)), resource.WithHost(), resource.WithFromEnv())
	if err != nil {
		return nil, err
	}
	provider := sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithResource(about))
	return &Tracer{provider, provider.Tracer("tribunal/judge/judged")}, nil
}

// Close sends what has not been sent yet, until ctx ends.
func (t *Tracer) Close(ctx context.Context) error {
	if t == nil {
		return nil
	}
	return t.provider.Shutdown(ctx)
}

// Span is a span of a trace: something that takes time. A nil Span does nothing.
type Span struct{ span trace.Span }

// Begin begins a span. parent is the context of the span that it belongs to, "" if it is the first. The
// attributes are pairs of names and values. The caller ends it.
func (t *Tracer) Begin(parent, name string, attributes ...string) *Span {
	return t.BeginAt(time.Time{}, parent, name, attributes...)
}

// BeginAt begins a span that began at a time; zero: now.
func (t *Tracer) BeginAt(at time.Time, parent, name string, attributes ...string) *Span {
	if t == nil {
		return nil
	}
	options := []trace.SpanStartOption{}
	for i := 0; i+1 < len(attributes); i += 2 {
		options = append(options, trace.WithAttributes(attribute.String("judged."+attributes[i], attributes[i+1])))
	}
	if !at.IsZero() {
		options = append(options, trace.WithTimestamp(at))
	}
	ctx := propagation.TraceContext{}.Extract(context.Background(), propagation.MapCarrier{traceparent: parent})
	_, span := t.tracer.Start(ctx, name, options...)
	return &Span{span}
}

// traceparent is the W3C's header with the context of a span.
const traceparent = "traceparent"

// Context returns the context of the span for other processes, in the W3C's form; "" for a nil Span.
func (s *Span) Context() string {
	if s == nil {
		return ""
	}
	carrier := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(trace.ContextWithSpan(context.Background(), s.span), carrier)
	return carrier[traceparent]
}

// End ends a span; an error marks it as failed.
func (s *Span) End(err error) {
	if s == nil {
		return
	}
	if err != nil {
		s.span.SetStatus(codes.Error, err.Error())
	}
	s.span.End()
}
