// Judged grades contestants' programs as a service: see docs/service.md and judged --help.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"

	"github.com/spf13/cobra"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/engine"
	"tribunal/judge/internal/system"
	"tribunal/judge/internal/tally"
	"tribunal/judge/internal/version"
	"tribunal/judge/internal/yamlstrict"
	"tribunal/judge/lab/doctor"
	"tribunal/judge/packages/checktestdata"
)

// The exit codes, which are those of judge.
const (
	exitOK          = 0
	exitDamaged     = 1 // what was checked is damaged
	exitUsage       = 2 // an error in the arguments or the configuration
	exitFailed      = 3 // the service failed
	exitInterrupted = 130
)

func main() {
	doctor.Attack()
	checktestdata.Main(build.Interpreter, build.ParseOnly)
	tally.Add(tally.Start, "judged")
	ctx, stop := signal.NotifyContext(context.Background(), system.EndSignals()...)
	code := exitFailed
	if err := system.StartPoller(); err != nil {
		fmt.Fprintf(os.Stderr, "judged: %v (hint: ulimit -n)\n", err)
	} else {
		code = execute(ctx, os.Args[1:], os.Stdout, os.Stderr)
	}
	stop()
	os.Exit(code)
}

// execute is the whole program: it parses args, runs the command and returns the exit code.
func execute(ctx context.Context, args []string, out, errs io.Writer) int {
	o := &options{out: out, err: errs}
	root := newRoot(o)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		fmt.Fprintln(errs, "judged: interrupted")
		return exitInterrupted
	}
	fmt.Fprintf(errs, "judged: %v\n", err)
	if _, damaged := errors.AsType[*damage](err); damaged {
		return exitDamaged
	}
	_, located := errors.AsType[*yamlstrict.Error](err)
	_, usage := errors.AsType[engine.UserError](err)
	if located || usage {
		return exitUsage
	}
	if ctx.Err() != nil {
		return exitInterrupted
	}
	return exitFailed
}

// ended returns the error of a command that runs until it is told to end, nil if it ended because of that.
func ended(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// usage marks an error of the user.
func usage(err error) error { return engine.UserError{Err: err} }

// options is shared by all commands.
type options struct {
	out, err io.Writer
	level    string
	text     bool
}

func newRoot(o *options) *cobra.Command {
	root := &cobra.Command{
		Use:   "judged",
		Short: "Grade programs as a service",
		Long: `Judged takes submissions over HTTP, has workers judge them as judge grade does, and
keeps what became of them in NATS JetStream. One process is enough to begin with; more
machines can be added at any time.

Exit status:
  0    it was told to end, and ended in order
  1    the data that was checked is damaged
  2    the arguments or the configuration are wrong
  3    the service failed
  130  a command was interrupted`,
		Version:       version.Build(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          noArgs,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetOut(o.out)
	root.SetErr(o.err)
	root.SetVersionTemplate("judged {{.Version}}\n")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return engine.FlagError(cmd.CommandPath(), cmd.Flags(), err)
	})
	f := root.PersistentFlags()
	f.StringVar(&o.level, "log", "info", "`level` of the log: debug, info, warn, error")
	f.BoolVar(&o.text, "log-text", false, "log in text instead of JSON")
	root.AddCommand(serveCommand(o), workerCommand(o), tokenCommand(o), rightsCommand(o), natsCommand(o),
		listCommand(o), heldCommand(o), workersCommand(o), courseCommand(o), peopleCommand(o), backupCommand(o), checkCommand(o))
	return root
}

// noArgs refuses the arguments of a command that takes none.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usage(fmt.Errorf("unexpected argument %q (hint: %s --help)", args[0], cmd.CommandPath()))
}

// logger returns the log of this process, on standard error.
func (o *options) logger() (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(o.level)); err != nil {
		return nil, usage(fmt.Errorf("--log %s: want debug, info, warn or error", o.level))
	}
	h := &slog.HandlerOptions{Level: level}
	if o.text {
		return slog.New(slog.NewTextHandler(o.err, h)), nil
	}
	return slog.New(slog.NewJSONHandler(o.err, h)), nil
}
