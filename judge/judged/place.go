package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"syscall"

	"github.com/nats-io/nats.go"
	"github.com/spf13/cobra"

	"tribunal/judge/internal/system"
	"tribunal/judge/judged/internal/broker"
	"tribunal/judge/judged/internal/store"
)

// place holds the flags that say where a service keeps its data: in a data folder, with a server of its own, or on
// the NATS servers of a connection.
type place struct {
	connection
	streams newStreams
	data    string
	listen  string
	sync    bool
	token   string       // of workers; "" if only this process can connect
	room    func() error // checks that the disk has room, set by connect; nil if servers elsewhere keep the data
}

func (p *place) flags(cmd *cobra.Command) {
	p.dataFlag(cmd)
	p.connection.flags(cmd)
}

func (p *place) dataFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&p.data, "data", "", "`folder` of the service's files")
}

func (p *place) check() error {
	if p.data == "" && p.urls == "" {
		return usage(errors.New("--data is missing: it names the folder of the service's files (hint: --data data, or --nats URL)"))
	}
	if p.urls != "" && (p.data != "" || p.listen != "" || p.sync) {
		return usage(errors.New("--nats is for servers elsewhere, and --data, --nats-listen and --sync are for the one in this process (hint: leave out either; " + urlsVariable + " counts as --nats)"))
	}
	return p.connection.check()
}

// open opens the store, and creates it the first time. The caller calls shutdown at the end.
func (p *place) open(ctx context.Context, log *slog.Logger) (st *store.Store, shutdown func(), err error) {
	nc, shutdown, err := p.connect(log)
	if err != nil {
		return nil, nil, err
	}
	st, err = patiently(ctx, log, func() (*store.Store, error) {
		return broker.Open(ctx, nc, broker.Options{Prefix: p.prefix, Replicas: p.streams.replicas, AckWait: p.streams.ackWait})
	})
	if err != nil {
		if full := p.full(); full != nil {
			err = fmt.Errorf("--data: %w (hint: make room, and start it again)", full)
		}
		shutdown()
	}
	return st, shutdown, err
}

// full returns an error if the disk of the data folder has no room.
func (p *place) full() error {
	if p.room == nil {
		return nil
	}
	return p.room()
}

// tokens opens the log with the tokens of a service. With a data folder, tokens can be made before the service has
// been started there; in a cluster they cannot, because only the service knows how many servers should keep the
// log.
func (p *place) tokens(ctx context.Context, log *slog.Logger, create bool) (st store.Log, shutdown func(), err error) {
	if !create {
		if err := p.used(); err != nil {
			return nil, nil, err
		}
	}
	nc, shutdown, err := p.connect(log)
	if err != nil {
		return nil, nil, err
	}
	if st, err = broker.Tokens(ctx, nc, p.prefix, p.urls == ""); err != nil {
		shutdown()
	}
	if errors.Is(err, store.ErrNotFound) {
		err = usage(fmt.Errorf("no service has been started here: %w (hint: judged serve --nats URL makes one)", err))
	}
	return st, shutdown, err
}

// natsFolder is the folder in a data folder with the files of the NATS server.
const natsFolder = "nats"

// used returns an error if no service has used the data folder, if there is one.
func (p *place) used() error {
	if p.urls != "" {
		return nil
	}
	if _, err := os.Stat(filepath.Join(p.data, natsFolder)); err != nil {
		return usage(fmt.Errorf("--data %s: no service has its files there (hint: judged serve --data %s makes one)", p.data, p.data))
	}
	return nil
}

// connect connects to the NATS servers of the flags, or starts one in this process.
func (p *place) connect(log *slog.Logger) (nc *nats.Conn, shutdown func(), err error) {
	if p.urls != "" {
		nc, err := p.dial(broker.Service, log)
		if err != nil {
			return nil, nil, err
		}
		return nc, nc.Close, nil
	}
	server, unlock, err := p.start(log)
	if err != nil {
		return nil, nil, err
	}
	if url := server.URL(); url != "" {
		log.Info("workers can join", "nats", url, "token", filepath.Join(p.data, workerFile))
	}
	p.room = server.Room
	unshare, err := server.Share()
	if err != nil {
		log.Warn("judged backup cannot copy this folder while it is in use", "error", err)
		unshare = func() {}
	}
	if nc, err = server.Connect(p.token); err != nil {
		unshare()
		server.Shutdown()
		return nil, nil, errors.Join(err, unlock())
	}
	return nc, func() {
		unshare()
		nc.Close()
		server.Shutdown()
		_ = unlock()
	}, nil
}

// The files of the data folder with the passwords of the users of its NATS server.
const (
	workerFile = "nats.token"
	rootFile   = "nats-admin.token"
)

// start starts the NATS server of the data folder, which it locks.
func (p *place) start(log *slog.Logger) (server *broker.Server, unlock func() error, err error) {
	if err := os.MkdirAll(p.data, 0o700); err != nil {
		return nil, nil, usage(fmt.Errorf("--data: %w (hint: give a folder that this user may write)", err))
	}
	if unlock, err = lockFolder(p.data); err != nil {
		return nil, nil, err
	}
	if err = usable(p.data); err == nil {
		server, err = p.startLocked(log)
	}
	if err != nil {
		return nil, nil, errors.Join(err, unlock())
	}
	return server, unlock, nil
}

func (p *place) startLocked(log *slog.Logger) (server *broker.Server, err error) {
	admin := ""
	if p.listen != "" {
		if p.token, err = secret(filepath.Join(p.data, workerFile), password); err != nil {
			return nil, err
		}
		if admin, err = secret(filepath.Join(p.data, rootFile), password); err != nil {
			return nil, err
		}
	}
	server, err = broker.Start(broker.Embedded{Dir: p.data, Listen: p.listen, Token: p.token, Admin: admin, Prefix: p.prefix, Sync: p.sync, Log: log})
	if wrong, ok := errors.AsType[*broker.AddressError](err); ok {
		err = usage(fmt.Errorf("--nats-listen: %w", wrong))
	}
	return server, err
}

var errInUse = errors.New("another judged uses it")

// lockFolder keeps other processes from using the data folder.
func lockFolder(dir string) (unlock func() error, err error) {
	f, err := system.LockFolder(dir, system.Exclusive|system.NoWait)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, usage(fmt.Errorf("--data %s: %w (hint: end that one, or ask it by its API)", dir, errInUse))
	}
	if err != nil {
		return nil, usage(fmt.Errorf("--data: %w (hint: give a folder that this user may write)", err))
	}
	return func() error { return errors.Join(system.Flock(f, system.Unlock), f.Close()) }, nil
}
