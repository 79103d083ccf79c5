package simstore

import (
	"bytes"
	"context"
	"slices"
	"strings"
)

// signals are the signals as an actor sees them.
type signals struct{ *Actor }

// listener gets the signals of a pattern.
type listener struct {
	actor   *Actor
	pattern string
	each    func(subject string, data []byte)
}

// signal is a message for a listener.
type signal struct {
	to      *listener
	subject string
	data    []byte
}

func (s signals) Send(subject string, data []byte) error {
	data = bytes.Clone(data)
	return s.do(context.Background(), "signals.send", func() error {
		for _, l := range s.world.listeners {
			prefix, all := strings.CutSuffix(l.pattern, ">")
			if subject == l.pattern || all && strings.HasPrefix(subject, prefix) {
				s.world.outbox = append(s.world.outbox, signal{l, subject, data})
			}
		}
		return nil
	})
}

func (s signals) Listen(pattern string, each func(string, []byte)) (stop func(), err error) {
	l := &listener{s.Actor, pattern, each}
	err = s.do(context.Background(), "signals.listen", func() error {
		s.world.listeners = append(s.world.listeners, l)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return func() {
		s.world.mu.Lock()
		defer s.world.mu.Unlock()
		s.world.silence(func(other *listener) bool { return other == l })
	}, nil
}

// silence removes listeners. The caller holds the lock of the world.
func (w *World) silence(these func(*listener) bool) {
	w.listeners = slices.DeleteFunc(w.listeners, these)
}

// passSignals passes on what was sent, to those that still listen.
func (w *World) passSignals() {
	w.mu.Lock()
	sent := w.outbox
	w.outbox = nil
	w.mu.Unlock()
	for _, s := range sent {
		w.mu.Lock()
		listens := slices.Contains(w.listeners, s.to)
		w.mu.Unlock()
		if listens && s.to.actor.fault("signals.hear") == None {
			s.to.each(s.subject, bytes.Clone(s.data))
		}
	}
}
