package broker

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"

	"tribunal/judge/judged/internal/store/storetest"
)

// TestPuller lets a puller ask a consumer that plays a script, and waits for a message three times.
func TestPuller(t *testing.T) {
	t.Parallel()
	server := start(t, Embedded{Dir: t.TempDir()})
	nc := connected(t, server)
	for i, tt := range []struct {
		why    string
		script []string // the answers to each request, separated by blanks: texts, or statuses of the server
		want   string   // the messages, and an error in brackets
	}{
		{"a message for each request", []string{"a", "b", "c"}, "a b c"},
		{"the server is there, and has nothing yet", []string{"!100 !100 a", "!100 b", "c"}, "a b c"},
		{"a request ends without a message", []string{"!408", "a", "!100 !408", "b", "c"}, "a b c"},
		{"the leader goes", []string{"a", "!409"}, "a [waiting for a message: 409 because]"},
		{"a request is lost", []string{"a", ""}, "a [" + errSilent.Error() + "]"},
	} {
		t.Run(tt.why, func(t *testing.T) {
			t.Parallel()
			subject := fmt.Sprint("script.", i)
			asked := 0
			if _, err := nc.Subscribe(subject, func(m *nats.Msg) {
				answers := tt.script[asked]
				asked++
				for _, text := range strings.Fields(answers) {
					answer := &nats.Msg{Subject: m.Reply, Reply: "ack", Data: []byte(text)}
					if status, ok := strings.CutPrefix(text, "!"); ok {
						answer = &nats.Msg{Subject: m.Reply, Header: nats.Header{"Status": {status}, "Description": {"because"}}}
					}
					if err := nc.PublishMsg(answer); err != nil {
						t.Error(err)
					}
				}
			}); err != nil {
				t.Fatal(err)
			}
			inbox, err := nc.SubscribeSync(nc.NewInbox())
			if err != nil {
				t.Fatal(err)
			}
			p := &puller{nc: nc, subject: subject, inbox: inbox}
			defer p.close()
			var got []string
			for range 3 {
				m, err := p.next(t.Context())
				if err != nil {
					got = append(got, "["+err.Error()+"]")
					break
				}
				got = append(got, string(m.Data))
			}
			if text := strings.Join(got, " "); text != tt.want {
				t.Errorf("got %s, want %s", text, tt.want)
			}
		})
	}
}

// TestPullerHandsBack closes a puller whose message is under way.
func TestPullerHandsBack(t *testing.T) {
	t.Parallel()
	server := start(t, Embedded{Dir: t.TempDir()})
	nc := connected(t, server)
	back, err := nc.SubscribeSync("back")
	if err != nil {
		t.Fatal(err)
	}
	inbox, err := nc.SubscribeSync(nc.NewInbox())
	if err != nil {
		t.Fatal(err)
	}
	p := &puller{nc: nc, subject: "nobody", inbox: inbox}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.next(ctx); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	for _, m := range []*nats.Msg{
		{Subject: inbox.Subject, Header: nats.Header{"Status": {statusAlive}}},
		{Subject: inbox.Subject, Reply: "back", Data: []byte("late")},
	} {
		if err := nc.PublishMsg(m); err != nil {
			t.Fatal(err)
		}
	}
	p.close()
	m, err := back.NextMsgWithContext(storetest.Patient(t))
	if err != nil || string(m.Data) != "-NAK" {
		t.Errorf("got %v, %v, want that the message is handed back", m, err)
	}
}

// TestManyReceivers has more receivers wait than a consumer lets by default. Each must get a message.
func TestManyReceivers(t *testing.T) {
	t.Parallel()
	const count = 600
	server := start(t, Embedded{Dir: t.TempDir()})
	s := openStore(t, func() (*nats.Conn, error) { return server.Connect("") }, shortTimes(1))
	q := s.Work.(*queue)
	got := make(chan error, count)
	for range count {
		p, err := q.newPuller()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(p.close)
		if err := p.ask(); err != nil {
			t.Fatal(err)
		}
		go func() {
			m, err := p.next(t.Context())
			for errors.Is(err, errSilent) { // the host is busy
				m, err = p.next(t.Context())
			}
			if err == nil {
				err = m.Ack()
			}
			got <- err
		}()
	}
	for i := range count {
		if err := s.Work.Push(t.Context(), fmt.Sprint("many.", i), nil); err != nil {
			t.Fatal(err)
		}
	}
	for range count {
		if err := <-got; err != nil {
			t.Fatal(err)
		}
	}
}
