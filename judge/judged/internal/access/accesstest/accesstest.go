// Package accesstest is the conformance suite of the stores of tokens.
package accesstest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tribunal/judge/judged/internal/access"
)

// Store checks that a store keeps the promises of access.Store. Each call of open returns an empty one.
func Store(t *testing.T, open func(t *testing.T) access.Store) {
	for name, check := range map[string]func(t *testing.T, b bench){
		"empty": empty, "versions": versions, "deletion": deletion, "list": list, "copies": copies, "race": race,
	} {
		t.Run(name, func(t *testing.T) { check(t, bench{t.Context(), open(t)}) })
	}
}

// bench is a store under test.
type bench struct {
	context.Context
	access.Store
}

// put stores an entry, which must succeed, and returns its new version.
func (b bench) put(t *testing.T, e access.Entry) access.Entry {
	t.Helper()
	revision, err := b.Put(b, e)
	if err != nil || revision <= e.Revision {
		t.Fatalf("put revision %d of %s: revision %d, %v", e.Revision, e.ID, revision, err)
	}
	e.Revision = revision
	return e
}

// conflict checks that an entry cannot be stored.
func (b bench) conflict(t *testing.T, why string, e access.Entry) {
	t.Helper()
	if revision, err := b.Put(b, e); !errors.Is(err, access.ErrConflict) {
		t.Errorf("%s: put revision %d of %s: revision %d, %v, want ErrConflict", why, e.Revision, e.ID, revision, err)
	}
}

// want checks what Get returns.
func (b bench) want(t *testing.T, why string, want access.Entry) {
	t.Helper()
	got, err := b.Get(b, want.ID)
	if err != nil {
		t.Fatalf("%s: get %s: %v", why, want.ID, err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s: -want +got\n%s", why, diff)
	}
}

// missing checks that there is no entry with this id.
func (b bench) missing(t *testing.T, why, id string) {
	t.Helper()
	if e, err := b.Get(b, id); !errors.Is(err, access.ErrNotFound) {
		t.Errorf("%s: get %s: %+v, %v, want ErrNotFound", why, id, e, err)
	}
}

// entry returns an entry that has a value in every field but the revision.
func entry(id string) access.Entry {
	day := time.Date(2026, 2, 28, 23, 59, 59, 0, time.UTC)
	return access.Entry{
		ID:      id,
		Grant:   access.Grant{Name: "course “A&B”", Owner: "anna@example.org", Scopes: []access.Scope{access.Submit, access.Read}, Expires: day.Add(time.Hour)},
		Hash:    "$argon2id$v=19$m=64,t=1,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA",
		Created: day,
		Revoked: day.Add(time.Minute),
	}
}

func empty(t *testing.T, b bench) {
	b.missing(t, "an empty store", "aaaaaaaa")
	if list, err := b.List(b); len(list) > 0 || err != nil {
		t.Errorf("an empty store lists %v, %v", list, err)
	}
	if err := b.Delete(b, "aaaaaaaa"); err != nil {
		t.Errorf("deleting nothing: %v", err)
	}
}

func versions(t *testing.T, b bench) {
	created := entry("aaaaaaaa")
	first := b.put(t, created)
	b.want(t, "all fields are stored", first)
	b.conflict(t, "it exists", created)
	second := first
	second.Revoked, second.Expires = time.Time{}, time.Time{}
	second = b.put(t, second)
	b.want(t, "fields are emptied", second)
	b.conflict(t, "an old version", first)
	second.Revision++
	b.conflict(t, "a future version", second)
	other := entry("bbbbbbbb")
	other.Revision = first.Revision
	b.conflict(t, "the revision of another entry", other)
	b.missing(t, "nothing was stored", other.ID)
}

func deletion(t *testing.T, b bench) {
	kept, old := b.put(t, entry("aaaaaaaa")), b.put(t, entry("bbbbbbbb"))
	if err := b.Delete(b, old.ID); err != nil {
		t.Fatal(err)
	}
	b.missing(t, "deleted", old.ID)
	b.want(t, "another is kept", kept)
	b.conflict(t, "a change must not undo the deletion", old)
	if again := b.put(t, entry(old.ID)); again.Revision <= old.Revision {
		t.Errorf("revision %d came after %d", again.Revision, old.Revision)
	}
}

func list(t *testing.T, b bench) {
	var want []access.Entry
	for i := range 20 {
		want = append(want, b.put(t, entry(fmt.Sprintf("aaaaaa%02d", i))))
	}
	if err := b.Delete(b, want[7].ID); err != nil {
		t.Fatal(err)
	}
	want = slices.Delete(want, 7, 8)
	want[3] = b.put(t, want[3])
	got, err := b.List(b)
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(got, func(x, y access.Entry) int { return strings.Compare(x.ID, y.ID) })
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// copies checks that changing what was passed or returned changes nothing in the store.
func copies(t *testing.T, b bench) {
	e := b.put(t, entry("aaaaaaaa"))
	want := entry("aaaaaaaa")
	want.Revision = e.Revision
	e.Scopes[0] = access.Admin
	b.want(t, "the caller of Put changed its slice", want)
	got, err := b.Get(b, want.ID)
	if err != nil {
		t.Fatal(err)
	}
	got.Scopes[0] = access.Admin
	b.want(t, "the caller of Get changed its slice", want)
	all, err := b.List(b)
	if err != nil {
		t.Fatal(err)
	}
	all[0].Scopes[0] = access.Admin
	b.want(t, "the caller of List changed its slice", want)
}

// race checks that of several changes of the same version one is stored.
func race(t *testing.T, b bench) {
	for _, e := range []access.Entry{entry("aaaaaaaa"), b.put(t, entry("bbbbbbbb"))} {
		var writers sync.WaitGroup
		var stored atomic.Int32
		for i := range 8 {
			writers.Go(func() {
				mine := e
				mine.Name = fmt.Sprint("writer ", i)
				switch _, err := b.Put(b, mine); {
				case err == nil:
					stored.Add(1)
				case !errors.Is(err, access.ErrConflict):
					t.Error(err)
				}
			})
		}
		writers.Wait()
		if n := stored.Load(); n != 1 {
			t.Errorf("%d writers changed revision %d of %s, want 1", n, e.Revision, e.ID)
		}
	}
}
