package service_test

import (
	"context"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	spans "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
	"tribunal/judge/judged/internal/task"
	"tribunal/judge/judged/internal/trace"
	"tribunal/judge/judged/internal/worker"
)

// receiver is a collector that keeps the spans that it gets.
type receiver struct {
	mu    sync.Mutex
	spans []*spans.Span
	names map[string]bool // of the services
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	body, err := io.ReadAll(q.Body)
	var request collector.ExportTraceServiceRequest
	if err == nil {
		err = proto.Unmarshal(body, &request)
	}
	if err != nil || q.URL.Path != "/v1/traces" || q.Header.Get("Content-Type") != "application/x-protobuf" {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, group := range request.ResourceSpans {
		for _, a := range group.Resource.Attributes {
			if a.Key == "service.name" {
				r.names[a.Value.GetStringValue()] = true
			}
		}
		for _, scope := range group.ScopeSpans {
			r.spans = append(r.spans, scope.Spans...)
		}
	}
}

// TestTrace judges a submission, and one that the judge fails to judge at first, with a collector. Their spans
// are joined, across the ledger and the queues.
func TestTrace(t *testing.T) {
	t.Parallel()
	r := &receiver{names: map[string]bool{}}
	server := httptest.NewServer(r)
	t.Cleanup(server.Close)
	tracer, err := trace.New(t.Context(), server.URL, "test", func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	st := open(t)
	svc := start(t, st, service.Options{Trace: tracer})
	a := &actor{name: "w", slots: 1, blobs: st.Blobs, play: func(_ context.Context, t *task.Task, source string) (*task.Answer, error) {
		if source == "JE" && t.Attempt == 1 {
			return nil, errors.New("a box died")
		}
		return verdictOf(t, "AC"), nil
	}}
	w := worker.New(st, a, worker.Options{Trace: tracer})
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- w.Run(ctx, ctx) }()
	version := upload(t, svc)
	ids := map[string]string{}
	for i, source := range []string{"AC", "JE"} {
		q := request(i, source)
		q.Version = version.ID
		ids[source] = submit(t, svc, q)
		if j := await(t, svc, ids[source], ended).Counts(); j.Status != ledger.Done {
			t.Fatalf("%s: %+v", source, j)
		}
	}
	stop()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	until(t, func() bool { n, err := st.Results.Len(t.Context()); return err == nil && n == 0 })
	if err := tracer.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for source, want := range map[string][]string{
		"AC": {"submit", "submit > dispatch", "submit > dispatch > judge", "submit > dispatch > judge > answer"},
		"JE": {
			"submit", "submit > dispatch", "submit > dispatch", "submit > dispatch > judge", "submit > dispatch > judge (failed)",
			"submit > dispatch > judge > answer", "submit > dispatch > judge > answer",
		},
	} {
		if diff := cmp.Diff(want, r.paths(ids[source])); diff != "" {
			t.Errorf("%s: -want +got\n%s", source, diff)
		}
	}
	if !r.names["judged"] {
		t.Errorf("the services are %v", r.names)
	}
}

// paths returns the paths of the spans of a submission from its first one, sorted.
func (r *receiver) paths(id string) (list []string) {
	byID := map[string]*spans.Span{}
	for _, s := range r.spans {
		byID[hex.EncodeToString(s.SpanId)] = s
	}
	for _, s := range r.spans {
		if !slices.ContainsFunc(s.Attributes, func(a *common.KeyValue) bool { return a.Key == "judged.submission" && a.Value.GetStringValue() == id }) {
			continue
		}
		path := s.Name
		for p := byID[hex.EncodeToString(s.ParentSpanId)]; p != nil; p = byID[hex.EncodeToString(p.ParentSpanId)] {
			path = p.Name + " > " + path
		}
		if s.Status.GetCode() == spans.Status_STATUS_CODE_ERROR {
			path += " (failed)"
		}
		list = append(list, path)
	}
	slices.Sort(list)
	return list
}

// TestNoTrace expects that nothing travels if nothing is traced.
func TestNoTrace(t *testing.T) {
	var tracer *trace.Tracer
	span := tracer.Begin("", "submit")
	span.End(errors.New("no"))
	if span.Context() != "" || tracer.Close(t.Context()) != nil {
		t.Error("a nil Tracer does something")
	}
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "")
	t.Setenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "")
	if tracer, err := trace.New(t.Context(), "", "test", nil); tracer != nil || err != nil {
		t.Errorf("without an endpoint: %v, %v", tracer, err)
	}
}
