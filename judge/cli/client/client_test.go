package client

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

func TestNew(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ why, address, want string }{
		{"a host", "http://localhost:8080", "http://localhost:8080 <nil>"},
		{"a path, and a slash at the end", "https://judge.example/api/", "https://judge.example/api <nil>"},
		{"that of the API", "http://localhost:8080/v1/", "http://localhost:8080 <nil>"},
		{"a path that only ends like it", "http://localhost:8080/p/v1.1", "http://localhost:8080/p/v1.1 <nil>"},
		{"no scheme", "localhost:8080", `"localhost:8080" is not a URL with http or https (hint: http://localhost:8080)`},
		{"another scheme", "ftp://x", `"ftp://x" is not a URL with http or https (hint: http://localhost:8080)`},
		{"no host", "http://", `"http://" is not a URL with http or https (hint: http://localhost:8080)`},
		{"no URL", "http://a b", `"http://a b" is not a URL (hint: http://localhost:8080)`},
		{"a secret", "http://me:secret@x", `"http://me:xxxxx@x" has more than a host and a path (hint: the token is not in the URL)`},
		{"a query", "http://x?token=1", `"http://x?token=1" has more than a host and a path (hint: the token is not in the URL)`},
	} {
		c, err := New(tt.address, "t")
		got := fmt.Sprint(err)
		if c != nil {
			got = c.URL + " " + got
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.why, got, tt.want)
		}
	}
}

// TestErrors checks the errors of answers that are no success, and whether asking again may help.
func TestErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why    string
		status int
		retry  string
		body   string
		want   string
		again  time.Duration // 0: no
	}{
		{"a problem", 422, "", `{"title":"Unprocessable Entity","status":422,"detail":"the request is not valid","errors":[{"location":"body.tests[1].input","message":"too\nlong"}]}`,
			"the request is not valid; tests[1].input: too long", 0},
		{"busy", 429, "7", `{"title":"Too Many Requests","detail":"too many judgings wait"}`, "too many judgings wait", 7 * time.Second},
		{"away", 503, "", `{"title":"Service Unavailable"}`, "service unavailable", time.Second},
		{"a proxy", 502, "", "<html>", "the server answers 502 Bad Gateway, and not as a judged does", time.Second},
		{"something else", 404, "", "404 page not found", "the server answers 404 Not Found, and not as a judged does", 0},
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if tt.retry != "" {
				w.Header().Set("Retry-After", tt.retry)
			}
			w.WriteHeader(tt.status)
			_, _ = io.WriteString(w, tt.body)
		}))
		c := &Client{URL: s.URL}
		_, err := c.GetJudging(t.Context(), "x", "1s")
		after, again := Again(err)
		if fmt.Sprint(err) != tt.want || again != (tt.again > 0) || again && after != tt.again {
			t.Errorf("%s: %v, again %v %v, want %s", tt.why, err, again, after, tt.want)
		}
		if e, ok := errors.AsType[*Error](err); !ok || e.Status != int64(tt.status) || e.Foreign != (e.Detail != "" && !strings.HasPrefix(tt.body, "{")) {
			t.Errorf("%s: %#v", tt.why, err)
		}
		s.Close()
		if _, err := c.GetProblem(t.Context(), "x"); err == nil {
			t.Error("a closed server answers")
		} else if _, again := Again(err); !again {
			t.Errorf("a lost connection: %v", err)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := (&Client{URL: "http://localhost:1"}).GetProblem(ctx, "x"); err == nil {
		t.Error("a cancelled request is answered")
	} else if _, again := Again(err); again {
		t.Errorf("a cancelled request: %v", err)
	}
}

// TestHint checks that a connection that cannot be made later either is not tried again, and says why.
func TestHint(t *testing.T) {
	t.Parallel()
	nothing := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
	plain, secure := httptest.NewServer(nothing), httptest.NewUnstartedServer(nothing)
	secure.Config.ErrorLog = log.New(io.Discard, "", 0) // what it says of a client that does not trust it
	secure.StartTLS()
	defer plain.Close()
	defer secure.Close()
	ask := func(address string) error {
		_, err := (&Client{URL: address}).GetProblem(t.Context(), "x")
		return err
	}
	for _, tt := range []struct {
		why  string
		err  error
		want string
	}{
		{"a server without TLS", ask(strings.Replace(plain.URL, "http", "https", 1)), "begins with http"},
		{"an unknown authority", ask(secure.URL), "SSL_CERT_FILE"},
		{"the name of another host", &url.Error{Op: "Get", URL: "https://judg", Err: &tls.CertificateVerificationError{Err: x509.HostnameError{Certificate: secure.Certificate(), Host: "judg"}}}, "another name"},
		{"a host that there is not", &url.Error{Op: "Get", URL: "http://judg", Err: &net.DNSError{IsNotFound: true}}, "is the name of the server right?"},
	} {
		_, again := Again(tt.err)
		if tt.err == nil || again || !strings.Contains(Hint(tt.err), tt.want) {
			t.Errorf("%s: %v, again %v (hint: %s), want %s", tt.why, tt.err, again, Hint(tt.err), tt.want)
		}
	}
	away := &url.Error{Op: "Get", URL: "http://judge", Err: &net.DNSError{IsTemporary: true}}
	if _, again := Again(away); !again || Hint(away) != "" {
		t.Errorf("no answer to the name: again %v (hint: %s)", again, Hint(away))
	}
}

// TestRequests checks what is sent.
func TestRequests(t *testing.T) {
	t.Parallel()
	var got string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body) // what is missing is seen below
		got = fmt.Sprintf("%s %s %s|%s|%s|%s", r.Method, r.URL.EscapedPath(), r.URL.RawQuery, r.Header.Get("Authorization"), r.Header.Get("Idempotency-Key"), body)
		_, _ = io.WriteString(w, `{"id":"x"}`)
	}))
	defer s.Close()
	c, err := New(s.URL+"/api/", "secret")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		why  string
		ask  func() error
		want string
	}{
		{"a body, and zero fields are left out", func() error {
			_, err := c.CreateJudging(t.Context(), "k", &Submission{Problem: "maze", SourceBase64: []byte{}})
			return err
		}, `POST /api/v1/judgings |Bearer secret|k|{"problem":"maze","source_base64":""}`},
		{"a time to wait", func() error { _, err := c.GetJudging(t.Context(), "x", "5s"); return err }, "GET /api/v1/judgings/x wait=5s|Bearer secret||"},
		{"a path that needs escapes", func() error { _, err := c.CancelJudging(t.Context(), "a/b?", "late"); return err }, `POST /api/v1/judgings/a%2Fb%3F/cancel |Bearer secret||{"reason":"late"}`},
		{"a number", func() error { _, err := c.GetResult(t.Context(), "x", 2); return err }, "GET /api/v1/judgings/x/result judging=2|Bearer secret||"},
		{"a problem", func() error { _, err := c.GetProblem(t.Context(), "maze"); return err }, "GET /api/v1/problems/maze |Bearer secret||"},
	} {
		if err := tt.ask(); err != nil || got != tt.want {
			t.Errorf("%s: %q, %v, want %q", tt.why, got, err, tt.want)
		}
	}
}

// TestAnswers checks answers that are not what a judged answers.
func TestAnswers(t *testing.T) {
	t.Parallel()
	text := ""
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, text) }))
	defer s.Close()
	c := &Client{URL: s.URL}
	for _, text = range []string{"", "<html>", "[]", `{"number":"1"}`} {
		if _, err := c.GetJudging(t.Context(), "x", "1s"); err == nil || !strings.Contains(err.Error(), "GET /v1/judgings/x: the answer is not what a judged answers") {
			t.Errorf("%q: %v", text, err)
		}
	}
	text = `{"id":"x","new":1}`
	if j, err := c.GetJudging(t.Context(), "x", "1s"); err != nil || j.ID != "x" {
		t.Errorf("%+v, %v", j, err)
	}
}
