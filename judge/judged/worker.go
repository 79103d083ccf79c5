package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"tribunal/judge/internal/config"
	"tribunal/judge/internal/engine"
	"tribunal/judge/internal/tty"
	"tribunal/judge/judged/internal/broker"
	"tribunal/judge/judged/internal/perform"
	"tribunal/judge/judged/internal/service"
	"tribunal/judge/judged/internal/store"
	"tribunal/judge/judged/internal/trace"
	"tribunal/judge/judged/internal/worker"
)

type workerOptions struct {
	root     string
	slots    int
	name     string
	drain    time.Duration
	noDoctor bool
	trace    *trace.Tracer
}

func (w *workerOptions) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&w.root, "root", "", "`folder` of the repository, whose runner.yaml configures the sandbox")
	f.IntVar(&w.slots, "slots", 0, "`number` of programs that run at a time (default: set by runner.yaml)")
	f.StringVar(&w.name, "name", "", "`name` of the worker, unique in the service (default: made from that of the host)")
	f.DurationVar(&w.drain, "drain", time.Minute, "`time` for what is being judged when it is told to end; what is left is handed to other workers")
	f.BoolVar(&w.noDoctor, "no-doctor", false, "take tasks without attacking the own jail first")
}

func (w *workerOptions) check() error {
	if w.slots < 0 || w.slots > service.MaxSlots {
		return usage(fmt.Errorf("--slots %d: want a number from 1 to %d", w.slots, service.MaxSlots))
	}
	if w.drain < 0 {
		return usage(fmt.Errorf("--drain %v: want a time, or 0 to hand everything back at once", w.drain))
	}
	if w.name != "" && !word().MatchString(w.name) {
		return usage(fmt.Errorf("--name %q: want up to 100 letters, digits, - and _", w.name))
	}
	return nil
}

func workerCommand(o *options) *cobra.Command {
	var w workerOptions
	var c connection
	var t traceOptions
	cmd := &cobra.Command{
		Use:   "worker --nats URL",
		Short: "Judge for a service that runs elsewhere",
		Long: `Judge for a service whose NATS server or cluster is at --nats. Workers can be started and
stopped at any time. A worker that is told to end hands back what it cannot finish; what
a worker was judging when it died is judged by another one.`,
		Example: "  judged worker --nats nats://worker:TOKEN@10.0.0.1:4222\n  judged worker --nats tls://a:4222,tls://b:4222 --creds worker.creds --slots 8",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if c.urls == "" {
				return usage(errors.New("--nats is missing: it says where the service is (hint: judged worker --nats nats://worker:TOKEN@HOST:4222)"))
			}
			if err := errors.Join(w.check(), c.check()); err != nil {
				return err
			}
			log, err := o.logger()
			if err != nil {
				return err
			}
			tracer, end, err := t.open(cmd.Context(), log)
			if err != nil {
				return err
			}
			defer end()
			w.trace = tracer
			nc, err := c.dial(broker.Worker, log)
			if err != nil {
				return err
			}
			defer nc.Close()
			st, err := patiently(cmd.Context(), log, func() (*store.Store, error) { return broker.Join(cmd.Context(), nc, c.prefix) })
			if err != nil {
				return ended(cmd.Context(), err)
			}
			return w.run(cmd.Context(), st, log)
		},
	}
	w.flags(cmd)
	c.flags(cmd)
	t.flags(cmd)
	return cmd
}

// run performs tasks of a store until ctx ends, and then finishes or hands back those that it has begun.
func (w *workerOptions) run(ctx context.Context, st *store.Store, log *slog.Logger) (err error) {
	c, err := config.Load(w.root)
	if err != nil {
		return err
	}
	eng, err := engine.New(w.root, c, engine.Hooks{
		Note:     func(format tty.Format, args ...any) { log.Info(tty.Sprintf(format, args...).String()) },
		Announce: func(what string) func() { log.Debug(what); return func() {} },
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, eng.Close()) }()
	if err := eng.Start(w.slots); err != nil {
		return err
	}
	name := w.name
	if name == "" {
		name = worker.Name(strconv.Itoa(os.Getpid()))
	}
	p := perform.New(eng, worker.Patient(st.Blobs, log), name, perform.Health{
		Doctor: !w.noDoctor,
		Reference: func(ctx context.Context, here time.Duration) (time.Duration, error) {
			return reference(ctx, st.Board, here)
		},
	})
	defer func() { err = errors.Join(err, p.Close()) }()
	kill, stop := drained(ctx, w.drain)
	defer stop()
	log.Info("this worker starts", "worker", name, "slots", eng.Pool.Slots())
	return worker.New(st, p, worker.Options{Languages: p.Languages, Log: log, Trace: w.trace}).Run(ctx, kill)
}

// drained returns a context that ends a while after ctx has ended.
func drained(ctx context.Context, after time.Duration) (context.Context, context.CancelFunc) {
	kill, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(after, cancel) })
	return kill, func() { stop(); cancel() }
}

// reference returns what the reference runs take on the first worker of the service.
func reference(ctx context.Context, b store.Board, here time.Duration) (time.Duration, error) {
	mine, err := json.Marshal(here)
	if err != nil {
		return 0, err
	}
	kept, err := b.Keep(ctx, "reference", mine)
	if err != nil {
		return 0, fmt.Errorf("reading what the reference runs take elsewhere: %w", err)
	}
	var first time.Duration
	if err := json.Unmarshal(kept, &first); err != nil || first <= 0 {
		return 0, fmt.Errorf("what the reference runs take elsewhere is unreadable: %q", kept)
	}
	return first, nil
}
