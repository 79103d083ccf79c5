package service_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go/jetstream"

	"tribunal/judge/judged/internal/broker"
	"tribunal/judge/judged/internal/broker/brokertest"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
	"tribunal/judge/judged/internal/store"
)

// site is a store whose streams a test can damage.
type site struct {
	*store.Store
	js jetstream.JetStream
}

func openSite(t *testing.T) *site {
	t.Helper()
	nc := brokertest.Connect(t)
	st := brokertest.Open(t, nc, broker.Options{})
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	return &site{st, js}
}

func (s *site) ledger(t *testing.T) jetstream.Stream {
	t.Helper()
	stream, err := s.js.Stream(t.Context(), "tribunal-ledger")
	if err != nil {
		t.Fatal(err)
	}
	return stream
}

// sequences returns the last sequence of every stream.
func (s *site) sequences(t *testing.T) map[string]uint64 {
	t.Helper()
	last := map[string]uint64{}
	streams := s.js.ListStreams(t.Context())
	for info := range streams.Info() {
		last[info.Config.Name] = info.State.LastSeq
	}
	if err := streams.Err(); err != nil {
		t.Fatal(err)
	}
	return last
}

// fill lets a service without workers take submissions, and returns their ids.
func fill(t *testing.T, s *service.Service, n int) (ids []string) {
	t.Helper()
	v := upload(t, s)
	for i := range n {
		r := request(i, fmt.Sprint("source ", i))
		r.Version = v.ID
		ids = append(ids, submit(t, s, r))
	}
	if err := s.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	return ids
}

// TestDamagedLedger starts services on ledgers that something else has changed. One that cannot be trusted
// is refused, and nothing is written.
func TestDamagedLedger(t *testing.T) {
	t.Parallel()
	cut := service.ErrCutShort.Error()
	purge := func(t *testing.T, s *site, o ...jetstream.StreamPurgeOpt) {
		t.Helper()
		if err := s.ledger(t).Purge(t.Context(), o...); err != nil {
			t.Fatal(err)
		}
	}
	write := func(t *testing.T, s *site, subject, data string) {
		t.Helper()
		if _, err := s.js.Publish(t.Context(), "tribunal.ledger."+subject, []byte(data)); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		why      string
		snapshot bool // the service stored one when it ended
		erase    bool // the first submission
		damage   func(t *testing.T, s *site, last uint64)
		want     string // in the error; "" for none
	}{
		{"it is as it was", false, false, func(*testing.T, *site, uint64) {}, ""},
		{"its first submission was erased", false, true, func(*testing.T, *site, uint64) {}, ""},
		{"its beginning was purged", false, false, func(t *testing.T, s *site, _ uint64) { purge(t, s, jetstream.WithPurgeSequence(4)) }, cut},
		{"all but its end was purged", false, false, func(t *testing.T, s *site, _ uint64) { purge(t, s, jetstream.WithPurgeKeep(1)) }, cut},
		{"all of it was purged", false, false, func(t *testing.T, s *site, _ uint64) { purge(t, s) }, cut},
		{"all of it was purged, and there is a snapshot", true, false, func(t *testing.T, s *site, _ uint64) { purge(t, s) }, cut},
		{"its end was removed", true, false, func(t *testing.T, s *site, last uint64) {
			if err := s.ledger(t).DeleteMsg(t.Context(), last); err != nil {
				t.Fatal(err)
			}
		}, cut},
		{"its beginning was purged, and a snapshot knows it", true, false, func(t *testing.T, s *site, _ uint64) { purge(t, s, jetstream.WithPurgeSequence(4)) }, ""},
		{"it was purged up to behind the snapshot", true, false, func(t *testing.T, s *site, _ uint64) {
			write(t, s, "ledger", `{"v":1,"at":"2030-01-01T00:00:00Z","began":{}}`)
			write(t, s, "ledger", `{"v":1,"at":"2030-01-01T00:00:00Z","began":{}}`)
			purge(t, s, jetstream.WithPurgeKeep(1))
		}, cut},
		{"a newer build has written into it", true, false, func(t *testing.T, s *site, _ uint64) {
			write(t, s, "submission.x", `{"v":3,"at":"2030-01-01T00:00:00Z","began":{}}`)
		}, "record 6 of the ledger (submission.x): an event of schema 3, and this build reads up to 2 (hint: start a judged of the newer version)"},
		{"something else has written into it", false, false, func(t *testing.T, s *site, _ uint64) { write(t, s, "submission.x", "hello") }, "record 6 of the ledger (submission.x): not an event"},
		{"an event of this schema has more than this build knows", false, false, func(t *testing.T, s *site, _ uint64) {
			write(t, s, "submission.x", `{"v":1,"at":"2030-01-01T00:00:00Z","began":{},"more":1}`)
		}, `record 6 of the ledger (submission.x): not an event: json: unknown field "more"`},
	} {
		t.Run(tt.why, func(t *testing.T) {
			t.Parallel()
			s := openSite(t)
			want := s.serve(t, tt.erase)
			if !tt.snapshot {
				named, err := s.js.Stream(t.Context(), "tribunal-named")
				if err != nil {
					t.Fatal(err)
				}
				if err := named.Purge(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			tt.damage(t, s, s.sequences(t)["tribunal-ledger"])
			before := s.sequences(t)
			again, err := service.New(t.Context(), s.Store, service.Options{})
			if tt.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want, states(again)); diff != "" {
					t.Errorf("- before, + after:\n%s", diff)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %s", err, tt.want)
			}
			if diff := cmp.Diff(before, s.sequences(t)); diff != "" {
				t.Errorf("it wrote: - before, + after:\n%s", diff)
			}
		})
	}
}

// serve lets a service take submissions, and end, which stores a snapshot. It returns what they are then.
func (s *site) serve(t *testing.T, erase bool) map[string]ledger.Submission {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	svc, err := service.New(ctx, s.Store, service.Options{})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- svc.Run(ctx) }()
	ids := fill(t, svc, 3)
	if erase {
		if err := svc.Erase(ctx, ids[0], "admin"); err != nil {
			t.Fatal(err)
		}
	}
	for !svc.Stats().Leader { // which stores the snapshot
		runtime.Gosched()
	}
	stop()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	return states(svc)
}

func states(s *service.Service) map[string]ledger.Submission {
	all := map[string]ledger.Submission{}
	for _, sub := range s.List(func(*ledger.Submission) bool { return true }, "", 1<<30) {
		all[sub.ID] = sub
	}
	return all
}

// TestForeignSnapshot gives a ledger the snapshot of another one that is not longer, as after the restoration
// of an older ledger that has then gone on.
func TestForeignSnapshot(t *testing.T) {
	t.Parallel()
	one, other := openSite(t), openSite(t)
	ids := fill(t, start(t, one.Store, service.Options{}), 5)
	svc := start(t, other.Store, service.Options{})
	r := request(9, "foreign")
	r.Version = upload(t, svc).ID
	foreign := submit(t, svc, r)
	if err := errors.Join(svc.CatchUp(t.Context()), svc.Snapshot(t.Context())); err != nil {
		t.Fatal(err)
	}
	data, err := other.Blobs.GetNamed(t.Context(), "snapshot")
	if err != nil {
		t.Fatal(err)
	}
	if err := one.Blobs.PutNamed(t.Context(), "snapshot", data); err != nil {
		t.Fatal(err)
	}
	again, err := service.New(t.Context(), one.Store, service.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		if _, err := again.Get(id); err != nil {
			t.Error(err)
		}
	}
	if _, err := again.Get(foreign); !errors.Is(err, service.ErrUnknown) {
		t.Errorf("a submission of the other ledger: %v", err)
	}
}

// TestLostSubmission removes what was handed in from the ledger. A judging of it is held, unless nothing is
// left to which that could be added, and others are judged.
func TestLostSubmission(t *testing.T) {
	t.Parallel()
	s := openSite(t)
	svc := start(t, s.Store, service.Options{})
	ids := fill(t, svc, 3)
	if _, err := svc.Rejudge(t.Context(), ids[1:2], upload(t, svc).ID, "jury"); err != nil {
		t.Fatal(err)
	}
	for _, id := range ids[:2] {
		sub, err := svc.Get(id)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.ledger(t).DeleteMsg(t.Context(), sub.First); err != nil {
			t.Fatal(err)
		}
	}
	work(t, s.Store, &actor{name: "w", slots: 1})
	if j := await(t, svc, ids[2], ended).Counts(); j.Status != ledger.Done {
		t.Errorf("the other: %+v", j)
	}
	if j := await(t, svc, ids[1], ended).Counts(); j.Status != ledger.Held || !strings.Contains(j.Error, "what was handed in is gone") {
		t.Errorf("the lost one: %+v", j)
	}
}
