package broker

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"tribunal/judge/judged/internal/store"
	"tribunal/judge/judged/internal/store/storetest"
)

// startWithRights starts a server whose users have the rights of their roles, for the streams with each of
// the prefixes.
func startWithRights(t *testing.T, prefixes ...string) *server.Server {
	t.Helper()
	o := &server.Options{Host: "127.0.0.1", Port: -1, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, MaxPayload: maxPayload}
	for _, prefix := range prefixes {
		for _, role := range []Role{Service, Worker} {
			o.Users = append(o.Users, &server.User{Username: prefix + string(role), Password: "secret", Permissions: RightsOf(prefix, role).permissions()})
		}
	}
	s, err := server.NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(startTime) {
		t.Fatal("the server does not start")
	}
	return s
}

// user connects as a user of startWithRights. Requests that the server refuses are faults of the test.
func user(t *testing.T, s *server.Server, prefix string, r Role) *nats.Conn {
	t.Helper()
	nc, err := Dial(s.ClientURL(), "", Inbox(prefix, r), nats.UserInfo(prefix+string(r), "secret"), nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
		if errors.Is(err, nats.ErrPermissionViolation) {
			t.Errorf("%s: %v", r, err)
		}
	}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return nc
}

// TestServiceRights runs the suite with no rights but those of a service.
func TestServiceRights(t *testing.T) {
	t.Parallel()
	names := []string{"a", "b", "c", "d", "e", "f", "g", "h"} // the suite opens fewer stores
	s, next := startWithRights(t, names...), 0
	storetest.Run(t, func(t *testing.T) func() *store.Store {
		o := shortTimes(1)
		o.Prefix = names[next]
		next++
		return func() *store.Store {
			return openStore(t, func() (*nats.Conn, error) { return user(t, s, o.Prefix, Service), nil }, o)
		}
	}, times)
}

// TestWorkerRights does what a worker does, with no rights but those of a worker.
func TestWorkerRights(t *testing.T) {
	t.Parallel()
	const prefix = "t"
	ctx, s := t.Context(), startWithRights(t, prefix)
	nc := user(t, s, prefix, Worker)
	if _, err := Join(ctx, nc, prefix); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a worker joins before there is a service: %v", err)
	}
	service := openStore(t, func() (*nats.Conn, error) { return user(t, s, prefix, Service), nil }, Options{Prefix: prefix})
	worker, err := Join(ctx, nc, prefix)
	if err != nil {
		t.Fatal(err)
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	stopped := make(chan string, 1)
	stop, err := worker.Signals.Listen("stop.>", func(subject string, _ []byte) { stopped <- subject })
	must(err)
	live := make(chan string, 1)
	_, err = service.Signals.Listen("live.>", func(subject string, _ []byte) { live <- subject })
	must(err)
	unit, err := worker.Board.Keep(ctx, "reference", []byte("mine"))
	must(err)
	if again, err := worker.Board.Keep(ctx, "reference", []byte("other")); err != nil || !bytes.Equal(again, unit) {
		t.Errorf("what the first worker kept: %s, %v", again, err)
	}
	must(worker.Board.Post(ctx, "worker.w", []byte("here")))
	must(service.Work.Push(ctx, "s.1.whole.a1", []byte("task")))
	large := noise(1, 600<<10)
	source, err := service.Blobs.Put(ctx, large)
	must(err)
	m, err := worker.Work.Pull(ctx)
	must(err)
	must(m.Working())
	if _, err := worker.Work.Lane(ctx, "cpp"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a lane that no service has made: %v", err)
	}
	cpp, err := service.Work.Lane(ctx, "cpp")
	must(err)
	must(cpp.Push(ctx, "s.2.whole.a1", []byte("task")))
	own, err := worker.Work.Lane(ctx, "cpp")
	must(err)
	other, err := own.Pull(ctx)
	must(err)
	must(other.Ack(ctx))
	must(service.Work.Remove(ctx, "s.3"))
	must(service.Work.Tidy(ctx, []string{"", "cpp"}))
	if data, err := worker.Blobs.Get(ctx, source); err != nil || !bytes.Equal(data, large) {
		t.Errorf("a source: %d bytes, %v", len(data), err)
	}
	must(worker.Signals.Send("live.s", []byte("compiling")))
	if got := <-live; got != "live.s" {
		t.Errorf("got the signal %s", got)
	}
	_, err = worker.Blobs.Put(ctx, noise(2, 600<<10))
	must(err)
	must(worker.Results.Push(ctx, "s.1.whole.a1.w", []byte("answer")))
	must(m.Ack(ctx))
	answer, err := service.Results.Pull(ctx)
	must(err)
	must(answer.Ack(ctx))
	must(service.Signals.Send("stop.s.1", nil))
	if got := <-stopped; got != "stop.s.1" {
		t.Errorf("got the signal %s", got)
	}
	stop()
	must(worker.Board.Withdraw(ctx, "worker.w", ""))
	if list, err := service.Board.List(ctx, "worker"); err != nil || len(list) > 0 {
		t.Errorf("the worker has gone, and listed are %v, %v", list, err)
	}
	must(nc.Flush()) // the server has answered everything
}

// noise returns n bytes that are different for each seed.
func noise(seed, n int) []byte { return bytes.Repeat(fmt.Appendf(nil, "%8d", seed), n/8) }

// TestHostileWorker tries what a worker has no rights to. Each try must be refused by the server, and
// change nothing.
func TestHostileWorker(t *testing.T) {
	t.Parallel()
	const prefix = "t"
	ctx, s := t.Context(), startWithRights(t, prefix)
	serviceConn := user(t, s, prefix, Service)
	service := openStore(t, func() (*nats.Conn, error) { return serviceConn, nil }, Options{Prefix: prefix})
	if _, err := service.Board.Keep(ctx, "proofs", []byte("a secret")); err != nil {
		t.Fatal(err)
	}
	if _, err := service.Log.Append(ctx, "submission.s", 0, []byte("event")); err != nil {
		t.Fatal(err)
	}
	hostile, err := Dial(s.ClientURL(), "", nats.UserInfo(prefix+string(Worker), "secret"), nats.CustomInboxPrefix("t.inbox.worker"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(hostile.Close)
	refused := func(why, kind, subject string) {
		t.Helper()
		if err := hostile.FlushWithContext(storetest.Patient(t)); err != nil { // the refusal comes before the answer to this
			t.Fatal(err)
		}
		if err := hostile.LastError(); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%s to %q", kind, subject)) {
			t.Errorf("%s: want a refused %s of %s, the last error is %v", why, kind, subject, err)
		}
	}
	for _, tt := range []struct{ why, subject string }{
		{"write the ledger", "t.ledger.submission.s"},
		{"make a token", "t.tokens.abc"},
		{"make a task", "t.work.s.1.whole.a1"},
		{"become the leader", "t.board.leader"},
		{"replace the secret", "t.settings.proofs"},
		{"replace the snapshot", "t.named.name.snapshot"},
		{"stop the tasks of others", "t.signal.stop.s"},
		{"read the ledger", "$JS.API.STREAM.MSG.GET.t-ledger"},
		{"read the tokens", "$JS.API.STREAM.MSG.GET.t-tokens"},
		{"read the secret", "$JS.API.DIRECT.GET.t-settings.t.settings.proofs"},
		{"read the secret in another way", "$JS.API.DIRECT.GET.t-settings"},
		{"read the secret as it was done before", "$JS.API.STREAM.MSG.GET.t-settings"},
		{"read the snapshot", "$JS.API.STREAM.MSG.GET.t-named"},
		{"read answers of others", "$JS.API.CONSUMER.MSG.NEXT.t-results.all"},
		{"acknowledge answers of others", "$JS.ACK.t-results.all.1.1.1.1.1"},
		{"follow the ledger", "$JS.API.CONSUMER.CREATE.t-ledger.mine"},
		{"read contents through a consumer of its own", "$JS.API.CONSUMER.CREATE.t-blobs.mine"},
		{"remove tasks", "$JS.API.STREAM.PURGE.t-work"},
		{"remove a task", "$JS.API.STREAM.MSG.DELETE.t-work"},
		{"remove contents", "$JS.API.STREAM.PURGE.t-blobs"},
		{"remove a stream", "$JS.API.STREAM.DELETE.t-ledger"},
		{"change a stream", "$JS.API.STREAM.UPDATE.t-ledger"},
		{"remove a consumer", "$JS.API.CONSUMER.DELETE.t-work.all"},
		{"list everything", "$JS.API.STREAM.NAMES"},
	} {
		if err := hostile.PublishRequest(tt.subject, "t.inbox.worker.reply", []byte("{}")); err != nil {
			t.Fatal(err)
		}
		refused(tt.why, "Permissions Violation for Publish", tt.subject)
	}
	for _, tt := range []struct{ why, subject string }{
		{"read answers to others", "t.inbox.serve.>"},
		{"read answers to those without an inbox of their own", "_INBOX.>"},
		{"read what is written to the ledger", "t.ledger.>"},
		{"read what others answer", "t.results.>"},
		{"read everything", ">"},
	} {
		if _, err := hostile.SubscribeSync(tt.subject); err != nil {
			t.Fatal(err)
		}
		refused(tt.why, "Permissions Violation for Subscription", tt.subject)
	}
	if last, err := service.Log.Last(ctx); err != nil || last != 1 {
		t.Errorf("the ledger has %d records, %v", last, err)
	}
	if secret, err := service.Board.Keep(ctx, "proofs", nil); err != nil || string(secret) != "a secret" {
		t.Errorf("the secret is %q, %v", secret, err)
	}
}

// TestJoinEarly joins a store of which a service has just made a stream, and not its consumer yet. Made by a
// worker, it would have other settings.
func TestJoinEarly(t *testing.T) {
	t.Parallel()
	s := start(t, Embedded{Dir: t.TempDir()})
	nc, err := s.Connect("")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	opened(t, nc, Options{})
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	if err := js.DeleteConsumer(t.Context(), "tribunal-work", everybody); err != nil {
		t.Fatal(err)
	}
	if _, err := Join(t.Context(), nc, ""); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("joined a store without a consumer: %v", err)
	}
	if _, err := js.Consumer(t.Context(), "tribunal-work", everybody); !errors.Is(err, jetstream.ErrConsumerNotFound) {
		t.Errorf("the consumer was made: %v", err)
	}
}

// TestNobodyReplacesContents writes over a piece of a blob, as the rights of a worker allow.
func TestNobodyReplacesContents(t *testing.T) {
	t.Parallel()
	s := start(t, Embedded{Dir: t.TempDir()})
	nc, err := s.Connect("")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	st, err := Open(t.Context(), nc, Options{})
	if err != nil {
		t.Fatal(err)
	}
	data := noise(1, 300<<10)
	ref, err := st.Blobs.Put(t.Context(), data)
	if err != nil {
		t.Fatal(err)
	}
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := js.Publish(t.Context(), "tribunal.blobs.data."+ref.Hash+".1", []byte("another piece")); err == nil {
		t.Error("a piece of a content was replaced")
	}
	if got, err := st.Blobs.Get(t.Context(), ref); err != nil || !bytes.Equal(got, data) {
		t.Errorf("the content: %d bytes, %v", len(got), err)
	}
}

func TestRedacted(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                             "",
		"nats://a:4222":                "nats://a:4222",
		"nats://worker:pass@a:4222":    "nats://a:4222",
		"tls://t0ken@a,nats://b":       "tls://a,nats://b",
		"nats://u:p@ss@a:1,nats://b@c": "nats://a:1,nats://c",
		"a:4222":                       "a:4222",
	} {
		if got := redacted(in); got != want {
			t.Errorf("redacted(%q) = %q, want %q", in, got, want)
		}
	}
}
