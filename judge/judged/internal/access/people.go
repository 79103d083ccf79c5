package access

import (
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// accounts begins the ids of accounts; those of passes begin with their kind and a dot. No id of a token has a dot.
const accounts = "account."

// Kind is what a pass is for.
type Kind string

// The kinds of passes.
const (
	Session    Kind = "session"    // a browser in which somebody has signed in
	Invitation Kind = "invitation" // a link by which somebody sets a password, once
)

// Pass is a secret that a browser presents.
type Pass struct {
	Kind    Kind
	Login   string  // of the account; "" if it is that of a token
	Token   string  // id of the token with which somebody signed in
	Owner   string  // of the token
	Scopes  []Scope // of the token
	Course  string  // whose teachers made an invitation; "" if an operator did
	Opened  time.Time
	Expires time.Time
}

// The bounds of passwords in characters and in bytes.
const (
	leastPassword = 8
	mostPassword  = 200
)

// ErrPassword is the error of a password that cannot be set.
var ErrPassword = fmt.Errorf("a password has %d to %d characters", leastPassword, mostPassword)

// CheckPassword returns ErrPassword unless a password can be set.
func CheckPassword(password string) error {
	if utf8.RuneCountInString(password) < leastPassword || len(password) > mostPassword || !utf8.ValidString(password) {
		return ErrPassword
	}
	return nil
}

var codes = base32.HexEncoding.WithPadding(base32.NoPadding)

func accountID(login string) string { return accounts + codes.EncodeToString([]byte(login)) }

// SetPassword sets the password of an account, which exists from then on, and closes all sessions of it. The error is
// ErrPassword, ErrBusy, or that of the store or of ctx.
func (t *Tokens) SetPassword(ctx context.Context, login, password string) error {
	e, err := t.account(ctx, login, password)
	if err != nil {
		return err
	}
	if _, err := t.store.Put(ctx, e); err != nil {
		return err
	}
	return t.CloseAll(ctx, login)
}

// NewAccount sets the password of an account that does not exist yet. The error is ErrConflict if it does, or as that of
// SetPassword.
func (t *Tokens) NewAccount(ctx context.Context, login, password string) error {
	e, err := t.account(ctx, login, password)
	if err != nil {
		return err
	}
	if e.Revision > 0 {
		return ErrConflict
	}
	_, err = t.store.Put(ctx, e)
	return err
}

// Join sets the password of the account for which an invitation was made, and closes all passes of it. Of several
// callers with the same invitation, one gets nil. The error is a Refusal if the invitation is not valid, or as that of
// SetPassword; then the invitation stays as it was.
func (t *Tokens) Join(ctx context.Context, invitation, password string) error {
	pass, err := t.pass(ctx, Invitation, invitation)
	if err != nil {
		return err
	}
	e, err := t.account(ctx, pass.Owner, password)
	if err != nil {
		return err
	}
	pass.Revoked = time.Now().UTC()
	pass.Revision, err = t.store.Put(ctx, pass)
	if errors.Is(err, ErrConflict) {
		return Revoked
	} else if err != nil {
		return err
	}
	if _, err := t.store.Put(ctx, e); err != nil {
		pass.Revoked = time.Time{}
		back, stop := context.WithTimeout(context.WithoutCancel(ctx), reopenTime)
		defer stop()
		_, failed := t.store.Put(back, pass)
		return errors.Join(err, failed)
	}
	return t.CloseAll(ctx, pass.Owner)
}

// reopenTime is how long Join tries to make an invitation valid again.
const reopenTime = 5 * time.Second

// account returns the entry of an account with a new password, which replaces the one that there is before the slow
// hash.
func (t *Tokens) account(ctx context.Context, login, password string) (Entry, error) {
	if err := CheckPassword(password); err != nil {
		return Entry{}, err
	}
	id := accountID(login)
	was, err := t.store.Get(ctx, id)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return Entry{}, err
	}
	leave, err := t.gate.enter(ctx, id)
	if err != nil {
		return Entry{}, err
	}
	defer leave()
	hash := t.derive.newHash([]byte(password), t.cost)
	return Entry{ID: id, Grant: Grant{Name: "account", Owner: login}, Hash: hash.String(), Created: time.Now().UTC(), Revision: was.Revision}, nil
}

// HasPassword reports whether an account has a password.
func (t *Tokens) HasPassword(ctx context.Context, login string) bool {
	_, err := t.store.Get(ctx, accountID(login))
	return err == nil
}

// SignIn returns nil if the password of an account is right. Otherwise the error is Wrong, after the same time whether
// there is such an account or not, ErrBusy, or that of the store or of ctx.
func (t *Tokens) SignIn(ctx context.Context, login, password string) error {
	if len(password) > mostPassword { // no account has it
		return Wrong
	}
	id := accountID(login)
	e, err := t.store.Get(ctx, id)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return err
	}
	leave, gateErr := t.gate.enter(ctx, id)
	if gateErr != nil {
		return gateErr
	}
	defer leave()
	if err != nil {
		t.derive([]byte(password), make([]byte, saltSize), t.cost, keySize)
		return Wrong
	}
	h, err := parseHash(e.Hash)
	if err != nil {
		return err
	}
	if !t.derive.matches([]byte(password), h) {
		return Wrong
	}
	return nil
}

// EraseAccount removes an account and its sessions.
func (t *Tokens) EraseAccount(ctx context.Context, login string) error {
	return errors.Join(t.store.Delete(ctx, accountID(login)), t.CloseAll(ctx, login))
}

// OpenPass makes a pass, whose secret is returned and stored nowhere. Kind, Expires and Login or Token must be set.
// The secret has 128 random bits, which cannot be guessed, so its hash need not be slow.
func (t *Tokens) OpenPass(ctx context.Context, p Pass) (secret string, err error) {
	id, random := newID(), random(secretSize)
	e := Entry{
		ID: string(p.Kind) + "." + id, Hash: fastHash(random), Created: time.Now().UTC(), Course: p.Course,
		Grant: Grant{Name: p.Token, Owner: cmp.Or(p.Login, p.Owner), Scopes: p.Scopes, Expires: p.Expires.UTC()},
	}
	if _, err := t.store.Put(ctx, e); err != nil {
		return "", err
	}
	return format(id, random), nil
}

func fastHash(secret []byte) string {
	sum := sha256.Sum256(secret)
	return hex.EncodeToString(sum[:])
}

// Pass returns the pass of a secret. The error wraps a Refusal if it is not valid, or that of the store. A session of
// a token ends with the token.
func (t *Tokens) Pass(ctx context.Context, k Kind, secret string) (Pass, error) {
	e, err := t.pass(ctx, k, secret)
	if err != nil {
		return Pass{}, err
	}
	p := Pass{Kind: k, Course: e.Course, Opened: e.Created, Expires: e.Expires}
	if e.Name == "" {
		p.Login = e.Owner
		return p, nil
	}
	token, err := t.store.Get(ctx, e.Name)
	switch {
	case errors.Is(err, ErrNotFound):
		return Pass{}, Unknown
	case err != nil:
		return Pass{}, err
	case !token.Revoked.IsZero():
		return Pass{}, Revoked
	case !token.Expires.IsZero() && !time.Now().Before(token.Expires):
		return Pass{}, Expired
	}
	p.Token, p.Owner, p.Scopes = e.Name, token.Owner, token.Scopes
	return p, nil
}

// pass returns the valid entry of a secret.
func (t *Tokens) pass(ctx context.Context, k Kind, secret string) (Entry, error) {
	id, given, ok := parse(secret)
	if !ok {
		return Entry{}, Malformed
	}
	e, err := t.store.Get(ctx, string(k)+"."+id)
	if errors.Is(err, ErrNotFound) {
		e, err = t.lately(ctx, string(k)+"."+id)
	}
	switch {
	case errors.Is(err, ErrNotFound):
		return Entry{}, Unknown
	case err != nil:
		return Entry{}, err
	case subtle.ConstantTimeCompare([]byte(fastHash(given)), []byte(e.Hash)) != 1:
		return Entry{}, Wrong
	case !e.Revoked.IsZero():
		return Entry{}, Revoked
	case !time.Now().Before(e.Expires):
		return Entry{}, Expired
	}
	return e, nil
}

// newsTime bounds how long lately takes.
const newsTime = 2 * time.Second

// lately returns an entry that may be so new that only another process knows it. One caller at a time asks the store for
// its end, and few wait, so that invented secrets cost it no more than that. For all others the entry is unknown.
func (t *Tokens) lately(ctx context.Context, id string) (Entry, error) {
	ctx, stop := context.WithTimeout(ctx, newsTime)
	defer stop()
	leave, err := t.news.enter(ctx, id)
	if err != nil {
		return Entry{}, ErrNotFound
	}
	defer leave()
	if t.store.CatchUp(ctx) != nil {
		return Entry{}, ErrNotFound
	}
	return t.store.Get(ctx, id)
}

// ClosePass ends a pass. Of several callers with the same secret, one gets nil and the others a Refusal.
func (t *Tokens) ClosePass(ctx context.Context, k Kind, secret string) error {
	e, err := t.pass(ctx, k, secret)
	if err != nil {
		return err
	}
	e.Revoked = time.Now().UTC()
	if _, err := t.store.Put(ctx, e); errors.Is(err, ErrConflict) {
		return Revoked
	} else if err != nil {
		return err
	}
	return t.store.Delete(ctx, e.ID)
}

// CloseAll ends all passes of an account.
func (t *Tokens) CloseAll(ctx context.Context, login string) error {
	return t.closeIf(ctx, func(e *Entry) bool { return e.Name == "" && e.Owner == login })
}

// Sweep removes passes that have expired.
func (t *Tokens) Sweep(ctx context.Context) error {
	now := time.Now()
	return t.closeIf(ctx, func(e *Entry) bool { return !now.Before(e.Expires) })
}

func (t *Tokens) closeIf(ctx context.Context, over func(*Entry) bool) error {
	list, err := t.store.List(ctx)
	if err != nil {
		return err
	}
	for i := range list {
		if e := &list[i]; isPass(e.ID) && over(e) {
			if err := t.store.Delete(ctx, e.ID); err != nil {
				return err
			}
		}
	}
	return nil
}

func isPass(id string) bool { return strings.Contains(id, ".") && !strings.HasPrefix(id, accounts) }
