package web

import (
	"net/http"
	"strings"
	"testing"
)

// TestRun checks runs without an answer.
func TestRun(t *testing.T) {
	t.Parallel()
	w := start(t, judge)
	for _, tt := range []struct {
		why    string
		r      Run
		status int
		want   string
	}{
		{"text", Run{Language: "c", Source: text("x"), Stdin: "hé"}, 200, `"outcome":"OK","stdout":{"text":"hé"}`},
		{"bytes", Run{Language: "c", Source: text("x"), StdinB64: []byte{0xff}}, 200, `"stdout":{"base64":"/w=="}`},
		{"no input", Run{Language: "c", Source: text("x")}, 200, `"stdout":{}`},
		{"a compile error", Run{Language: "c", Source: text("CE")}, 200, `"outcome":"CE","compiler":"solution.c:1: error: no"`},
		{"a crash", Run{Language: "c", Source: text("RTE"), Args: []string{"a", "b"}, Limits: "cpu=1s"}, 200, `"outcome":"RTE","stdout":{},"stderr":{"text":"oh no"}`},
		{"two inputs", Run{Language: "c", Source: text("x"), Stdin: "a", StdinB64: []byte("b")}, 422, "one of stdin"},
		{"no source", Run{Language: "c"}, 422, "one of source"},
		{"an argument with a NUL byte", Run{Language: "c", Source: text("x"), Args: []string{"a\x00b"}}, 422, "cannot have a NUL byte"},
		{"large arguments", Run{Language: "c", Source: text("x"), Args: []string{strings.Repeat("x", 65<<10)}}, 422, "64 KiB"},
		{"a limit that is too large", Run{Language: "c", Source: text("x"), Limits: "memory=3GiB"}, 422, "memory is at most 2GiB"},
		{"an unknown language", Run{Language: "x", Source: text("x")}, 422, "unknown language"},
	} {
		r := w.do("ann", "POST", "/v1/run", tt.r)
		if r.StatusCode != tt.status || !strings.Contains(r.text, tt.want) {
			t.Errorf("%s: %s %s, want %d %s", tt.why, r.Status, r.text, tt.status, tt.want)
		}
	}
}

// TestRunLater checks that a client that does not wait finds the run again.
func TestRunLater(t *testing.T) {
	t.Parallel()
	w := start(t, nil)
	var first, second RunResult
	r := w.do("ann", "POST", "/v1/run?wait=0s", Run{Language: "c", Source: text("x")}, "Idempotency-Key", "k")
	if r.decode(t, http.StatusAccepted, &first); first.Status != "waiting" || r.Header.Get("Location") != "/v1/judgings/"+first.ID {
		t.Errorf("%+v %v", first, r.Header)
	}
	if w.do("ann", "POST", "/v1/run?wait=1ms", Run{Language: "c", Source: text("x")}, "Idempotency-Key", "k").decode(t, http.StatusAccepted, &second); second.ID != first.ID {
		t.Errorf("%+v", second)
	}
	var j Judging
	if w.do("ann", "GET", "/v1/judgings/"+first.ID, nil).decode(t, 200, &j); !j.Run || j.Problem != "" {
		t.Errorf("%+v", j)
	}
}
