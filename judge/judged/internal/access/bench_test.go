package access

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"tribunal/judge/judged/internal/store/simstore"
)

// bench is a Tokens under test, with a cheap function in place of Argon2 that counts its calls.
type bench struct {
	*Tokens
	store  *faultyStore
	hashes atomic.Int32
}

// faultyStore is a LogStore whose next calls can fail.
type faultyStore struct {
	*LogStore
	get, put, list, delete []error // of the next calls; nil lets a call through
}

func next(faults *[]error) error {
	if len(*faults) == 0 {
		return nil
	}
	err := (*faults)[0]
	*faults = (*faults)[1:]
	return err
}

func (s *faultyStore) Get(ctx context.Context, id string) (Entry, error) {
	if err := next(&s.get); err != nil {
		return Entry{}, err
	}
	return s.LogStore.Get(ctx, id)
}

func (s *faultyStore) Put(ctx context.Context, e Entry) (uint64, error) {
	if err := next(&s.put); err != nil {
		return 0, err
	}
	return s.LogStore.Put(ctx, e)
}

func (s *faultyStore) List(ctx context.Context) ([]Entry, error) {
	if err := next(&s.list); err != nil {
		return nil, err
	}
	return s.LogStore.List(ctx)
}

func (s *faultyStore) Delete(ctx context.Context, id string) error {
	if err := next(&s.delete); err != nil {
		return err
	}
	return s.LogStore.Delete(ctx, id)
}

// memory returns a store with a log in memory.
func memory() *LogStore {
	s, err := NewLogStore(context.Background(), simstore.Blocking(time.Second, time.Second)().Tokens, slog.New(slog.DiscardHandler))
	if err != nil {
		panic(err)
	}
	return s
}

func newBench(o Options) *bench {
	b := &bench{store: &faultyStore{LogStore: memory()}}
	b.Tokens = New(b.store, o)
	b.derive = func(secret, salt []byte, c Cost, size int) []byte {
		b.hashes.Add(1)
		sum := sha256.Sum256(fmt.Append(nil, secret, salt, c))
		return sum[:size]
	}
	return b
}

var grant = Grant{Name: "course", Owner: "anna", Scopes: []Scope{Read, Submit}}

// issue makes a token, which must succeed.
func (b *bench) issue(t *testing.T, g Grant) (token string, e Entry) {
	t.Helper()
	token, e, err := b.Issue(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	b.hashes.Store(0)
	return token, e
}

// change changes the stored entry of a token, as another process would.
func (b *bench) change(t *testing.T, id string, change func(e *Entry)) {
	t.Helper()
	e, err := b.store.LogStore.Get(t.Context(), id)
	if err == nil {
		change(&e)
		_, err = b.store.LogStore.Put(t.Context(), e)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// check verifies a token and checks the error, and how many hashes were computed since the last check.
func (b *bench) check(t *testing.T, why, token string, want error, hashes int32) {
	t.Helper()
	got, err := b.Verify(t.Context(), token)
	if !errors.Is(err, want) {
		t.Errorf("%s: %v, want %v", why, err, want)
	}
	if (got.Token != "") != (want == nil) || want != nil && (got.Owner != "" || got.Scopes != nil) {
		t.Errorf("%s: identity %+v", why, got)
	}
	if n := b.hashes.Swap(0); n != hashes {
		t.Errorf("%s: %d hashes, want %d", why, n, hashes)
	}
}

// forged returns a token with the same id and a wrong secret.
func forged(token string) string {
	id, secret, _ := parse(token)
	secret[0] ^= 1
	return format(id, secret)
}

// mistyped returns a token with another letter in its secret.
func mistyped(token string) string {
	letter := "a"
	if token[20:21] == letter {
		letter = "b"
	}
	return token[:20] + letter + token[21:]
}
