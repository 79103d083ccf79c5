package access

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestVerify checks the answers to all kinds of tokens, and that only those that can be right are
// hashed, and only once.
func TestVerify(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(Options{})
		token, e := b.issue(t, grant)
		b.check(t, "a wrong secret", forged(token), Wrong, 1)
		b.check(t, "it is not remembered, because others could fill the memory", forged(token), Wrong, 1)
		b.check(t, "the right secret", token, nil, 1)
		b.check(t, "it is remembered", token, nil, 0)
		b.check(t, "a wrong secret, when the right one is known", forged(token), Wrong, 0)
		b.check(t, "and the right one is still known", token, nil, 0)
		b.check(t, "mistyped", mistyped(token), Malformed, 0)
		b.check(t, "of another service", "Bearer eyJhbGciOiJIUzI1NiJ9", Malformed, 0)
		b.check(t, "unknown", format("aaaaaaaa", sampleSecret), Unknown, 0)

		got, err := b.Verify(t.Context(), token)
		want := Identity{Token: e.ID, Owner: "anna", Scopes: []Scope{Submit, Read}}
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("identity: %v, -want +got\n%s", err, diff)
		}

		short, _ := b.issue(t, Grant{Name: "short", Owner: "ben", Scopes: []Scope{Admin}, Expires: time.Now().Add(time.Hour)})
		time.Sleep(time.Hour - 1)
		b.check(t, "at its last moment", short, nil, 1)
		time.Sleep(1 * time.Nanosecond)
		b.check(t, "expired, though remembered", short, Expired, 0)
		b.check(t, "the other one never expires", token, nil, 0)
	})
}

// TestChanges checks that what is remembered of a token ends with any change of its entry.
func TestChanges(t *testing.T) {
	t.Parallel()
	b := newBench(Options{})
	token, e := b.issue(t, grant)
	b.check(t, "verified", token, nil, 1)
	b.change(t, e.ID, func(e *Entry) { e.Scopes = []Scope{Read} })
	b.check(t, "scopes taken", token, nil, 1)
	if got, err := b.Verify(t.Context(), token); err != nil || got.May(Submit) || !got.May(Read) {
		t.Errorf("scopes taken: %+v, %v", got, err)
	}
	_, other := b.issue(t, grant)
	hash := ""
	b.change(t, other.ID, func(e *Entry) { hash = e.Hash })
	b.change(t, e.ID, func(e *Entry) { hash, e.Hash = e.Hash, hash })
	b.check(t, "another secret", token, Wrong, 1)
	b.change(t, e.ID, func(e *Entry) { e.Hash = hash })
	b.check(t, "the first one again", token, nil, 1)
	b.change(t, e.ID, func(e *Entry) { e.Revoked = time.Now() })
	b.check(t, "revoked by another process", token, Revoked, 0)
	b.change(t, e.ID, func(e *Entry) { e.Revoked, e.Hash = time.Time{}, "$argon2i$" })
	if _, err := b.Verify(t.Context(), token); err == nil || !strings.Contains(err.Error(), "token "+e.ID+": the stored hash is damaged") {
		t.Errorf("damaged: %v", err)
	} else if _, refusal := errors.AsType[Refusal](err); refusal {
		t.Errorf("damaged: %v blames the client", err)
	}
}

// TestRevoke checks that a revoked token is refused at once, and which errors Revoke has.
func TestRevoke(t *testing.T) {
	t.Parallel()
	b := newBench(Options{})
	down := errors.New("store is down")
	for _, tt := range []struct {
		why      string
		get, put []error
		want     error
		then     error // what Verify returns
	}{
		{"revoked", nil, nil, nil, Revoked},
		{"changed meanwhile", nil, []error{ErrConflict}, nil, Revoked},
		{"changed again and again", nil, []error{ErrConflict, ErrConflict, ErrConflict}, ErrConflict, nil},
		{"no entry", []error{ErrNotFound}, nil, ErrNotFound, nil},
		{"cannot be read", []error{down}, nil, down, nil},
		{"cannot be stored", nil, []error{down}, down, nil},
	} {
		token, e := b.issue(t, grant)
		b.check(t, tt.why, token, nil, 1)
		b.store.get, b.store.put = tt.get, tt.put
		err := b.Revoke(t.Context(), e.ID)
		if !errors.Is(err, tt.want) || err != nil && !strings.HasPrefix(err.Error(), "token "+e.ID+": ") {
			t.Errorf("%s: %v, want %v", tt.why, err, tt.want)
		}
		b.check(t, tt.why, token, tt.then, 0)
		if tt.then == nil {
			continue
		}
		first, _ := b.store.Get(t.Context(), e.ID)
		if err := b.Revoke(t.Context(), e.ID); err != nil {
			t.Errorf("%s: revoked again: %v", tt.why, err)
		}
		if again, _ := b.store.Get(t.Context(), e.ID); !again.Revoked.Equal(first.Revoked) || again.Revision != first.Revision {
			t.Errorf("%s: revoking again changed the entry", tt.why)
		}
	}
}

// TestDelete checks that a deleted token is unknown.
func TestDelete(t *testing.T) {
	t.Parallel()
	b := newBench(Options{})
	token, e := b.issue(t, grant)
	b.check(t, "verified", token, nil, 1)
	b.store.delete = []error{context.DeadlineExceeded}
	if err := b.Delete(t.Context(), e.ID); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	b.check(t, "not deleted", token, nil, 0)
	for range 2 {
		if err := b.Delete(t.Context(), e.ID); err != nil {
			t.Error(err)
		}
		b.check(t, "deleted", token, Unknown, 0)
	}
}

// TestStoreFault checks that a fault of the store is not blamed on the token.
func TestStoreFault(t *testing.T) {
	t.Parallel()
	b := newBench(Options{})
	token, _ := b.issue(t, grant)
	down := errors.New("store is down")
	b.store.get = []error{down}
	b.check(t, "at first", token, down, 0)
	b.store.get = []error{nil, down}
	b.check(t, "when the turn for hashing has come", token, down, 0)
	b.store.get = []error{nil, ErrNotFound}
	b.check(t, "deleted before the turn for hashing came", token, Unknown, 0)
	b.check(t, "up again", token, nil, 1)
	b.store.list = []error{down}
	if _, err := b.List(t.Context()); !errors.Is(err, down) {
		t.Errorf("list: %v", err)
	}
}

// TestIssue checks what is stored and returned for a new token.
func TestIssue(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(Options{})
		zone := time.FixedZone("CET", 3600)
		asked := Grant{Name: "Übung 1", Owner: "anna@example.org", Scopes: []Scope{Admin, Read, Read}, Expires: time.Now().Add(time.Minute).In(zone)}
		time.Sleep(time.Second / 2)
		token, e := b.issue(t, asked)
		id, secret, ok := parse(token)
		want := Entry{ID: id, Grant: asked, Created: time.Now().Truncate(time.Second), Revision: 1}
		want.Scopes = []Scope{Read, Admin}
		if diff := cmp.Diff(want, e); diff != "" || !ok {
			t.Errorf("%s: -want +got\n%s", token, diff)
		}
		stored, err := b.store.Get(t.Context(), id)
		want.Hash = stored.Hash
		if diff := cmp.Diff(want, stored); diff != "" || err != nil {
			t.Errorf("stored: %v, -want +got\n%s", err, diff)
		}
		text, err := json.Marshal(stored)
		if err != nil || strings.Contains(string(text), letters.EncodeToString(secret)[:10]) {
			t.Errorf("%s has the secret of %s: %v", text, token, err)
		}
		golden := `{"id":"` + id + `","name":"Übung 1","owner":"anna@example.org","scopes":["read","admin"],"expires":"2000-01-01T00:01:00Z","hash":"` + stored.Hash + `","created":"2000-01-01T00:00:00Z"}`
		if string(text) != golden {
			t.Errorf("got  %s\nwant %s", text, golden)
		}
		if again, _ := b.issue(t, asked); again == token {
			t.Errorf("%s was issued twice", token)
		}
		b.store.put = []error{ErrConflict}
		if token, e, err := b.Issue(t.Context(), asked); !errors.Is(err, ErrConflict) || token != "" || e.ID != "" {
			t.Errorf("the id exists: %q, %+v, %v", token, e, err)
		}
	})
}

// TestGrants checks which grants are refused.
func TestGrants(t *testing.T) {
	t.Parallel()
	const hint = " (hint: the scopes are [submit read problems rejudge admin])"
	for _, tt := range []struct {
		why    string
		change func(g *Grant)
		want   string
	}{
		{"fine", func(*Grant) {}, ""},
		{"no name", func(g *Grant) { g.Name = "" }, `name "" of a token is not 1 to 100 bytes of printable text`},
		{"a name of two lines", func(g *Grant) { g.Name = "a\nb" }, `name "a\nb" of a token is not 1 to 100 bytes of printable text`},
		{"no owner", func(g *Grant) { g.Owner = "" }, `owner "" of a token is not 1 to 100 bytes of printable text`},
		{"the longest owner", func(g *Grant) { g.Owner = strings.Repeat("a", 100) }, ""},
		{"too long an owner", func(g *Grant) { g.Owner = strings.Repeat("a", 1000) }, `owner "` + strings.Repeat("a", 100) + `" of a token is not 1 to 100 bytes of printable text`},
		{"an owner like a course", func(g *Grant) { g.Owner = "/c" }, `owner "/c" of a token begins with a slash (hint: so do courses and their members)`},
		{"not UTF-8", func(g *Grant) { g.Owner = "\xff" }, `owner "\xff" of a token is not 1 to 100 bytes of printable text`},
		{"text that runs backwards", func(g *Grant) { g.Owner = "a\u202eb" }, `owner "a\u202eb" of a token is not 1 to 100 bytes of printable text`},
		{"no scope", func(g *Grant) { g.Scopes = nil }, "no scope" + hint},
		{"an unknown scope", func(g *Grant) { g.Scopes = []Scope{Read, "root"} }, `unknown scope "root"` + hint},
		{"expired", func(g *Grant) { g.Expires = time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC) }, "the token would have expired at 2020-01-02T03:04:05Z"},
	} {
		b, g := newBench(Options{}), grant
		tt.change(&g)
		token, _, err := b.Issue(t.Context(), g)
		if got := fmt.Sprint(err); got != tt.want && (err != nil || tt.want != "") {
			t.Errorf("%s: got %s, want %s", tt.why, got, tt.want)
		}
		if list, _ := b.List(t.Context()); (token != "") != (tt.want == "") || (len(list) == 1) != (tt.want == "") {
			t.Errorf("%s: token %q, entries %v", tt.why, token, list)
		}
	}
}

// TestList checks that the list is in order of age and shows no hash.
func TestList(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(Options{})
		var want []string
		for range 10 {
			_, e := b.issue(t, grant)
			want = append(want, e.ID)
			time.Sleep(time.Second)
		}
		list, err := b.List(t.Context())
		var got []string
		for _, e := range list {
			got = append(got, e.ID)
			if e.Hash != "" {
				t.Errorf("%s shows its hash", e.ID)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%v, -want +got\n%s", err, diff)
		}
	})
}

// TestRemember checks that the number of remembered tokens is bounded, and that forgotten ones can be
// verified again.
func TestRemember(t *testing.T) {
	t.Parallel()
	b := newBench(Options{Remember: 3})
	var tokens []string
	for range 10 {
		token, _ := b.issue(t, grant)
		tokens = append(tokens, token)
	}
	for range 2 {
		for _, token := range tokens {
			if _, err := b.Verify(t.Context(), token); err != nil {
				t.Error(err)
			}
			b.hashes.Store(0)
			b.check(t, "the last one is remembered", token, nil, 0)
			if n := len(b.verified.proofs); n > 3 {
				t.Fatalf("%d tokens are remembered, want at most 3", n)
			}
		}
	}
	for range 20 {
		b.verified = newVerified(2)
		b.check(t, "one", tokens[0], nil, 1)
		b.check(t, "two", tokens[1], nil, 1)
		id, _, _ := parse(tokens[0])
		b.change(t, id, func(e *Entry) { e.Name += "." })
		b.check(t, "one has changed", tokens[0], nil, 1)
		b.check(t, "its new version takes the place of the old one", tokens[1], nil, 0)
	}
}

// TestStrengthen checks that verifying a token makes its hash as strong as new ones are.
func TestStrengthen(t *testing.T) {
	t.Parallel()
	b := newBench(Options{Cost: Cost{MemoryKiB: 64, Passes: 1, Threads: 1}})
	token, e := b.issue(t, grant)
	stored := func() string {
		e, _ := b.store.LogStore.Get(t.Context(), e.ID)
		return e.Hash[:strings.LastIndex(e.Hash, "p=")]
	}
	b.cost = Cost{MemoryKiB: 128, Passes: 3, Threads: 1}
	b.check(t, "a wrong secret", forged(token), Wrong, 1)
	if got := stored(); got != "$argon2id$v=19$m=64,t=1," {
		t.Errorf("a wrong secret changed the hash to %s", got)
	}
	b.store.put = []error{ErrConflict}
	b.check(t, "the new hash cannot be stored", token, nil, 2)
	b.check(t, "the token is remembered all the same", token, nil, 0)
	b.verified = newVerified(1)
	b.check(t, "the new hash is stored", token, nil, 2)
	if got := stored(); got != "$argon2id$v=19$m=128,t=3," {
		t.Errorf("the new hash is %s", got)
	}
	b.check(t, "the new version is remembered", token, nil, 0)
	b.verified = newVerified(1)
	b.check(t, "the hash is strong", token, nil, 1)
	b.verified = newVerified(1)
	b.cost = Cost{MemoryKiB: 64, Passes: 1, Threads: 1}
	b.check(t, "the hash is stronger than new ones, and stays", token, nil, 1)
	b.check(t, "a wrong secret is still wrong", forged(token), Wrong, 0)
}

// TestReal checks a token with the real hash and the usual cost.
func TestReal(t *testing.T) {
	t.Parallel()
	tokens := New(memory(), Options{})
	token, _, err := tokens.Issue(t.Context(), grant)
	if err != nil {
		t.Fatal(err)
	}
	for why, tt := range map[string]struct {
		token string
		want  error
	}{"right": {token, nil}, "wrong": {forged(token), Wrong}} {
		if _, err := tokens.Verify(t.Context(), tt.token); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v", why, err)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("New accepts a cost of no pass")
		}
	}()
	New(memory(), Options{Cost: Cost{MemoryKiB: 64}})
}
