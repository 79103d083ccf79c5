package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"tribunal/judge/internal/config"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/system"
	"tribunal/judge/judged/internal/access"
	"tribunal/judge/judged/internal/service"
)

type serveOptions struct {
	*options
	place    place
	worker   workerOptions
	http     httpOptions
	trace    traceOptions
	noWorker bool
	queue    int
	quota    int
	owned    int
	check    time.Duration
	keep     time.Duration
}

func serveCommand(o *options) *cobra.Command {
	s := &serveOptions{options: o}
	cmd := &cobra.Command{
		Use:   "serve --data DIR",
		Short: "Take submissions over HTTP, and judge them",
		Long: `Take submissions over HTTP and judge them. Everything is in this one process: the HTTP
server, a NATS server with JetStream that keeps its files in the data folder, and a
worker with as many slots as runner.yaml says. The problems of the repository at --root
are published.

With --nats an external NATS server or cluster is used instead, and any number of
processes may serve it. With --nats-listen other machines can work for this one.`,
		Example: "  judged serve --data /var/lib/judged\n  judged serve --data data --root contest --nats-listen 10.0.0.1:4222\n  judged serve --nats tls://a:4222,tls://b:4222 --creds serve.creds --replicas 3 --no-worker",
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return ended(cmd.Context(), s.run(cmd.Context())) },
	}
	f := cmd.Flags()
	f.BoolVar(&s.noWorker, "no-worker", false, "judge nothing here, but leave that to workers elsewhere")
	f.IntVar(&s.queue, "queue", 100_000, "`number` of judgings that may wait; further ones are refused with 429")
	f.IntVar(&s.quota, "quota", 0, "`number` of judgings of one submitter that may wait (default: as many as --owner-quota)")
	f.IntVar(&s.owned, "owner-quota", 0, "`number` of judgings of one owner of tokens, of all its submitters, that may wait (default: nine tenths of --queue)")
	f.DurationVar(&s.check, "check-time", 30*time.Minute, "`time` that the check of an uploaded package may take; one that takes longer is refused")
	f.DurationVar(&s.keep, "keep", 0, "`time` after which a submission is erased with all that became of it, such as 2160h (default: never)")
	s.http.flags(cmd)
	s.worker.flags(cmd)
	s.trace.flags(cmd)
	s.place.flags(cmd)
	s.place.streams.flags(cmd)
	f.StringVar(&s.place.listen, "nats-listen", "", "`address` at which workers on other machines reach the NATS server (default: they cannot)")
	f.BoolVar(&s.place.sync, "sync", false, "write each record to the disk before it is acknowledged, so that not even a power cut loses one")
	return cmd
}

// leastKeep is the shortest time that submissions can be kept: the service looks for old ones once an hour.
const leastKeep = time.Hour

func (s *serveOptions) run(ctx context.Context) (err error) {
	if err := errors.Join(s.http.check(), s.worker.check(), s.place.check(), s.place.streams.check()); err != nil {
		return err
	}
	if s.queue < 1 {
		return usage(fmt.Errorf("--queue %d: want a number from 1", s.queue))
	}
	if s.quota < 0 {
		return usage(fmt.Errorf("--quota %d: want a number from 1, or 0 for as many as --queue", s.quota))
	}
	if s.owned < 0 {
		return usage(fmt.Errorf("--owner-quota %d: want a number from 1, or 0 for nine tenths of --queue", s.owned))
	}
	if s.keep != 0 && s.keep < leastKeep {
		return usage(fmt.Errorf("--keep %v: want at least %v, or 0 for ever", s.keep, leastKeep))
	}
	if s.check <= 0 {
		return usage(fmt.Errorf("--check-time %v: want a time above 0", s.check))
	}
	if s.place.urls == "" && s.place.streams.replicas > 1 {
		return usage(fmt.Errorf("--replicas %d: the server in this process is only one (hint: --nats names a cluster)", s.place.streams.replicas))
	}
	s.http.queue = s.queue
	if s.http.callbacks, err = s.http.outside.callbacks(); err != nil {
		return err
	}
	log, err := s.logger()
	if err != nil {
		return err
	}
	c, err := config.Load(s.worker.root)
	if err != nil {
		return err
	}
	ids, err := s.problems()
	if err != nil {
		return err
	}
	tracer, end, err := s.trace.open(ctx, log)
	if err != nil {
		return err
	}
	defer end()
	s.worker.trace = tracer
	listener, err := s.http.bind()
	if err != nil {
		return err
	}
	defer listener.Close()
	st, shutdown, err := s.place.open(ctx, log)
	if err != nil {
		return err
	}
	defer shutdown()
	if dir := s.place.data; dir != "" {
		s.http.free = func() (limits.Bytes, error) {
			n, err := system.Free(dir)
			return limits.Bytes(n), err
		}
	}
	svc, err := service.New(ctx, st, service.Options{
		Name: s.name(), Queue: s.queue, Quota: s.quota, OwnerQuota: s.owned, Check: s.check, Room: s.place.room, Keep: s.keep, LanguagesOf: languagesOf(c), Log: log, Trace: tracer,
	})
	if err != nil {
		return err
	}
	entries, err := access.NewLogStore(ctx, st.Tokens, log)
	if err != nil {
		return err
	}
	tokens := access.New(entries, access.Options{})
	if err := administer(ctx, tokens, s.place.data, log); err != nil {
		return err
	}
	parts := []func(context.Context) error{
		func(ctx context.Context) error { return s.http.run(ctx, listener, svc, tokens, c, log) },
		entries.Run,
		func(ctx context.Context) error { return sweep(ctx, tokens, log) },
		func(ctx context.Context) error { boundMemory(ctx); return nil },
		func(ctx context.Context) error {
			if len(ids) == 0 && len(svc.Problems()) == 0 {
				log.Info("there are no problems yet (hint: --root publishes those of a repository, and POST /v1/problems takes packages)")
			}
			publish(ctx, ids, func(ctx context.Context, id string) error { return s.upload(ctx, svc, id, log) }, log)
			return nil
		},
	}
	if !s.noWorker {
		parts = append(parts, func(ctx context.Context) error { return s.worker.run(ctx, st, log) })
	}
	return all(ctx, svc, parts, log)
}

// problems lists the problems of the repository, none if there is no repository.
func (s *serveOptions) problems() ([]string, error) {
	if s.worker.root == "" {
		return nil, nil
	}
	return repo.List(s.worker.root)
}

// name returns the name of the service, "" for any. The only service of a data folder always has the same name, so
// that after a crash it need not wait until the lease of its predecessor has expired.
func (s *serveOptions) name() string {
	if s.place.urls == "" {
		return "judged"
	}
	return ""
}

// all runs the service and its parts until ctx ends. The service ends last, because it takes the answers of the
// worker. The error may be that of ctx.
func all(ctx context.Context, svc *service.Service, parts []func(context.Context) error, log *slog.Logger) error {
	g, begun := errgroup.WithContext(ctx)
	core, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	done := make(chan error, 1)
	go func() { done <- svc.Run(core) }()
	for _, part := range parts {
		g.Go(func() error { return part(begun) })
	}
	g.Go(func() error {
		select {
		case err := <-done:
			done <- err
			if err == nil {
				err = errors.New("the service ended")
			}
			return err
		case <-begun.Done():
			return nil
		}
	})
	context.AfterFunc(ctx, func() { log.Info("ending") })
	err := g.Wait()
	stop()
	if last := <-done; err == nil {
		err = last
	}
	return err
}
