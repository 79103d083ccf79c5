package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/nats-io/nats.go"
	"github.com/spf13/cobra"

	"tribunal/judge/cli/layout"
	"tribunal/judge/internal/system"
	"tribunal/judge/judged/internal/access"
	"tribunal/judge/judged/internal/broker"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/store"
)

func checkCommand(o *options) *cobra.Command {
	var c connection
	cmd := &cobra.Command{
		Use:   "check DIR",
		Short: "Read a backup or a data folder whole, and say what is damaged",
		Long: `Read a backup, or the data folder of a service that does not run: the whole ledger, all
contents to which it refers, and the tokens. Nothing in the folder is changed, because a
copy of it is read, for which the folder for temporary files needs room.`,
		Example: "  judged check backup\n  TMPDIR=/var/tmp judged check /var/lib/judged",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage(errors.New("check needs a folder (hint: judged check data)"))
			}
			if err := c.check(); err != nil {
				return err
			}
			return checkFolder(cmd.Context(), o, args[0], c.prefix)
		},
	}
	c.prefixFlag(cmd)
	return cmd
}

// checkFolder checks a copy of a data folder.
func checkFolder(ctx context.Context, o *options, dir, prefix string) error {
	if err := (&place{data: dir}).used(); err != nil {
		return err
	}
	lock, err := system.LockFolder(dir, system.Shared|system.NoWait)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return usage(fmt.Errorf("%s: %w (hint: judged backup copies and checks it meanwhile)", dir, errInUse))
	}
	if err != nil {
		return usage(err)
	}
	defer lock.Close()
	temp, err := os.MkdirTemp("", "judged-check-")
	if err != nil {
		return usage(err)
	}
	defer os.RemoveAll(temp)
	if err := os.CopyFS(filepath.Join(temp, natsFolder), os.DirFS(filepath.Join(dir, natsFolder))); err != nil {
		return fmt.Errorf("copying %s: %w (hint: TMPDIR names a folder with room)", dir, err)
	}
	server, err := broker.Start(broker.Embedded{Dir: temp})
	if err != nil {
		return &damage{dir, []string{err.Error()}}
	}
	defer server.Shutdown()
	nc, err := server.Connect("")
	if err != nil {
		return err
	}
	defer nc.Close()
	done, err := examine(ctx, nc, prefix)
	if err != nil {
		return err
	}
	return done.report(o.out, dir)
}

// checked says what a check has read, and what is wrong with it.
type checked struct {
	submissions, problems, contents, tokens int
	records                                 uint64
	faults                                  []string
}

// mostFaults bounds the list of what is damaged.
const mostFaults = 50

// report writes what was read. The error lists what is wrong.
func (c *checked) report(w io.Writer, dir string) error {
	if len(c.faults) > 0 {
		return &damage{dir, c.faults}
	}
	_, err := fmt.Fprintf(w, "%s: %s, %s, %s, %s, %s: all can be read\n", dir, layout.Count(int(c.records), "record"), layout.Count(c.submissions, "submission"),
		layout.Count(c.problems, "problem"), layout.Count(c.contents, "large content"), layout.Count(c.tokens, "token"))
	return err
}

// damage is the error of data that is damaged.
type damage struct {
	dir    string
	faults []string
}

func (d *damage) Error() string {
	text := fmt.Sprintf("%s: %s", d.dir, layout.Count(len(d.faults), "fault"))
	for _, fault := range d.faults[:min(len(d.faults), mostFaults)] {
		text += "\n  " + layout.Word(fault)
	}
	if more := len(d.faults) - mostFaults; more > 0 {
		text += fmt.Sprintf("\n  and %d more", more)
	}
	return text
}

// examine reads everything in a store that nothing else uses.
func examine(ctx context.Context, nc *nats.Conn, prefix string) (*checked, error) {
	c := &checked{}
	st, records, tokens, err := broker.Read(ctx, nc, prefix)
	if errors.Is(err, broker.ErrIncomplete) || errors.Is(err, store.ErrNotFound) {
		c.fault("%v", err)
		return c, nil
	}
	if err != nil {
		return nil, err
	}
	c.records = records
	fold := ledger.NewFold()
	err = c.read(ctx, "ledger", st.Log, records, func(r store.Record) {
		if fold.Sequence == 0 && r.Sequence > 1 {
			c.fault("the ledger has lost its beginning, up to record %d", r.Sequence-1)
		}
		if _, err := fold.Add(r); err != nil {
			c.fault("record %d of the ledger: %v", r.Sequence, err)
		}
	})
	if err != nil {
		return nil, err
	}
	if fold.Ignored > 0 {
		c.fault("%s of the ledger fit nothing before them", layout.Count(fold.Ignored, "record"))
	}
	known := map[string]bool{}
	err = c.read(ctx, "tokens", st.Tokens, tokens, func(r store.Record) {
		var e access.Entry
		if err := json.Unmarshal(r.Data, &e); err != nil {
			c.fault("record %d of the tokens: %v", r.Sequence, err)
		}
		known[r.Subject] = e.Hash != ""
	})
	if err != nil {
		return nil, err
	}
	for _, valid := range known {
		if valid {
			c.tokens++
		}
	}
	return c, c.contentsOf(ctx, st.Blobs, fold)
}

func (c *checked) fault(format string, args ...any) {
	c.faults = append(c.faults, fmt.Sprintf(format, args...))
}

// read passes all records of a log to each, one by one, so that those behind a damaged one are read too. Sequences
// have gaps where records were erased, so the number of records shows whether some are gone.
func (c *checked) read(ctx context.Context, name string, log store.Log, records uint64, each func(store.Record)) error {
	last, err := log.Last(ctx)
	if err != nil {
		return err
	}
	for sequence := uint64(1); sequence <= last; sequence++ {
		r, err := log.Get(ctx, sequence)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil:
			records--
			each(r)
		case !errors.Is(err, store.ErrNotFound):
			c.fault("record %d of the %s: %v", sequence, name, err)
		}
	}
	if records > 0 {
		c.fault("%s of the %s cannot be read", layout.Count(int(records), "record"), name)
	}
	return nil
}

// contentsOf reads all large contents to which a ledger refers, and counts what it has.
func (c *checked) contentsOf(ctx context.Context, blobs store.Blobs, fold *ledger.Fold) error {
	seen := map[string]bool{}
	read := func(of string, refs ...store.Ref) {
		for _, ref := range refs {
			if ref.Inline != nil || ref.Size == 0 || seen[ref.Hash] || ctx.Err() != nil {
				continue
			}
			seen[ref.Hash] = true
			c.contents++
			if _, err := blobs.Get(ctx, ref); err != nil {
				c.fault("%s: %v", of, err)
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(fold.Submissions)) {
		if sub := fold.Submissions[id]; !sub.Erased {
			c.submissions++
			read("submission "+id, sub.Blobs...)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(fold.Versions)) {
		c.problems++
		for _, version := range slices.Sorted(maps.Keys(fold.Versions[id])) {
			v := fold.Versions[id][version]
			read(fmt.Sprintf("problem %s@%.12s", id, version), v.Archive)
			if v.Page != nil {
				read(fmt.Sprintf("the statement of problem %s@%.12s", id, version), *v.Page)
			}
		}
	}
	return ctx.Err()
}
