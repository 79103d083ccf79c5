package broker

import (
	"errors"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"tribunal/judge/judged/internal/store"
)

// TestTidy makes a consumer skip a message. A killed server that has forgotten to remove a message knows the
// same of it.
func TestTidy(t *testing.T) {
	t.Parallel()
	ctx, o := t.Context(), shortTimes(1)
	server := start(t, Embedded{Dir: t.TempDir()})
	s := openStore(t, func() (*nats.Conn, error) { return server.Connect("") }, o)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	expect := func(why string, want int) {
		t.Helper()
		if n, err := s.Work.Len(ctx); n != want || err != nil {
			t.Fatalf("%s: %d messages, %v; want %d", why, n, err, want)
		}
	}
	for _, id := range []string{"stranded", "delivered"} {
		must(s.Work.Push(ctx, id, nil))
		_, err := s.Work.Pull(ctx)
		must(err)
	}
	must(s.Work.Tidy(ctx, nil))
	expect("both are delivered", 2)
	js, err := jetstream.New(connected(t, server))
	must(err)
	stream, err := js.Stream(ctx, o.Prefix+"-work")
	must(err)
	_, err = stream.ResetConsumerToSequence(ctx, everybody, 2)
	must(err)
	must(s.Work.Tidy(ctx, nil))
	expect("one is stranded", 1)
	m, err := s.Work.Pull(ctx)
	must(err)
	if m.ID() != "delivered" {
		t.Errorf("got %s", m.ID())
	}
	must(s.Work.Tidy(ctx, nil))
	expect("it is delivered again", 1)
}

// TestQueueWithoutLanes opens a store whose queue of tasks an earlier build has made. What that left in it has no
// lane, and nobody would take it; a service hands it out again.
func TestQueueWithoutLanes(t *testing.T) {
	t.Parallel()
	ctx, o := t.Context(), shortTimes(1)
	server := start(t, Embedded{Dir: t.TempDir()})
	nc := connected(t, server)
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	subjects := o.Prefix + ".work."
	s, err := js.CreateStream(ctx, jetstream.StreamConfig{Name: o.Prefix + "-work", Subjects: []string{subjects + ">"}, Retention: jetstream.WorkQueuePolicy})
	if err == nil {
		_, err = s.CreateConsumer(ctx, jetstream.ConsumerConfig{Durable: everybody, AckPolicy: jetstream.AckExplicitPolicy, AckWait: o.AckWait, MaxDeliver: -1})
	}
	if err == nil {
		_, err = js.Publish(ctx, subjects+"old.1.whole.a1", nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	st := openStore(t, func() (*nats.Conn, error) { return server.Connect("") }, o)
	if n, err := st.Work.Len(ctx); n != 0 || err != nil {
		t.Errorf("%d messages are left, %v", n, err)
	}
	lane, err := st.Work.Lane(ctx, "cpp")
	if err == nil {
		err = errors.Join(lane.Push(ctx, "new.1.whole.a1", nil), st.Work.Push(ctx, "new.2.whole.a1", nil))
	}
	if err != nil {
		t.Fatal(err)
	}
	for id, q := range map[string]store.Queue{"new.1.whole.a1": lane, "new.2.whole.a1": st.Work} {
		if m, err := q.Pull(ctx); err != nil || m.ID() != id {
			t.Errorf("got %v, %v, want %s", m, err, id)
		}
	}
}
