package faults

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go/jetstream"

	"tribunal/judge/judged/internal/broker"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/store"
)

// check checks, after everything has healed, that each of n submissions has the verdict of its script,
// once, at each service and in the ledger.
func (w *world) check(ctx context.Context, t *testing.T, n int) {
	t.Helper()
	st, done, err := w.store(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	want := map[string]string{}
	for i := range n {
		s := scriptOf(i)
		want[w.client.ids[s.Key]] = fmt.Sprint(s.Key, " ", s.Verdict)
	}
	if len(want) != n {
		t.Fatalf("%d submissions have %d ids", n, len(want))
	}
	for i, at := range w.client.urls {
		w.awaitVerdicts(ctx, t, at)
		got, err := w.verdicts(ctx, at)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("server%d, which must know -, knows +:\n%s", i, diff)
		}
	}
	w.checkResults(ctx, t, n)
	w.checkLedger(ctx, t, st, want)
	w.repeat(ctx, t, st, n)
	w.checkQueues(ctx, t, st)
}

// awaitVerdicts waits until no submission waits at a service.
func (w *world) awaitVerdicts(ctx context.Context, t *testing.T, at string) {
	t.Helper()
	for key, id := range w.client.ids {
		for {
			var j judging
			if err := w.client.get(ctx, at+"/v1/judgings/"+id+"?wait=10s", &j); err != nil {
				t.Fatalf("%s was acknowledged and is %s: %v", key, id, err)
			}
			if j.Status != string(ledger.Waiting) {
				break
			}
			t.Logf("%s, %s, still waits in attempt %d %s", key, id, j.Attempt, j.Error)
		}
	}
}

// verdicts returns what a service knows of all submissions.
func (w *world) verdicts(ctx context.Context, at string) (map[string]string, error) {
	known, after := map[string]string{}, ""
	for {
		var page struct {
			Judgings []judging
			Next     string
		}
		if err := w.client.get(ctx, at+"/v1/judgings?limit=1000&after="+url.QueryEscape(after), &page); err != nil {
			return nil, err
		}
		for _, j := range page.Judgings {
			if j.Status != string(ledger.Done) || len(j.Judgings) != 1 {
				known[j.ID] = fmt.Sprintf("%s %s, %d judgings", j.Status, j.Error, len(j.Judgings))
			} else {
				known[j.ID] = fmt.Sprint(j.Cause, " ", j.Verdict)
			}
		}
		if after = page.Next; after == "" {
			return known, nil
		}
	}
}

// checkResults checks that each whole result is of the right script.
func (w *world) checkResults(ctx context.Context, t *testing.T, n int) {
	t.Helper()
	for i := range n {
		s, at := scriptOf(i), w.client.urls[i%len(w.client.urls)]
		var r report
		if err := w.client.get(ctx, at+"/v1/judgings/"+w.client.ids[s.Key]+"/result", &r); err != nil {
			t.Fatal(err)
		}
		if r.Key != s.Key || len(r.Padding) != s.Large {
			t.Errorf("the result of %s is of %s, with %d bytes of padding", s.Key, r.Key, len(r.Padding))
		}
	}
}

// checkLedger reads the records of the ledger themselves: each submission was taken once and ended once.
func (w *world) checkLedger(ctx context.Context, t *testing.T, st *store.Store, want map[string]string) {
	t.Helper()
	last := try(ctx, t, st.Log.Last)
	reading, stop := context.WithCancel(ctx)
	defer stop()
	fold, taken, ended := ledger.NewFold(), map[string]int{}, map[string]int{}
	once := map[string]int{}
	for id := range want {
		once[id] = 1
	}
	for reading.Err() == nil {
		err := st.Log.Follow(reading, fold.Sequence, func(r store.Record) error {
			e, err := ledger.Decode(r)
			if err != nil {
				t.Fatal(err)
			}
			if id, ok := ledger.SubmissionOf(r.Subject); ok && e.Submitted != nil {
				taken[id]++
			} else if ok && e.Ended != nil {
				ended[id]++
			}
			if r.Sequence == last {
				stop()
			}
			_, err = fold.Add(r)
			return err
		})
		if reading.Err() == nil {
			t.Logf("reading the ledger: %v", err)
		}
	}
	if ctx.Err() != nil {
		t.Fatal(ctx.Err())
	}
	for _, pair := range []struct {
		what string
		got  map[string]int
	}{{"taken", taken}, {"ended", ended}} {
		if !maps.Equal(pair.got, once) {
			t.Errorf("how often each submission was %s:\n%s", pair.what, cmp.Diff(once, pair.got))
		}
	}
	if fold.Ignored > 0 {
		t.Errorf("%d records do not fit the state that they met", fold.Ignored)
	}
}

// repeat hands in everything again, as a client does that has forgotten everything but its keys. That
// creates nothing.
func (w *world) repeat(ctx context.Context, t *testing.T, st *store.Store, n int) {
	t.Helper()
	before := try(ctx, t, st.Log.Last)
	other := newClient(w.client.urls...)
	if err := other.submit(ctx, n); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(w.client.ids, other.ids); diff != "" {
		t.Errorf("the same keys are other submissions:\n%s", diff)
	}
	if after := try(ctx, t, st.Log.Last); after != before {
		t.Errorf("the ledger has grown from %d to %d", before, after)
	}
}

// try returns what f returns. A store may need a while until it has healed, too.
func try[T any](ctx context.Context, t *testing.T, f func(context.Context) (T, error)) T {
	t.Helper()
	for {
		v, err := f(ctx)
		if err == nil {
			return v
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
			t.Fatal(err)
		}
	}
}

// checkQueues waits until nothing is left to do: tasks whose judgings have ended in another attempt may
// have to be delivered once more.
func (w *world) checkQueues(ctx context.Context, t *testing.T, st *store.Store) {
	t.Helper()
	for _, queue := range []store.Queue{st.Work, st.Results} {
		for {
			n, err := queue.Len(ctx)
			if n == 0 && err == nil {
				break
			}
			select {
			case <-time.After(100 * time.Millisecond):
			case <-ctx.Done():
				t.Fatalf("%d messages are left, %v:\n%s", n, err, w.left(t))
			}
		}
	}
}

// left describes the messages of all queues, and what their consumers know of them.
func (w *world) left(t *testing.T) string {
	t.Helper()
	nc, err := broker.Dial(urlsOf(w.own), "")
	if err != nil {
		return err.Error()
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		return err.Error()
	}
	ctx, stop := context.WithTimeout(context.WithoutCancel(t.Context()), 10*time.Second)
	defer stop()
	var b strings.Builder
	list := js.ListStreams(ctx)
	for info := range list.Info() {
		if info.Config.Retention != jetstream.WorkQueuePolicy || info.State.Msgs == 0 {
			continue
		}
		s, err := js.Stream(ctx, info.Config.Name)
		if err != nil {
			return err.Error()
		}
		if info, err = s.Info(ctx, jetstream.WithSubjectFilter(">")); err != nil {
			return err.Error()
		}
		fmt.Fprintf(&b, "%s: %d to %d: %v\n", info.Config.Name, info.State.FirstSeq, info.State.LastSeq, info.State.Subjects)
		for c := range s.ListConsumers(ctx).Info() {
			fmt.Fprintf(&b, "  %s: delivered %d, floor %d, %d unacknowledged, %d delivered again, %d pending, %d requests\n",
				c.Name, c.Delivered.Stream, c.AckFloor.Stream, c.NumAckPending, c.NumRedelivered, c.NumPending, c.NumWaiting)
		}
	}
	return b.String()
}
