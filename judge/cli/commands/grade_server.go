package commands

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tribunal/judge/cli"
	"tribunal/judge/cli/client"
	"tribunal/judge/cli/layout"
	"tribunal/judge/cli/report"
	"tribunal/judge/cli/submit"
	"tribunal/judge/internal/account"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/verdict"
)

// serverOptions holds the flags about a server that judges.
type serverOptions struct {
	server, token string
	cancel        bool
}

func (r *serverOptions) flags(cmd *cobra.Command) {
	r.place(cmd, "`URL` of a judged that judges (docs/api.md)")
	cmd.Flags().BoolVar(&r.cancel, "cancel", false, "when interrupted, cancel what --server has not judged yet")
}

// place adds the flags that name the server.
func (r *serverOptions) place(cmd *cobra.Command, usage string) {
	f := cmd.Flags()
	f.StringVar(&r.server, "server", "", usage)
	f.StringVar(&r.token, "token-file", "", "`file` with the token for --server (default: the token in TRIBUNAL_TOKEN)")
}

// lacking returns an error if one of the flags is set that mean nothing without a server.
func lacking(cmd *cobra.Command, hint string) error {
	names := cli.SetFlags(cmd, "token-file", "cancel")
	if len(names) == 0 {
		return nil
	}
	name, _, _ := strings.Cut(names[0], "=")
	return cli.Usage(fmt.Errorf("%s needs --server (hint: %s)", name, hint))
}

// client returns a client for the server.
func (r *serverOptions) client(std cli.Stdio) (*client.Client, error) {
	c, warning, err := client.Open(r.server, r.token)
	if err != nil {
		return nil, cli.Usage(err)
	}
	if warning != "" {
		std.Note("note: %s", warning)
	}
	return c, nil
}

// local lists the flags of a command that the user set although a server judges, except for those that
// mean something there.
func local(cmd *cobra.Command, there ...string) (names []string) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if !slices.Contains(there, f.Name) && cmd.InheritedFlags().Lookup(f.Name) == nil {
			names = append(names, "--"+f.Name)
		}
	})
	return names
}

// gradeThere has a server judge submissions, and writes the same reports as if they were judged here.
func (g *gradeOptions) gradeThere(ctx context.Context, problem string, names []string) error {
	c, err := g.there.client(g.Std)
	if err != nil {
		return err
	}
	task := submit.Task{Client: c, Problem: problem, Language: g.language, Limits: string(g.limits.Override), All: g.all, Batch: len(names) > 1}
	task.Note = func(text string) { g.Std.Note("%s", text) }
	if _, err := (limits.Limits{}).Override(task.Limits); err != nil {
		return cli.Usage(fmt.Errorf("--limits: %w", err))
	}
	if err := g.readSources(ctx, &task, names); err != nil {
		return err
	}
	x := &account.Execution{Full: report.MaxFull}
	sink := cli.Begin(g.reports, report.GradeFormats(x, report.TerminalOptions{Quiet: g.quiet, Verbose: g.verbose, Order: g.order}))
	if sink.Full {
		x.Full = -1
	}
	outcome := cli.ExitOK
	taken, err := task.Grade(ctx, func(e grade.Event) {
		if d, ok := e.(*grade.Done); ok {
			outcome = max(outcome, submissionCode(d))
		}
		x.Apply(e)
		sink.Event(e)
	})
	if ctx.Err() != nil {
		g.leave(c, taken)
	}
	if err := sink.End(refused(c, err)); err != nil {
		return err
	}
	if outcome != cli.ExitOK {
		return cli.Status(outcome)
	}
	return nil
}

// readSources reads the submissions of a task, and with --expect which verdicts their folders name.
func (g *gradeOptions) readSources(ctx context.Context, task *submit.Task, names []string) error {
	var wrong []error
	stdin := false
	for _, name := range names {
		var s submit.Source
		var err error
		switch {
		case name != "-":
			s, err = submit.Read(name)
		case stdin:
			err = errors.New("- is given twice, but there is only one standard input (hint: give files)")
		case g.language == "":
			err = errors.New("- needs the language of the program (hint: --lang cpp)")
		default:
			stdin = true
			s, err = submit.ReadFrom(cli.StdinName, "", &cli.Interruptible{Ctx: ctx, In: g.Std.In})
		}
		if err == nil && g.expect {
			var v verdict.Verdict
			v, err = cli.Expected(name)
			task.Expected = append(task.Expected, v)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			wrong = append(wrong, err)
		}
		task.Sources = append(task.Sources, s)
	}
	return cli.JoinUserErrors(wrong)
}

// cancelTime is how long an interrupted command may take to cancel what it has handed in.
const cancelTime = 10 * time.Second

// leave says what goes on without the command, or cancels it.
func (g *gradeOptions) leave(c *client.Client, taken []submit.Judging) {
	open := 0
	for _, j := range taken {
		if !j.Ended {
			open++
		}
	}
	switch {
	case open == 0:
		return
	case !g.there.cancel:
		g.Std.Note("the server goes on with %s (hint: --cancel cancels it when interrupted)", layout.Count(open, "submission"))
		return
	}
	ctx, stop := context.WithTimeout(context.Background(), cancelTime)
	defer stop()
	n, err := submit.Cancel(ctx, c, taken)
	if err != nil {
		g.Std.Note("not cancelled: %s", err)
	}
	g.Std.Note("%s cancelled", layout.Count(n, "submission"))
}

// refused returns an error of a server as one of the user, with a hint, unless the server failed.
func refused(c *client.Client, err error) error {
	err, user := c.Explain(err)
	if user {
		return cli.Usage(err)
	}
	return err
}
