// Package access knows the clients of the service by their tokens, and people by their accounts (people.go).
//
// A token is a random secret with a public id. The store has only a hash of the secret, made with
// Argon2id, so that a stolen store gives away no token. Because such a hash takes tens of milliseconds
// of a CPU, Tokens remembers which tokens it has verified, as keyed hashes in memory. What it remembers
// holds for one version of an entry: after any change by any process the token is verified anew.
//
// Wrong tokens cost little. Those that are mistyped, unknown, revoked or expired are refused before
// hashing, and so are wrong secrets of a token whose right secret is remembered. All others share a
// few slots for hashing; when too many wait for them, the error is ErrBusy.
package access

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Options sets the resources of Tokens. The zero value of a field means its default.
type Options struct {
	Cost     Cost // of new hashes, by default 19 MiB, 2 passes, 1 thread
	Hashes   int  // hashes computed at a time, each with the memory of its cost; by default one for 4 CPUs
	Waiting  int  // callers that wait for the same token, and tokens that are waited for; by default 64
	Remember int  // verified tokens to remember; by default 10,000
}

// Tokens issues, verifies and revokes tokens. It is safe for concurrent use.
type Tokens struct {
	store    Store
	cost     Cost
	derive   derive
	gate     *gate
	news     *gate // bounds looks for passes that only other processes know yet
	verified *verified
}

// New returns the tokens of a store. It panics if Argon2 does not allow the cost.
func New(store Store, o Options) *Tokens {
	cost := cmp.Or(o.Cost, usual)
	if !cost.valid() {
		panic(fmt.Sprintf("access: cost %+v", cost))
	}
	return &Tokens{
		store:    store,
		cost:     cost,
		derive:   argon,
		gate:     newGate(cmp.Or(o.Hashes, max(1, runtime.GOMAXPROCS(0)/4)), cmp.Or(o.Waiting, 64)),
		news:     newGate(1, 64),
		verified: newVerified(cmp.Or(o.Remember, 10_000)),
	}
}

// Refusal is the error of Verify for a token that is not valid: its reason.
type Refusal string

const (
	Malformed Refusal = "not a token, or mistyped (hint: a token begins with tj_ and has 44 characters; copy it again)"
	Unknown   Refusal = "unknown token (hint: it may have been deleted)"
	Revoked   Refusal = "the token was revoked"
	Expired   Refusal = "the token has expired"
	Wrong     Refusal = "wrong secret"
)

func (r Refusal) Error() string { return string(r) }

// Verify returns the identity that a token proves. If the token is not valid, the error wraps a
// Refusal. It wraps ErrBusy if the token could not be verified for now. Any other error is that of
// the store or of ctx. No error contains the secret, and all but Malformed contain the id. The time
// that Verify takes tells which ids exist, but nothing of a secret.
func (t *Tokens) Verify(ctx context.Context, token string) (Identity, error) {
	id, secret, ok := parse(token)
	if !ok {
		return Identity{}, Malformed
	}
	e, err := t.verify(ctx, id, secret)
	if err != nil {
		return Identity{}, located(id, err)
	}
	return Identity{Token: id, Owner: e.Owner, Scopes: e.Scopes}, nil
}

func located(id string, err error) error { return fmt.Errorf("token %s: %w", id, err) }

// verify returns the entry of a token, if the secret is right.
func (t *Tokens) verify(ctx context.Context, id string, secret []byte) (Entry, error) {
	e, known, err := t.recall(ctx, id, secret)
	if known || err != nil {
		return e, err
	}
	leave, err := t.gate.enter(ctx, id)
	if err != nil {
		return Entry{}, err
	}
	defer leave()
	e, known, err = t.recall(ctx, id, secret) // other callers may have verified or changed it meanwhile
	if known || err != nil {
		return e, err
	}
	h, err := parseHash(e.Hash)
	if err != nil {
		return Entry{}, err
	}
	if !t.derive.matches(secret, h) {
		return Entry{}, Wrong
	}
	if h.cost.weaker(t.cost) {
		e = t.strengthen(ctx, e, secret)
	}
	t.verified.remember(e, secret)
	return e, nil
}

// recall reads an entry and makes all checks that need no hashing. It returns whether the secret is known to be
// right; if it is known to be wrong, that is the error.
func (t *Tokens) recall(ctx context.Context, id string, secret []byte) (e Entry, right bool, err error) {
	e, err = t.store.Get(ctx, id)
	switch {
	case errors.Is(err, ErrNotFound):
		return Entry{}, false, Unknown
	case err != nil:
		return Entry{}, false, err
	case !e.Revoked.IsZero():
		return Entry{}, false, Revoked
	case !e.Expires.IsZero() && !time.Now().Before(e.Expires):
		return Entry{}, false, Expired
	}
	right, known := t.verified.recall(e, secret)
	if known && !right {
		return Entry{}, false, Wrong
	}
	return e, right, nil
}

// strengthen stores a hash of the present cost. It returns the new entry, or the old one if storing failed: the
// token is valid all the same, and its next verification tries again.
func (t *Tokens) strengthen(ctx context.Context, e Entry, secret []byte) Entry {
	stronger := e
	stronger.Hash = t.derive.newHash(secret, t.cost).String()
	revision, err := t.store.Put(ctx, stronger)
	if err != nil {
		return e
	}
	stronger.Revision = revision
	return stronger
}

// Issue makes a token. It returns the token, which is stored nowhere and can be shown only now, and its
// entry without the hash. A grant needs a name and an owner, both printable and at most 100 bytes, and
// a scope, and may not have expired. The error is a fault of the grant, ErrBusy, or that of the store
// or of ctx.
func (t *Tokens) Issue(ctx context.Context, g Grant) (token string, e Entry, err error) {
	now := time.Now().UTC().Truncate(time.Second)
	if g, err = g.check(now); err != nil {
		return "", Entry{}, err
	}
	id, secret := newID(), random(secretSize)
	leave, err := t.gate.enter(ctx, id)
	if err != nil {
		return "", Entry{}, err
	}
	hash := t.derive.newHash(secret, t.cost)
	leave()
	e = Entry{ID: id, Grant: g, Hash: hash.String(), Created: now}
	if e.Revision, err = t.store.Put(ctx, e); err != nil {
		return "", Entry{}, located(id, err)
	}
	e.Hash = ""
	return format(id, secret), e, nil
}

// check returns the grant in the form that is stored, or its fault.
func (g Grant) check(now time.Time) (Grant, error) {
	scopes, err := tidy(g.Scopes)
	switch {
	case !printable(g.Name):
		return g, fmt.Errorf("name %.100q of a token is not 1 to 100 bytes of printable text", g.Name)
	case !printable(g.Owner):
		return g, fmt.Errorf("owner %.100q of a token is not 1 to 100 bytes of printable text", g.Owner)
	case strings.HasPrefix(g.Owner, "/"):
		return g, fmt.Errorf("owner %.100q of a token begins with a slash (hint: so do courses and their members)", g.Owner)
	case err != nil:
		return g, err
	case !g.Expires.IsZero() && !g.Expires.After(now):
		return g, fmt.Errorf("the token would have expired at %s", g.Expires.Format(time.RFC3339))
	}
	g.Scopes, g.Expires = scopes, g.Expires.UTC()
	return g, nil
}

// Fault returns what is wrong with a grant, for which [Tokens.Issue] would make no token; nil if nothing is.
func (g Grant) Fault() error {
	_, err := g.check(time.Now())
	return err
}

// printable reports whether a text can be shown in a line, and is not too long for that.
func printable(text string) bool {
	return text != "" && len(text) <= 100 && utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) })
}

// Revoke revokes a token, for ever. It is no error if it was revoked before. The error wraps
// ErrNotFound if there is no such token, and ErrConflict if others keep changing it.
func (t *Tokens) Revoke(ctx context.Context, id string) error {
	err := ErrConflict
	for try := 0; errors.Is(err, ErrConflict) && try < 3; try++ {
		err = t.revoke(ctx, id)
	}
	if err != nil {
		return located(id, err)
	}
	return nil
}

func (t *Tokens) revoke(ctx context.Context, id string) error {
	e, err := t.store.Get(ctx, id)
	if err != nil || !e.Revoked.IsZero() {
		return err
	}
	e.Revoked = time.Now().UTC().Truncate(time.Second)
	_, err = t.store.Put(ctx, e)
	return err
}

// Delete removes everything about a token, which is then unknown. It is no error if it was unknown before.
func (t *Tokens) Delete(ctx context.Context, id string) error {
	if err := t.store.Delete(ctx, id); err != nil {
		return located(id, err)
	}
	return nil
}

// List returns the entries of all tokens without their hashes, the oldest first.
func (t *Tokens) List(ctx context.Context) ([]Entry, error) {
	list, err := t.store.List(ctx)
	if err != nil {
		return nil, fmt.Errorf("tokens: %w", err)
	}
	list = slices.DeleteFunc(list, func(e Entry) bool { return strings.Contains(e.ID, ".") })
	for i := range list {
		list[i].Hash = ""
	}
	slices.SortFunc(list, func(a, b Entry) int { return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.ID, b.ID)) })
	return list, nil
}
