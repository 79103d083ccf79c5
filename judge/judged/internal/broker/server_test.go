package broker

import (
	"bytes"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"
)

func TestListen(t *testing.T) {
	t.Parallel()
	s := start(t, Embedded{Dir: t.TempDir(), Listen: "127.0.0.1:0", Token: "secret"})
	if !strings.HasPrefix(s.URL(), "nats://127.0.0.1:") {
		t.Errorf("the server is at %q", s.URL())
	}
	openStore(t, func() (*nats.Conn, error) { return s.Connect("secret") }, Options{})
	nc, err := Dial(s.URL(), "", nats.UserInfo("worker", "secret"), Inbox("", Worker))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	if _, err := Join(t.Context(), nc, ""); err != nil {
		t.Errorf("a worker cannot join: %v", err)
	}
	for why, connect := range map[string]func() (*nats.Conn, error){
		"without the token":          func() (*nats.Conn, error) { return Dial(s.URL(), "") },
		"with another token":         func() (*nats.Conn, error) { return Dial(s.URL(), "", nats.UserInfo("worker", "guess")) },
		"as the service":             func() (*nats.Conn, error) { return Dial(s.URL(), "", nats.UserInfo("serve", "secret")) },
		"with credentials not there": func() (*nats.Conn, error) { return Dial(s.URL(), filepath.Join(t.TempDir(), "none")) },
	} {
		if nc, err := connect(); err == nil {
			nc.Close()
			t.Errorf("connected %s", why)
		}
	}
	if url := start(t, Embedded{Dir: t.TempDir()}).URL(); url != "" {
		t.Errorf("a server that does not listen is at %q", url)
	}
}

// TestRefusedStart checks that a server that cannot start says why, at once.
func TestRefusedStart(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		why  string
		e    Embedded
		want string
	}{
		{"no port", Embedded{Listen: "127.0.0.1"}, `address "127.0.0.1": want host:port (hint: 127.0.0.1:4222)`},
		{"no number", Embedded{Listen: "127.0.0.1:nats"}, `address "127.0.0.1:nats": no such port`},
		{"too large a port", Embedded{Listen: "127.0.0.1:65536"}, `address "127.0.0.1:65536": no such port`},
		{"for everybody", Embedded{Listen: "0.0.0.0:0"}, `address "0.0.0.0:0": needs a token, because it is not a loopback address`},
		{"for everybody, by default", Embedded{Listen: ":0"}, `address ":0": needs a token, because it is not a loopback address`},
		{"a port in use", Embedded{Listen: l.Addr().String()}, "address already in use"},
		{"no folder", Embedded{Dir: file}, "Can't start JetStream"},
	} {
		if tt.e.Dir == "" {
			tt.e.Dir = t.TempDir()
		}
		var log bytes.Buffer
		tt.e.Log = slog.New(slog.NewTextHandler(&log, nil))
		s, err := Start(tt.e)
		if err == nil {
			s.Shutdown()
			t.Errorf("%s: the server started", tt.why)
		} else if !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", tt.why, err, tt.want)
		}
	}
}
