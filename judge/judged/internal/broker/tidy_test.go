package broker

import (
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
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
	must(s.Work.Tidy(ctx))
	expect("both are delivered", 2)
	js, err := jetstream.New(connected(t, server))
	must(err)
	stream, err := js.Stream(ctx, o.Prefix+"-work")
	must(err)
	_, err = stream.ResetConsumerToSequence(ctx, everybody, 2)
	must(err)
	must(s.Work.Tidy(ctx))
	expect("one is stranded", 1)
	m, err := s.Work.Pull(ctx)
	must(err)
	if m.ID() != "delivered" {
		t.Errorf("got %s", m.ID())
	}
	must(s.Work.Tidy(ctx))
	expect("it is delivered again", 1)
}
