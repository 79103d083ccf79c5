package access

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tribunal/judge/judged/internal/store"
	"tribunal/judge/judged/internal/store/simstore"
)

func pass(t *testing.T, tokens *Tokens, p Pass) string {
	t.Helper()
	p.Expires = time.Now().Add(time.Hour)
	secret, err := tokens.OpenPass(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return secret
}

func TestPasswords(t *testing.T) {
	t.Parallel()
	b := newBench(Options{})
	tokens, ctx := b.Tokens, t.Context()
	for _, bad := range []string{"", "seven77", strings.Repeat("x", 201), "not \xff valid"} {
		if err := tokens.SetPassword(ctx, "ann", bad); !errors.Is(err, ErrPassword) {
			t.Errorf("%.10q: %v", bad, err)
		}
	}
	if tokens.HasPassword(ctx, "ann") {
		t.Error("a password that was refused was set")
	}
	if err := tokens.SetPassword(ctx, "ann", "pässwörd"); err != nil {
		t.Fatal(err)
	}
	session := pass(t, tokens, Pass{Kind: Session, Login: "ann"})
	for _, tt := range []struct {
		login, password string
		want            error
	}{{"ann", "pässwörd", nil}, {"ann", "Pässwörd", Wrong}, {"bob", "pässwörd", Wrong}, {"", "", Wrong}} {
		b.hashes.Store(0)
		if err := tokens.SignIn(ctx, tt.login, tt.password); !errors.Is(err, tt.want) {
			t.Errorf("%s with %s: %v, want %v", tt.login, tt.password, err, tt.want)
		}
		if n := b.hashes.Load(); n != 1 { // else the time says which logins there are
			t.Errorf("%s with %s: %d hashes", tt.login, tt.password, n)
		}
	}
	b.hashes.Store(0)
	for _, login := range []string{"ann", "bob"} {
		if err := tokens.SignIn(ctx, login, strings.Repeat("x", 201)); !errors.Is(err, Wrong) || b.hashes.Load() > 0 {
			t.Errorf("%s with a password that is too long: %v, %d hashes", login, err, b.hashes.Load())
		}
	}
	if list, err := tokens.List(ctx); err != nil || len(list) > 0 {
		t.Errorf("accounts and sessions are among the tokens: %v, %v", list, err)
	}
	if err := tokens.SetPassword(ctx, "ann", "another one"); err != nil {
		t.Fatal(err)
	}
	if _, err := tokens.Pass(ctx, Session, session); !errors.Is(err, Unknown) {
		t.Errorf("a session from before the password was changed: %v", err)
	}
	if err := tokens.SignIn(ctx, "ann", "pässwörd"); !errors.Is(err, Wrong) {
		t.Errorf("the old password: %v", err)
	}
	if err := tokens.EraseAccount(ctx, "ann"); err != nil || tokens.HasPassword(ctx, "ann") {
		t.Errorf("an erased account has a password: %v", err)
	}
}

func TestPasses(t *testing.T) {
	t.Parallel()
	tokens := newBench(Options{}).Tokens
	ctx := t.Context()
	token, entry, err := tokens.Issue(ctx, Grant{Name: "n", Owner: "root", Scopes: []Scope{Admin}})
	if err != nil {
		t.Fatal(err)
	}
	session := pass(t, tokens, Pass{Kind: Session, Login: "ann"})
	ofToken := pass(t, tokens, Pass{Kind: Session, Token: entry.ID, Owner: "root"})
	invitation := pass(t, tokens, Pass{Kind: Invitation, Login: "ann", Course: "c"})
	if p, err := tokens.Pass(ctx, Invitation, invitation); err != nil || p.Login != "ann" || p.Course != "c" {
		t.Errorf("an invitation: %+v, %v", p, err)
	}
	old, err := tokens.OpenPass(ctx, Pass{Kind: Session, Login: "ann", Expires: time.Now()})
	if err != nil {
		t.Fatal(err)
	}
	if p, err := tokens.Pass(ctx, Session, session); err != nil || p.Login != "ann" || p.Token != "" || p.Scopes != nil {
		t.Errorf("a session: %+v, %v", p, err)
	}
	if p, err := tokens.Pass(ctx, Session, ofToken); err != nil || p.Login != "" || p.Owner != "root" || len(p.Scopes) != 1 {
		t.Errorf("a session of a token: %+v, %v", p, err)
	}
	for _, tt := range []struct {
		why    string
		kind   Kind
		secret string
		want   Refusal
	}{
		{"another kind", Session, invitation, Unknown},
		{"a token is no session", Session, token, Unknown},
		{"the secret of another", Session, session[:12] + ofToken[12:], Malformed},
		{"expired", Session, old, Expired},
		{"nothing", Session, "", Malformed},
	} {
		if _, err := tokens.Pass(ctx, tt.kind, tt.secret); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.why, err, tt.want)
		}
	}
	if _, err := tokens.Verify(ctx, session); err == nil {
		t.Error("a session is a token")
	}
	if err := tokens.Sweep(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := tokens.Pass(ctx, Session, old); !errors.Is(err, Unknown) {
		t.Errorf("an expired session after a sweep: %v", err)
	}
	if err := tokens.Revoke(ctx, entry.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := tokens.Pass(ctx, Session, ofToken); !errors.Is(err, Revoked) {
		t.Errorf("a session of a revoked token: %v", err)
	}
	if _, err := tokens.Pass(ctx, Session, session); err != nil {
		t.Errorf("the session of another: %v", err)
	}
}

// TestInvitationIsUsedOnce lets many use an invitation at the same time.
func TestInvitationIsUsedOnce(t *testing.T) {
	t.Parallel()
	tokens := newBench(Options{}).Tokens
	invitation := pass(t, tokens, Pass{Kind: Invitation, Login: "ann"})
	var used atomic.Int32
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			password := fmt.Sprint("password ", i)
			err := tokens.Join(t.Context(), invitation, password)
			if err == nil {
				used.Add(1)
			} else if _, refused := errors.AsType[Refusal](err); !refused {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if used.Load() != 1 || !tokens.HasPassword(t.Context(), "ann") {
		t.Errorf("an invitation was used %d times", used.Load())
	}
}

// TestInvitationStays checks that an attempt that fails does not use up an invitation.
func TestInvitationStays(t *testing.T) {
	t.Parallel()
	b := newBench(Options{Hashes: 1, Waiting: 1})
	ctx := t.Context()
	invitation := pass(t, b.Tokens, Pass{Kind: Invitation, Login: "ann"})
	away := errors.New("away")
	for _, tt := range []struct {
		why, password string
		before        func()
		want          error
	}{
		{"a password that is no good", "short", nil, ErrPassword},
		{"too many at once", "long enough", func() {
			b.gate = newGate(1, 0)
			leave, err := b.gate.enter(ctx, "another")
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(leave)
		}, ErrBusy},
		{"a store that is away", "long enough", func() {
			b.gate = newGate(1, 1)
			b.store.put = []error{away}
		}, away},
		{"a store that goes away", "long enough", func() { b.store.put = []error{nil, away} }, away},
		{"somebody else set the password meanwhile", "long enough", func() { b.store.put = []error{nil, ErrConflict} }, ErrConflict},
	} {
		if tt.before != nil {
			tt.before()
		}
		if err := b.Join(ctx, invitation, tt.password); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.why, err, tt.want)
		}
		if p, err := b.Pass(ctx, Invitation, invitation); err != nil || p.Login != "ann" || b.HasPassword(ctx, "ann") {
			t.Errorf("%s: afterwards %+v, %v", tt.why, p, err)
		}
	}
	if err := b.Join(ctx, invitation, "long enough"); err != nil {
		t.Error(err)
	}
	if err := b.SignIn(ctx, "ann", "long enough"); err != nil {
		t.Error(err)
	}
	if _, err := b.Pass(ctx, Invitation, invitation); err == nil {
		t.Error("an invitation that was used is valid")
	}
}

func TestNewAccount(t *testing.T) {
	t.Parallel()
	tokens := newBench(Options{}).Tokens
	for _, want := range []error{nil, ErrConflict} {
		if err := tokens.NewAccount(t.Context(), "ann", fmt.Sprint("the password, then ", want)); !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
	}
	if err := tokens.SignIn(t.Context(), "ann", "the password, then <nil>"); err != nil {
		t.Errorf("the first password: %v", err)
	}
}

// TestLately checks that a process knows a session that another has just opened, and that invented ones do not pile up
// while the store does not answer.
func TestLately(t *testing.T) {
	t.Parallel()
	records := &waiting{Log: simstore.Blocking(time.Second, time.Second)().Tokens}
	process := func() *Tokens {
		entries, err := NewLogStore(t.Context(), records, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		return New(entries, Options{})
	}
	one, other := process(), process()
	secret := pass(t, one, Pass{Kind: Session, Login: "ann"})
	if p, err := other.Pass(t.Context(), Session, secret); err != nil || p.Login != "ann" {
		t.Errorf("a session that another process opened: %+v, %v", p, err)
	}
	release := make(chan struct{})
	records.until = release
	const many = 80
	done := make(chan error, many)
	for range many {
		go func() {
			_, err := other.Pass(t.Context(), Session, format(newID(), random(secretSize)))
			done <- err
		}()
	}
	for i := range many {
		if i == many-65 { // the others wait
			close(release)
		}
		if err := <-done; !errors.Is(err, Unknown) {
			t.Errorf("an invented session: %v", err)
		}
	}
	if n := records.most.Load(); n != 1 {
		t.Errorf("%d callers asked the store at a time", n)
	}
}

// waiting is a log whose Last waits.
type waiting struct {
	store.Log
	until     chan struct{}
	now, most atomic.Int64
}

func (w *waiting) Last(ctx context.Context) (uint64, error) {
	if w.until != nil {
		w.most.Store(max(w.most.Load(), w.now.Add(1)))
		defer w.now.Add(-1)
		<-w.until
	}
	return w.Log.Last(ctx)
}
