package faults

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"golang.org/x/sync/errgroup"

	"tribunal/judge/internal/limits"
	"tribunal/judge/judged/internal/broker"
	"tribunal/judge/judged/internal/service"
	"tribunal/judge/judged/internal/store"
	"tribunal/judge/judged/internal/web"
)

// Times short enough that a test need not wait long for what has to be noticed. A host that is so busy that a
// worker does not say for this long that it goes on only makes it judge more often, up to the number of attempts.
const (
	ackWait  = 3 * time.Second
	presence = 4 * time.Second
	patience = 4 * time.Second
	tick     = 250 * time.Millisecond
	attempts = 20
)

// reserve is how much of its disk a service leaves free.
const reserve = 4 * limits.MiB

// judged is a service with its HTTP server, assembled as in the command judged serve.
type judged struct {
	Name     string
	NATS     string // URLs; "" if it has a NATS server of its own
	Dir      string // of its own NATS server
	Replicas int
	Contest  *contest // nil: it has no pages
}

func logger() *slog.Logger {
	return slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelInfo}))
}

func (s *judged) run(ctx context.Context) error {
	if s.Contest != nil {
		clock.pace.Store(s.Contest.Pace)
	}
	log, addresses := logger(), make([]string, 1)
	var room func() error
	connect := func() (*nats.Conn, error) { return broker.Dial(s.NATS, "") }
	if s.NATS == "" {
		own, err := broker.Start(broker.Embedded{Dir: s.Dir, Listen: "127.0.0.1:0", Reserve: reserve, Log: log})
		if err != nil {
			return err
		}
		defer own.Shutdown()
		connect, room = func() (*nats.Conn, error) { return own.Connect("") }, own.Room
		addresses = append(addresses, strings.TrimPrefix(own.URL(), "nats://"))
	}
	st, done, err := open(ctx, connect, opening(s.Replicas))
	if err != nil {
		return err
	}
	defer done()
	svc, err := service.New(ctx, st, service.Options{
		Name: s.Name, Attempts: attempts, Patience: patience, Tick: tick, Parts: 10 * time.Millisecond, Room: room, Now: clock.Now, Log: log,
	})
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	o := web.Options{Service: svc, Open: true, Languages: []web.Language{{ID: "script", Extensions: []string{".json"}}}, Log: log, Now: clock.Now}
	running, stop := context.WithCancel(ctx)
	defer stop()
	if s.Contest != nil { // which needs a service that runs
		go func() { _ = svc.Run(running) }()
		if o.Pages, err = s.Contest.hold(ctx, svc, st, log); err != nil {
			return err
		}
	}
	h := web.NewServer(web.New(o))
	addresses[0] = listener.Addr().String()
	ready(addresses...)
	g, ctx := errgroup.WithContext(ctx)
	if s.Contest == nil {
		g.Go(func() error { return svc.Run(ctx) })
	}
	g.Go(func() error {
		if err := h.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			return err
		}
		return nil
	})
	g.Go(func() error {
		<-ctx.Done()
		end, stop := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer stop()
		return h.Shutdown(end)
	})
	return g.Wait()
}

// opener opens a store over a connection.
type opener func(context.Context, *nats.Conn) (*store.Store, error)

// opening opens the store of services, and creates it.
func opening(replicas int) opener {
	return func(ctx context.Context, nc *nats.Conn) (*store.Store, error) {
		return broker.Open(ctx, nc, broker.Options{Replicas: replicas, AckWait: ackWait, Presence: presence})
	}
}

// joining opens the part of a store that a worker needs.
func joining(ctx context.Context, nc *nats.Conn) (*store.Store, error) {
	return broker.Join(ctx, nc, "")
}

// open opens a store, as soon as that can be reached, is there and has leaders.
func open(ctx context.Context, connect func() (*nats.Conn, error), opener opener) (*store.Store, func(), error) {
	for {
		nc, err := connect()
		if err == nil {
			var st *store.Store
			if st, err = opener(ctx, nc); err == nil {
				return st, nc.Close, nil
			}
			nc.Close()
		}
		logger().Warn("the store cannot be opened yet", "error", err)
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		}
	}
}
