package access

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"tribunal/judge/judged/internal/store"
	"tribunal/judge/judged/internal/store/simstore"
)

// steps is a log that is followed in steps: each call of Follow takes one, and waits if none is left.
type steps struct {
	store.Log // not called
	last      uint64
	list      []step
	from      []uint64 // of each call of Follow
}

// step is the behaviour of one call of Follow: it passes records on. Then it returns err, or waits for ctx
// if that is nil.
type step struct {
	records []store.Record
	err     error
}

func (s *steps) Last(context.Context) (uint64, error) { return s.last, nil }

func (s *steps) Follow(ctx context.Context, from uint64, each func(store.Record) error) error {
	s.from = append(s.from, from)
	if len(s.list) == 0 {
		<-ctx.Done()
		return ctx.Err()
	}
	next := s.list[0]
	s.list = s.list[1:]
	for _, r := range next.records {
		if err := each(r); err != nil {
			return err
		}
	}
	if next.err == nil {
		<-ctx.Done()
		return ctx.Err()
	}
	return next.err
}

// recorded returns the record of an entry, which is deleted if hash is empty.
func recorded(t *testing.T, sequence uint64, id, hash string) store.Record {
	t.Helper()
	data, err := json.Marshal(Entry{ID: id, Hash: hash})
	if err != nil {
		t.Fatal(err)
	}
	return store.Record{Sequence: sequence, Subject: id, Data: data}
}

// TestRun checks how a copy follows a log with two records that it knows: from where it follows in each half
// of a second, what it knows then, and whether that ends it.
func TestRun(t *testing.T) {
	t.Parallel()
	away := errors.New("the store is away")
	known := []store.Record{recorded(t, 1, "a", "x"), recorded(t, 2, "b", "x")}
	for _, tt := range []struct {
		why   string
		later []step
		from  []uint64
		ids   string
		err   string // "" while it runs
	}{
		{"nothing happens", nil, []uint64{2}, "a b", ""},
		{"another process deletes an entry and adds one", []step{{records: []store.Record{recorded(t, 3, "a", ""), recorded(t, 4, "c", "x")}}}, []uint64{2}, "b c", ""},
		{"the store is away later, and goes on there", []step{{records: []store.Record{recorded(t, 3, "a", ""), recorded(t, 4, "c", "x")}, err: away}}, []uint64{2, 4}, "b c", ""},
		{"the store is away, and is not asked all the time", []step{{err: away}, {err: away}, {err: away}, {err: away}, {err: away}}, []uint64{2, 2}, "a b", ""},
		{"it was away, and what came meanwhile is read", []step{{err: away}, {records: []store.Record{recorded(t, 3, "a", "")}}}, []uint64{2, 2}, "b", ""},
		{"a record of unknown origin", []step{{records: []store.Record{{Sequence: 3, Subject: "a", Data: []byte("x")}}}}, []uint64{2}, "a b", "following the tokens: record 3 is not an entry: "},
	} {
		synctest.Test(t, func(t *testing.T) {
			log := &steps{last: 2, list: append([]step{{records: known}}, tt.later...)}
			s, err := NewLogStore(t.Context(), log, slog.New(slog.DiscardHandler))
			if err != nil {
				t.Fatalf("%s: %v", tt.why, err)
			}
			log.from = nil
			ctx, stop := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			go func() { ended <- s.Run(ctx) }()
			time.Sleep(2*pause - 1)
			synctest.Wait()
			if diff := cmp.Diff(tt.from, log.from); diff != "" {
				t.Errorf("%s: followed from, -want +got\n%s", tt.why, diff)
			}
			var ids []string
			for _, id := range []string{"a", "b", "c"} {
				if _, err := s.Get(ctx, id); err == nil {
					ids = append(ids, id)
				}
			}
			if got := strings.Join(ids, " "); got != tt.ids {
				t.Errorf("%s: knows %s, want %s", tt.why, got, tt.ids)
			}
			if over := len(ended) > 0; over != (tt.err != "") {
				t.Errorf("%s: ended: %v", tt.why, over)
			}
			stop()
			if err := <-ended; tt.err == "" && err != nil || tt.err != "" && (err == nil || !strings.HasPrefix(err.Error(), tt.err)) {
				t.Errorf("%s: %v, want %q", tt.why, err, tt.err)
			}
		})
	}
}

// TestCatchUp checks what a copy needs to begin.
func TestCatchUp(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why  string
		last uint64
		list []step
		err  string
	}{
		{"an empty log is not followed", 0, nil, ""},
		{"all records have come", 2, []step{{records: []store.Record{recorded(t, 1, "a", "x"), recorded(t, 2, "b", "x")}}}, ""},
		{"further ones came meanwhile", 1, []step{{records: []store.Record{recorded(t, 2, "a", "x")}}}, ""},
		{"the store was away", 2, []step{{records: []store.Record{recorded(t, 1, "a", "x")}, err: errors.New("away")}, {records: []store.Record{recorded(t, 2, "b", "x")}}}, ""},
		{"not an entry", 1, []step{{records: []store.Record{{Sequence: 1, Subject: "a", Data: []byte("x")}}}}, "reading the tokens: record 1 is not an entry: "},
	} {
		synctest.Test(t, func(t *testing.T) {
			log := &steps{last: tt.last, list: tt.list}
			_, err := NewLogStore(t.Context(), log, slog.New(slog.DiscardHandler))
			if tt.err == "" && err != nil || tt.err != "" && (err == nil || !strings.HasPrefix(err.Error(), tt.err)) {
				t.Errorf("%s: %v, want %q", tt.why, err, tt.err)
			}
			if len(log.list) > 0 {
				t.Errorf("%s: %d steps were not taken", tt.why, len(log.list))
			}
		})
	}
}

// unsure is a log of which every first answer to a change is lost.
type unsure struct {
	store.Log
	lost map[string]bool
}

func (u *unsure) Append(ctx context.Context, subject string, after uint64, data []byte) (uint64, error) {
	n, err := u.Log.Append(ctx, subject, after, data)
	if key := subject + string(data); err == nil && !u.lost[key] {
		u.lost[key] = true
		return 0, errors.New("the answer was lost")
	}
	return n, err
}

// TestUnknownOutcome changes entries while the answers of the store are lost: each change is made once, and none is
// taken for that of another process.
func TestUnknownOutcome(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		records := simstore.Blocking(time.Second, time.Second)().Tokens
		ctx := t.Context()
		entries, err := NewLogStore(ctx, &unsure{records, map[string]bool{}}, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		tokens := New(entries, Options{Cost: Cost{MemoryKiB: 8, Passes: 1, Threads: 1}})
		invitation, err := tokens.OpenPass(ctx, Pass{Kind: Invitation, Login: "ann", Expires: time.Now().Add(time.Hour)})
		if err == nil {
			err = tokens.Join(ctx, invitation, "first password")
		}
		if err == nil {
			err = tokens.SignIn(ctx, "ann", "first password")
		}
		if err == nil {
			err = tokens.SetPassword(ctx, "ann", "second password")
		}
		if err == nil {
			err = tokens.SignIn(ctx, "ann", "second password")
		}
		if err == nil {
			err = tokens.EraseAccount(ctx, "ann")
		}
		if err != nil {
			t.Fatal(err)
		}
		if n, err := records.Last(ctx); n != 6 || err != nil { // made, used, first, deleted, second, deleted
			t.Errorf("%d changes, %v", n, err)
		}
		e := Entry{ID: "x", Grant: Grant{Name: "n", Owner: "o"}, Hash: "h"}
		if _, err := entries.Put(ctx, e); err != nil {
			t.Fatal(err)
		}
		if _, err := entries.Put(ctx, e); !errors.Is(err, ErrConflict) {
			t.Errorf("the same entry again: %v", err)
		}
	})
}
