package web

import (
	"io"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestSlowBodies lets an owner begin bodies that it does not end, and expects that others are served.
func TestSlowBodies(t *testing.T) {
	t.Parallel()
	const part = 3 * 64 << 10 // of a body: what a batch reads at a time, three times
	for _, tt := range []struct{ why, path string }{
		{"a submission", "/v1/judgings"},
		{"a line of a batch", "/v1/batches"},
	} {
		t.Run(tt.why, func(t *testing.T) {
			t.Parallel()
			w := start(t, judge, func(o *Options) { o.Bounds.Buffered = 2 * (part + 10) })
			w.problem("maze")
			from, to := io.Pipe()
			r := httptest.NewRequestWithContext(t.Context(), "POST", tt.path, from)
			r.ProtoMajor = 2 // in which an answer may begin before the end of the request
			r.Header.Set("Authorization", "Bearer ann")
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Idempotency-Key", "k")
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				w.web.ServeHTTP(httptest.NewRecorder(), r)
			}()
			for _, n := range []int{part, 1} { // when the second is read, the first has been counted
				if _, err := io.WriteString(to, strings.Repeat(" ", n)); err != nil {
					t.Fatal(err)
				}
			}
			if r := w.do("ann", "POST", "/v1/judgings", program("AC")); r.StatusCode != 503 || r.Header.Get("Retry-After") == "" {
				t.Errorf("more of the same owner: %s %s", r.Status, r.text)
			}
			if r := w.do("bob", "POST", "/v1/judgings", program("AC")); r.StatusCode != 201 {
				t.Errorf("another owner: %s %s", r.Status, r.text)
			}
			if err := to.Close(); err != nil {
				t.Fatal(err)
			}
			<-ended
			if r := w.do("ann", "POST", "/v1/judgings", program("AC")); r.StatusCode != 201 {
				t.Errorf("when the body has ended: %s %s", r.Status, r.text)
			}
		})
	}
}
