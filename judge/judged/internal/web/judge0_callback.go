package web

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"time"

	"tribunal/judge/judged/internal/judge0"
	"tribunal/judge/judged/internal/ledger"
)

// Callbacks sends the ends of submissions of Judge0's clients to URLs.
type Callbacks struct {
	Hosts []string // that may be called, as HOST or HOST:PORT; without a port the usual one of the scheme
	Key   []byte   // with which callbacks are signed
}

// SignatureHeader has the HMAC of a callback's body with SHA-256, in hexadecimal digits behind "sha256=".
const SignatureHeader = "X-Judged-Signature"

// callbackTime bounds one try to send a callback. maxCallback bounds its URL, in bytes.
const (
	callbackTime = 5 * time.Second
	maxCallback  = 2000
)

// hidden are addresses that are not private by name, and lead to networks that are not public all the same.
var hidden = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"), netip.MustParsePrefix("198.18.0.0/15"),
	netip.MustParsePrefix("240.0.0.0/4"), netip.MustParsePrefix("64:ff9b::/96"), netip.MustParsePrefix("64:ff9b:1::/48"), netip.MustParsePrefix("2002::/16"),
}

// check returns why a URL may not be called, nil if it may be.
func (c *Callbacks) check(text string) error {
	if c == nil {
		return errors.New("setting callback is not allowed (hint: judged serve --callback-host HOST allows a host)")
	}
	u, err := url.Parse(text)
	switch {
	case len(text) > maxCallback:
		return fmt.Errorf("a URL has at most %d bytes", maxCallback)
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil:
		return errors.New("want an http or https URL without a password")
	}
	host := u.Host
	if u.Port() == map[string]string{"http": "80", "https": "443"}[u.Scheme] {
		host = strings.TrimSuffix(host, ":"+u.Port())
	}
	if !slices.ContainsFunc(c.Hosts, func(one string) bool { return strings.EqualFold(one, host) }) {
		return fmt.Errorf("calling %.100q is not allowed", u.Host)
	}
	return nil
}

// reaches returns an error for an address that is not public, unless it is itself in the list: a name may lead
// anywhere.
func (c *Callbacks) reaches(_, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return err
	}
	ip := to.Addr().Unmap().WithZone("")
	public := ip.IsGlobalUnicast() && !ip.IsPrivate() && !slices.ContainsFunc(hidden, func(p netip.Prefix) bool { return p.Contains(ip) })
	if public || slices.ContainsFunc(c.Hosts, func(one string) bool { return (&url.URL{Host: one}).Hostname() == ip.String() }) {
		return nil
	}
	return fmt.Errorf("%v is not a public address (hint: --callback-host lists the private ones)", ip)
}

// client returns a client that connects to nothing else: it knows no proxy and follows no redirection.
func (c *Callbacks) client() *http.Client {
	d := &net.Dialer{Timeout: callbackTime, Control: c.reaches}
	return &http.Client{
		Timeout:       callbackTime,
		Transport:     &http.Transport{DialContext: d.DialContext, MaxIdleConns: 16, IdleConnTimeout: time.Minute, MaxResponseHeaderBytes: 16 << 10},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// sender returns a function that puts the usual attributes of a submission, in base64, where a client wants them.
func (w *Web) sender() func(context.Context, ledger.Submission, string) error {
	client := w.o.Callbacks.client()
	return func(ctx context.Context, sub ledger.Submission, to string) error {
		if err := w.o.Callbacks.check(to); err != nil { // the list may be another since the submission
			return err
		}
		held := &lease{from: &w.budget, owner: ledger.OwnerOf(sub.Submitter)}
		defer held.end()
		fields, err := judge0.Fields("")
		if err != nil {
			return err
		}
		all, err := w.judge0Attributes(ctx, &sub, judge0Query{encoded: true, fields: fields}, held)
		if err != nil {
			return err
		}
		body, err := json.Marshal(all)
		if err != nil {
			return err
		}
		r, err := http.NewRequestWithContext(ctx, http.MethodPut, to, bytes.NewReader(body))
		if err != nil {
			return err
		}
		sum := hmac.New(sha256.New, w.o.Callbacks.Key)
		sum.Write(body)
		r.Header.Set("Content-Type", jsonType)
		r.Header.Set(SignatureHeader, "sha256="+hex.EncodeToString(sum.Sum(nil)))
		resp, err := client.Do(r)
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		if resp.StatusCode/100 != 2 {
			return fmt.Errorf("%s answers %s", r.URL.Host, resp.Status)
		}
		return nil
	}
}
