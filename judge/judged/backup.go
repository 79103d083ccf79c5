package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/nats-io/nats.go"
	"github.com/spf13/cobra"

	"tribunal/judge/internal/system"
	"tribunal/judge/judged/internal/broker"
	"tribunal/judge/judged/internal/store"
)

type backupOptions struct {
	*options
	place place
}

func backupCommand(o *options) *cobra.Command {
	b := &backupOptions{options: o}
	cmd := &cobra.Command{
		Use:   "backup --data DIR TO",
		Short: "Copy the data of a service, which may run meanwhile",
		Long: `Copy the data folder of a service to a new folder, with which another service can be
started. The service may run meanwhile: what is handed in after the copy has begun may be
missing in it. The copy is checked as judged check does. Keep it as secret as the folder:
it has the tokens.`,
		Example: "  judged backup --data /var/lib/judged /backup/judged-$(date +%F)\n  judged serve --data /backup/judged-2026-11-29",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage(errors.New("backup needs the folder to make (hint: judged backup --data data backup)"))
			}
			if err := b.place.check(); err != nil {
				return err
			}
			return b.run(cmd.Context(), args[0])
		},
	}
	b.place.flags(cmd)
	return cmd
}

// run makes the copy beside its place, and moves it there when it is whole.
func (b *backupOptions) run(ctx context.Context, to string) (err error) {
	to = filepath.Clean(to)
	switch list, err := os.ReadDir(to); {
	case err == nil && len(list) > 0:
		return usage(fmt.Errorf("%s: there is something in it (hint: give a folder that does not exist)", to))
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return usage(fmt.Errorf("%w (hint: give a folder that does not exist)", err))
	}
	log, err := b.logger()
	if err != nil {
		return err
	}
	from, done, err := b.source(log)
	if err != nil {
		return err
	}
	defer done()
	var c *checked
	part := ""
	for try := 1; c == nil || len(c.faults) > 0 && try <= 2; try++ { // a content that is erased meanwhile is missing the first time
		if part, err = os.MkdirTemp(filepath.Dir(to), "."+filepath.Base(to)+"-"); err != nil {
			return usage(fmt.Errorf("%w (hint: give a folder that this user may make)", err))
		}
		defer os.RemoveAll(part)
		if c, err = b.copy(ctx, from, part); err != nil {
			return err
		}
	}
	if err := c.report(b.out, to); err != nil {
		return err
	}
	if err := synced(part); err != nil {
		return err
	}
	return os.Rename(part, to)
}

// source connects to the service of the flags, or starts the server of its folder if it does not run.
func (b *backupOptions) source(log *slog.Logger) (nc *nats.Conn, done func(), err error) {
	if err := b.place.used(); err != nil {
		return nil, nil, err
	}
	nc, done, err = b.place.connect(log)
	if !errors.Is(err, errInUse) {
		return nc, done, err
	}
	token, err := os.ReadFile(filepath.Join(b.place.data, workerFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, usage(fmt.Errorf("--data: %w", err))
	}
	if nc, err = broker.Shared(b.place.data, strings.TrimSpace(string(token))); err != nil {
		return nil, nil, usage(fmt.Errorf("--data %s: a judged that uses it cannot be reached: %w (hint: as the user as whom it runs, and with its version)", b.place.data, bare(err)))
	}
	return nc, nc.Close, nil
}

// copy copies the store, and the files beside it, to a new folder, and checks the copy.
func (b *backupOptions) copy(ctx context.Context, from *nats.Conn, part string) (*checked, error) {
	server, err := broker.Start(broker.Embedded{Dir: part})
	if err != nil {
		return nil, err
	}
	defer server.Shutdown()
	nc, err := server.Connect("")
	if err != nil {
		return nil, err
	}
	defer nc.Close()
	err = broker.Copy(ctx, from, nc, b.place.prefix)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil, usage(fmt.Errorf("no service has been started here: %w", err))
	case errors.Is(err, store.ErrDamaged):
		return nil, &damage{cmp.Or(b.place.data, "the store"), []string{err.Error()}}
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, nats.ErrNoResponders):
		return nil, fmt.Errorf("%w (hint: --nats needs a user who may use all of JetStream)", err)
	case err != nil:
		return nil, err
	}
	for _, name := range []string{adminFile, workerFile, rootFile} {
		text, err := os.ReadFile(filepath.Join(b.place.data, name))
		if b.place.data == "" || errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = system.WriteFile(filepath.Join(part, name), text, 0o600)
		}
		if err != nil {
			return nil, err
		}
	}
	return examine(ctx, nc, b.place.prefix)
}

// synced writes what is in memory of a folder to its disk: a backup that a power cut takes away is none.
func synced(dir string) error {
	return filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		return errors.Join(f.Sync(), f.Close())
	})
}
