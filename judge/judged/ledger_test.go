package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"tribunal/judge/judged/internal/broker"
	"tribunal/judge/judged/internal/broker/brokertest"
)

// TestUnreadableLedger starts the service on ledgers that it must not trust. It says why in one line, and
// changes nothing.
func TestUnreadableLedger(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why    string
		damage func(t *testing.T, js jetstream.JetStream)
		want   string
	}{
		{"a newer build has written into it", func(t *testing.T, js jetstream.JetStream) {
			if _, err := js.Publish(t.Context(), "tribunal.ledger.submission.x", []byte(`{"v":99,"at":"2030-01-01T00:00:00Z"}`)); err != nil {
				t.Fatal(err)
			}
		}, `^judged: record 1 of the ledger \(submission.x\): an event of schema 99, .* \(hint: start a judged of the newer version\)\n$`},
		{"its beginning was purged", func(t *testing.T, js jetstream.JetStream) {
			for range 3 {
				if _, err := js.Publish(t.Context(), "tribunal.ledger.ledger", []byte(`{"v":1,"at":"2030-01-01T00:00:00Z","began":{}}`)); err != nil {
					t.Fatal(err)
				}
			}
			s, err := js.Stream(t.Context(), "tribunal-ledger")
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Purge(t.Context(), jetstream.WithPurgeSequence(2)); err != nil {
				t.Fatal(err)
			}
		}, `^judged: the ledger has lost its beginning: .* \(hint: .* nats stream purge; restore the streams from a backup\)\n$`},
	} {
		t.Run(tt.why, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			visit(t, dir, func(js jetstream.JetStream) { tt.damage(t, js) })
			before := sequences(t, dir)
			var out, errs bytes.Buffer
			code := execute(t.Context(), []string{"serve", "--data", dir, "--no-worker", "--listen", "127.0.0.1:0", "--log", "error"}, &out, &errs)
			if code != exitFailed || !regexp.MustCompile(tt.want).MatchString(errs.String()) || out.Len() > 0 {
				t.Errorf("exit code %d, want %d\n%s%s", code, exitFailed, &out, &errs)
			}
			if after := sequences(t, dir); after != before {
				t.Errorf("it wrote: the sequences add up to %d, and did to %d", after, before)
			}
			if _, err := os.Stat(filepath.Join(dir, adminFile)); err == nil {
				t.Error("it made a token")
			}
		})
	}
}

// visit opens the streams of a data folder.
func visit(t *testing.T, dir string, work func(jetstream.JetStream)) {
	t.Helper()
	server, err := broker.Start(broker.Embedded{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Shutdown()
	nc, err := server.Connect("")
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	brokertest.Open(t, nc, broker.Options{})
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	work(js)
}

// sequences returns the sum of the last sequences of all streams of a data folder.
func sequences(t *testing.T, dir string) (sum uint64) {
	t.Helper()
	visit(t, dir, func(js jetstream.JetStream) {
		for info := range js.ListStreams(t.Context()).Info() {
			sum += info.State.LastSeq
		}
	})
	return sum
}
