// Judge grades contestants' programs: see README.md and judge --help.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/doctor"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/yamlstrict"
)

// The exit codes; they are an interface.
const (
	exitOK          = 0   // judged, and as expected
	exitNot         = 1   // judged, and not as expected; or stale
	exitUsage       = 2   // usage or configuration
	exitFailed      = 3   // the judge failed
	exitInterrupted = 130 // stopped by a signal
)

func main() {
	sandbox.Init()
	doctor.Attack()
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGPIPE}
	if !signal.Ignored(syscall.SIGHUP) { // as it is below nohup
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	code := execute(ctx, os.Args[1:], stdio{os.Stdin, os.Stdout, os.Stderr})
	stop()
	os.Exit(code)
}

// stdio are the standard files of a run.
type stdio struct {
	in       io.Reader
	out, err io.Writer
}

// status is an error that only carries an exit code: everything has been said.
type status int

func (s status) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// usageError is an error in what the user asked for or configured.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// usage marks an error as the user's.
func usage(err error) error {
	if err == nil {
		return nil
	}
	return usageError{err}
}

// execute is the whole program: it parses args, does the work and returns the exit
// code. Errors are printed to std.err, one line each.
func execute(ctx context.Context, args []string, std stdio) int {
	root := newRoot(std)
	root.SetArgs(args)
	return exitCode(ctx, root.ExecuteContext(ctx), std.err)
}

// exhaustion are errors that are never the user's: this process, or the machine, has
// run out of something for the moment.
var exhaustion = []error{syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, syscall.EAGAIN}

// exitCode prints an error and maps it, in this one place.
func exitCode(ctx context.Context, err error, w io.Writer) int {
	if err == nil {
		return exitOK
	}
	if ctx.Err() != nil {
		fmt.Fprintln(w, "judge: interrupted")
		return exitInterrupted
	}
	var (
		code    status
		usage   usageError
		located *yamlstrict.Error
		missing *build.MissingError
		store   *cache.Error
	)
	if errors.As(err, &code) {
		return int(code)
	}
	fmt.Fprintln(w, "judge:", err)
	if slices.ContainsFunc(exhaustion, func(e error) bool { return errors.Is(err, e) }) {
		return exitFailed // whatever it was that could not be read for it
	}
	if errors.As(err, &usage) || errors.As(err, &located) || errors.As(err, &missing) || errors.As(err, &store) || errors.Is(err, sandbox.ErrMode) {
		return exitUsage
	}
	return exitFailed
}

func newRoot(std stdio) *cobra.Command {
	o := &options{std: std}
	root := &cobra.Command{
		Use:   "judge",
		Short: "Judge programs on problems: compile, run in a jail under limits, compare, say what happened",
		Long: `Judge programs on problems: compile, run in a jail under limits, compare the
output with what is expected, and say what happened.

Exit status: 0 judged and as expected, 1 judged but not as expected, 2 wrong
usage or configuration, 3 the judge failed, 130 interrupted.`,
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: true},
		Args:              cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			hint := "judge --help lists them"
			if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
				hint = "did you mean " + strings.Join(near, " or ") + "?"
			}
			return usage(fmt.Errorf("unknown command %q (hint: %s)", args[0], hint))
		},
	}
	root.SetIn(std.in)
	root.SetOut(std.out)
	root.SetErr(std.err)
	root.SuggestionsMinimumDistance = 2
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usage(fmt.Errorf("%w (hint: %s --help)", err, cmd.CommandPath()))
	})
	root.PersistentFlags().StringVar(&o.root, "root", "", "folder of the repository; by default the nearest one above that holds problems/")
	root.AddCommand(gradeCommand(o), interactCommand(o), problemsCommand(o), showCommand(o), regenCommand(o), watchCommand(o), verifyCommand(o),
		genCommand(o), stressCommand(o), mutantsCommand(o), calibrateCommand(o), growCommand(o), exportCommand(o), importCommand(o), newCommand(o), schemaCommand(o), doctorCommand(o), languagesCommand(o))
	return root
}
