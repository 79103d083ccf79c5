package storetest

import (
	"slices"
	"testing"

	"tribunal/judge/judged/internal/store"
)

// listen returns the subjects of the messages that a pattern gets.
func listen(t *testing.T, s store.Signals, pattern string) (got <-chan string, stop func()) {
	t.Helper()
	c := make(chan string, 100)
	stop, err := s.Listen(pattern, func(subject string, data []byte) {
		if string(data) != "data of "+subject {
			t.Errorf("%s carries %q", subject, data)
		}
		c <- subject
	})
	must(t, err)
	t.Cleanup(stop)
	return c, stop
}

func send(t *testing.T, s store.Signals, subject string) {
	t.Helper()
	must(t, s.Send(subject, []byte("data of "+subject)))
}

// patterns listens with each pattern, on the connection that sends, so that nothing is lost.
func patterns(t *testing.T, p place) {
	sent := []string{"news", "news.a", "news.a.b", "newsletter.a", "other.news.a", "end.of.all"}
	for _, tt := range []struct {
		pattern string
		want    []string
	}{
		{"news", []string{"news"}},
		{"news.a", []string{"news.a"}},
		{"news.>", []string{"news.a", "news.a.b"}},
		{"news.a.>", []string{"news.a.b"}},
		{"none", nil},
	} {
		got, _ := listen(t, p.Signals, tt.pattern)
		end, stop := listen(t, p.Signals, "end.>")
		for _, subject := range sent {
			send(t, p.Signals, subject)
		}
		receive(t, end, "signal")
		stop()
		var heard []string
		for range tt.want {
			heard = append(heard, receive(t, got, "signal"))
		}
		if !slices.Equal(heard, tt.want) || len(got) > 0 {
			t.Errorf("%s: heard %v and %d more, want %v", tt.pattern, heard, len(got), tt.want)
		}
	}
}

// stopListening checks that nothing comes after stop.
func stopListening(t *testing.T, p place) {
	first, stop := listen(t, p.Signals, "stop.a")
	second, _ := listen(t, p.Signals, "stop.>")
	send(t, p.Signals, "stop.a")
	receive(t, first, "signal")
	receive(t, second, "signal")
	stop()
	stop() // has no effect
	send(t, p.Signals, "stop.a")
	send(t, p.Signals, "stop.b")
	for receive(t, second, "signal") != "stop.b" {
	}
	if len(first) > 0 {
		t.Error("heard a signal after the end")
	}
}

// apart sends from one connection to another, again and again, because signals may be lost.
func apart(t *testing.T, p place) {
	got, _ := listen(t, p.connect().Signals, "apart.>")
	until(t, "a signal arrives", func() bool {
		send(t, p.Signals, "apart.x")
		return len(got) > 0
	})
}
