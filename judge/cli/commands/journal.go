package commands

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"tribunal/judge/cli"
	"tribunal/judge/cli/layout"
	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/engine"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/journal"
	"tribunal/judge/internal/version"
)

// journalOptions are the flags of a command that can go on after it was interrupted.
type journalOptions struct {
	file   string
	resume bool
	open   *journal.Journal // nil without the flags
	failed error            // of writing the journal of a sheet, which is judged and reported nevertheless
}

func (o *journalOptions) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.file, "journal", "", "keep the results of judged submissions in this `file`, which --resume reads")
	f.BoolVar(&o.resume, "resume", false, "go on with an interrupted judging: skip submissions whose results are in the --journal")
}

// start opens the journal if the flags name one. The caller calls end.
func (o *journalOptions) start(std cli.Stdio) (err error) {
	if o.file == "" {
		if o.resume {
			return cli.Usage(errors.New("--resume needs a journal (hint: --journal FILE names that of the interrupted judging)"))
		}
		return nil
	}
	o.open, err = journal.Open(o.file, o.resume)
	if err == nil && o.open.Cut() {
		std.Note("note: %s ended in the middle of a line, which is dropped: that submission is judged again", o.file)
	}
	return err
}

// end closes the journal and joins its error to err. If the judging did not end, it says how much is
// kept.
func (o *journalOptions) end(ctx context.Context, std cli.Stdio, err *error) {
	if o.open == nil {
		return
	}
	if ctx.Err() != nil {
		std.Note("%s holds the results of %s (hint: the same command with --resume goes on)", o.file, layout.Count(o.open.Size(), "submission"))
	}
	*err = errors.Join(*err, o.open.Close())
}

// keys returns for each submission of a task the key of its result in a journal, "" if it cannot be
// kept.
func (o *journalOptions) keys(ctx context.Context, eng *engine.Engine, m *casedata.Provider, t grade.Task) ([]string, error) {
	problem, err := m.Fingerprint(ctx, t.Cases)
	if err != nil {
		return nil, err
	}
	keys := make([]string, len(t.Submissions))
	for i, s := range t.Submissions {
		program, err := eng.Builder.Key(ctx, s.Source)
		if err != nil || program == "" {
			continue // its tools are missing, or it is not worth keeping: it gets its verdict without a run
		}
		h := cache.NewHasher("judging 1")
		h.Text(version.Build(), string(problem), string(program), s.Source.Name, fmt.Sprintf("%+v", t.Limits))
		h.Text(fmt.Sprint(t.All, t.Repeat, t.Uniform, t.Problem.Compare, t.Problem.Validator == nil, t.Show.Lines, t.Show.Bytes, eng.Pool.Facts().Mechanisms))
		keys[i] = string(h.Key())
	}
	return keys, nil
}

// session returns a session with the journal for a task, nil if there is no journal.
func (o *journalOptions) session(ctx context.Context, eng *engine.Engine, m *casedata.Provider, t grade.Task) (*journal.Session, error) {
	if o.open == nil {
		return nil, nil
	}
	keys, err := o.keys(ctx, eng, m, t)
	return &journal.Session{Journal: o.open, Keys: keys, Problem: t.Problem.ID}, err
}
