package web

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"tribunal/judge/judged/internal/access"
	"tribunal/judge/judged/internal/feedback"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/rate"
)

// Tokens knows, makes and revokes tokens, as package access does.
type Tokens interface {
	Verify(ctx context.Context, token string) (access.Identity, error)
	Issue(ctx context.Context, g access.Grant) (token string, e access.Entry, err error)
	Revoke(ctx context.Context, id string) error
	List(ctx context.Context) ([]access.Entry, error)
}

// Caller is who makes a request.
type Caller struct{ access.Identity }

func (c *Caller) may(scopes ...access.Scope) bool { return slices.ContainsFunc(scopes, c.May) }

// lacks returns the refusal of a caller who does not have a scope.
func (c *Caller) lacks(scope access.Scope) *Problem {
	if c.Token == "" {
		return refuse(http.StatusForbidden, "without a token nobody has the scope %s here (hint: Authorization: Bearer TOKEN)", scope)
	}
	return refuse(http.StatusForbidden, "the token does not have the scope %s", scope)
}

func (c *Caller) sees(sub *ledger.Submission) bool {
	return c.may(access.Read, access.Rejudge) || c.own(sub)
}

// jury reports whether a caller sees every judging whole. Others see of their own what its problem says.
func (c *Caller) jury() bool { return c.may(access.Read, access.Rejudge, access.Admin) }

// view returns what a caller may see of the judgings of a submission by a version of its problem. This is the only
// place that decides it.
func (w *Web) view(c *Caller, sub *ledger.Submission, version string) feedback.View {
	if c.jury() || sub.Run || sub.Problem == ledger.InlineProblem { // the last two have no data but the submitter's
		return feedback.Whole()
	}
	v, err := w.o.Service.Version(sub.Problem, version)
	if version == "" || err != nil {
		return feedback.View{}
	}
	newest, err := w.o.Service.Version(sub.Problem, "")
	if err != nil {
		newest = v
	}
	return feedback.Of(&v, &newest, w.o.Feedback)
}

// own reports whether a submission was handed in by a caller.
func (c *Caller) own(sub *ledger.Submission) bool {
	return c.Owner != "" && ledger.OwnerOf(sub.Submitter) == ownerName(c.Owner)
}

// ownerName returns the name of an owner in the names of submitters, where a slash ends it.
func ownerName(owner string) string { return ownerEscapes.Replace(owner) }

var ownerEscapes = strings.NewReplacer("%", "%25", "/", "%2F")

// Limiter bounds the rate of requests by key.
type Limiter interface {
	// Allow reports whether a request of this key is allowed now, or when it will be.
	Allow(key string) (ok bool, retryAfter time.Duration)
}

// caller finds out who makes a request.
func (w *Web) caller(r *http.Request) (Caller, error) {
	token := tokenOf(r)
	if token == "" {
		if w.o.Open && local(r) {
			return Caller{access.Identity{Owner: "local", Scopes: openScopes}}, nil
		}
		return Caller{}, nil
	}
	if w.o.Tokens == nil {
		return Caller{}, access.Unknown
	}
	id, err := w.o.Tokens.Verify(r.Context(), token)
	return Caller{id}, err
}

// still returns an error unless the caller of a request that goes on for long may still make it.
func (w *Web) still(r *http.Request) error {
	c, err := w.caller(r)
	if err == nil && !slices.Equal(c.Scopes, callerOf(r.Context()).Scopes) {
		err = access.Revoked
	}
	if _, refused := errors.AsType[access.Refusal](err); refused {
		return err
	}
	return nil // what cannot be verified now was valid before
}

// openScopes are those of programs on this machine without a token, if the service is open.
var openScopes = []access.Scope{access.Submit, access.Read, access.Problems, access.Rejudge}

// protocolToken begins a WebSocket subprotocol that carries a token: scripts in browsers cannot set other headers
// there.
const protocolToken = "bearer."

// tokenOf returns the token in a request, "" if there is none. Clients of Judge0 send it in X-Auth-Token.
func tokenOf(r *http.Request) string {
	if scheme, token, ok := strings.Cut(r.Header.Get("Authorization"), " "); ok && strings.EqualFold(scheme, "Bearer") {
		return strings.TrimSpace(token)
	}
	if token := r.Header.Get("X-Auth-Token"); token != "" {
		return token
	}
	for _, list := range r.Header.Values("Sec-WebSocket-Protocol") {
		for _, protocol := range strings.Split(list, ",") {
			if token, ok := strings.CutPrefix(strings.TrimSpace(protocol), protocolToken); ok {
				return token
			}
		}
	}
	return ""
}

// local reports whether a request comes directly from a program on this machine, not from a proxy or a web page: a
// proxy passes on what others ask, and any page can make its reader's browser ask.
func local(r *http.Request) bool {
	address, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil || !address.Addr().Unmap().IsLoopback() {
		return false
	}
	for _, header := range []string{"Forwarded", "X-Forwarded-For", "X-Real-Ip", "Via", "Origin"} {
		if r.Header.Get(header) != "" {
			return false
		}
	}
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "none" {
		return false
	}
	host := r.Host // the host name in a request may be one that a foreign page has given to this machine
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// address returns the address of a client, without its port.
func address(r *http.Request) string {
	if a, err := netip.ParseAddrPort(r.RemoteAddr); err == nil {
		return a.Addr().Unmap().String()
	}
	return r.RemoteAddr
}

// addressKey returns the key by which the requests of a client are counted.
func addressKey(r *http.Request) string {
	if a, err := netip.ParseAddrPort(r.RemoteAddr); err == nil {
		return rate.AddressKey(a.Addr())
	}
	return r.RemoteAddr
}
