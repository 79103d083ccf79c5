// Package client asks a judged over HTTP: it has the operations that judge needs of those in docs/openapi.json.
package client

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Client asks a service. It is safe for concurrent use.
type Client struct {
	URL   string       // of the service, such as https://judge.example
	Token string       // "" for none
	HTTP  *http.Client // nil means the usual one
}

// New returns a client for the service at a URL, with or without a path. The URL of its API, which ends in
// /v1, is that of the service, too. The error says what is wrong with the URL.
func New(address, token string) (*Client, error) {
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%q is not a URL (hint: http://localhost:8080)", address)
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return nil, fmt.Errorf("%q is not a URL with http or https (hint: http://localhost:8080)", address)
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return nil, fmt.Errorf("%q has more than a host and a path (hint: the token is not in the URL)", u.Redacted())
	}
	whole := strings.TrimSuffix(u.String(), "/")
	return &Client{URL: strings.TrimSuffix(whole, "/v1"), Token: token}, nil
}

// Error is an answer of the service that is not a success.
type Error struct {
	Problem
	Retry   time.Duration // after which asking again may help; 0 if the service does not say
	Foreign bool          // the answer is not of a judged, but of something in between or of another server
}

// Error returns the error in one line: what is wrong, and where in the request.
func (e *Error) Error() string {
	text := e.Detail
	if text == "" {
		text = strings.ToLower(e.Title)
	}
	for _, fault := range e.Errors {
		text += fmt.Sprintf("; %s: %s", strings.TrimPrefix(fault.Location, "body."), fault.Message)
	}
	return strings.Join(strings.Fields(text), " ")
}

// Again reports whether asking again may help, and after which time: the service is busy or away, or the
// connection was lost. A request that changes something may be repeated only if it has an idempotency
// key.
func Again(err error) (after time.Duration, ok bool) {
	if e, is := errors.AsType[*Error](err); is {
		switch e.Status {
		case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
			return max(e.Retry, time.Second), true
		}
		return 0, false
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return 0, false
	}
	_, lost := errors.AsType[*url.Error](err)
	return time.Second, (lost || errors.Is(err, io.ErrUnexpectedEOF)) && Hint(err) == ""
}

// Hint returns what the user has to change if connecting failed for a reason that will last, "" for all other
// errors.
func Hint(err error) string {
	_, untrusted := errors.AsType[*tls.CertificateVerificationError](err)
	_, misnamed := errors.AsType[x509.HostnameError](err)
	dns, unresolved := errors.AsType[*net.DNSError](err)
	switch {
	case errors.Is(err, http.ErrSchemeMismatch):
		return "the server has no TLS, so that its URL begins with http"
	case misnamed:
		return "the URL has another name of the server than its certificate"
	case untrusted:
		return "SSL_CERT_FILE names a file with the certificates that are trusted, in PEM"
	case unresolved && dns.IsNotFound:
		return "is the name of the server right?"
	}
	return ""
}

type request struct {
	method, path string
	query        url.Values
	key          string    // its idempotency key; "" for none
	body         io.Reader // in JSON; nil for none
}

// do sends a request. If the answer is a success, the caller closes its body.
func (c *Client) do(ctx context.Context, r request) (*http.Response, error) {
	address := c.URL + r.path
	if len(r.query) > 0 {
		address += "?" + r.query.Encode()
	}
	q, err := http.NewRequestWithContext(ctx, r.method, address, r.body)
	if err != nil {
		return nil, err
	}
	q.Header.Set("Accept", "application/json, application/problem+json")
	if r.body != nil {
		q.Header.Set("Content-Type", "application/json")
	}
	if r.key != "" {
		q.Header.Set("Idempotency-Key", r.key)
	}
	if c.Token != "" {
		q.Header.Set("Authorization", "Bearer "+c.Token)
	}
	h := c.HTTP
	if h == nil {
		h = http.DefaultClient
	}
	resp, err := h.Do(q)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode >= 200 && resp.StatusCode < 300 {
		return resp, nil
	}
	defer resp.Body.Close()
	return nil, failed(resp)
}

// maxProblem is the size of the largest problem document that is read.
const maxProblem = 64 << 10

// failed returns the error in an answer. An answer that is no problem document comes from something in between,
// such as a proxy.
func failed(resp *http.Response) error {
	e := &Error{}
	if seconds, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil {
		e.Retry = time.Duration(seconds) * time.Second
	}
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxProblem))
	if err != nil || json.Unmarshal(data, &e.Problem) != nil || e.Title == "" && e.Detail == "" {
		e.Foreign = true
		e.Problem = Problem{Title: resp.Status, Detail: "the server answers " + resp.Status + ", and not as a judged does"}
	}
	e.Status = int64(resp.StatusCode)
	return e
}

// maxAnswer is the size of the largest answer that is read into memory.
const maxAnswer = 1 << 30

func (c *Client) bytes(ctx context.Context, r request) ([]byte, error) {
	resp, err := c.do(ctx, r)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	if err == nil && len(data) > maxAnswer {
		err = fmt.Errorf("%s %s: the answer has more than %d bytes", r.method, r.path, maxAnswer)
	}
	return data, err
}
