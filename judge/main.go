// Judge grades contestants' programs: see README.md and judge --help.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/spf13/cobra"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/engine"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/system"
	"tribunal/judge/internal/tally"
	"tribunal/judge/internal/version"
	"tribunal/judge/internal/yamlstrict"
	"tribunal/judge/lab/doctor"
	"tribunal/judge/packages/checktestdata"
)

// The exit codes. Scripts rely on them.
const (
	exitOK          = 0   // the result is as expected
	exitNot         = 1   // the result is not as expected, or expected outputs are out of date
	exitUsage       = 2   // an error in the arguments or the configuration
	exitFailed      = 3   // the judge failed
	exitInterrupted = 130 // a signal stopped the judge
	exitGone        = 141 // nothing reads the output any more; a shell shows 141 for a process that SIGPIPE killed
)

func main() {
	doctor.Attack()
	checktestdata.Main(build.Interpreter, build.ParseOnly)
	tally.Add(tally.Start, "judge")
	// Writing to a closed pipe must return an error instead of killing the judge. The signal is
	// caught, not ignored, because child processes inherit ignored signals.
	system.IgnoreBrokenPipes()
	ctx, stop := signal.NotifyContext(context.Background(), system.EndSignals()...)
	code := execute(ctx, os.Args[1:], stdio{in: os.Stdin, out: os.Stdout, err: os.Stderr})
	stop()
	os.Exit(code)
}

// execute is the whole program: it parses args, runs the command and returns the exit code.
// Errors are printed to std.err, one line each.
func execute(ctx context.Context, args []string, std stdio) int {
	ctx, std, guard := guarded(ctx, std)
	defer guard.close()
	if err := system.StartPoller(); err != nil {
		return exitCode(ctx, fmt.Errorf("%w (hint: ulimit -n)", err), std)
	}
	o := &options{std: std, reports: map[*cobra.Command]*reports{}}
	root := newRoot(o)
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	code := exitGone // if nothing reads the output, only reports in files get the errors
	if !guard.lost() {
		code = exitCode(ctx, err, std)
	}
	if r := o.reports[cmd]; r != nil {
		code = r.finish(ctx, err, code, args)
	}
	return code
}

// exhaustion lists errors that are never the user's fault: this process or the machine has run out
// of a resource.
var exhaustion = []error{syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, syscall.EAGAIN}

// exhausted reports whether an error is one of exhaustion.
func exhausted(err error) bool {
	return slices.ContainsFunc(exhaustion, func(e error) bool { return errors.Is(err, e) })
}

// exitCode prints an error and returns the exit code for it.
func exitCode(ctx context.Context, err error, std stdio) int {
	if err == nil {
		return exitOK
	}
	if ctx.Err() != nil {
		std.note("interrupted")
		return exitInterrupted
	}
	var (
		code    status
		usage   usageError
		located *yamlstrict.Error
		missing *build.MissingError
		unclear *build.UnclearError
		store   *cache.Error
	)
	if errors.As(err, &code) {
		return int(code)
	}
	std.printError(err)
	if exhausted(err) {
		return exitFailed // not exitUsage, even if a file of the user could not be read
	}
	if errors.As(err, &usage) || errors.As(err, &located) || errors.As(err, &missing) || errors.As(err, &unclear) || errors.As(err, &store) || errors.Is(err, sandbox.ErrMode) {
		return exitUsage
	}
	return exitFailed
}

func newRoot(o *options) *cobra.Command {
	std := o.std
	root := &cobra.Command{
		Use:   "judge",
		Short: "Grade programs on the test cases of a problem, in a sandbox and under limits",
		Long: `Judge grades programs on the test cases of a problem. It compiles a submission, runs
it in a sandbox under time and memory limits, compares its output with the expected
output, and reports on which case it failed, and why.

Exit status:
  0    the result is as expected
  1    the result is not as expected
  2    the arguments or the configuration are wrong
  3    the judge failed
  130  the judge was interrupted
  141  nothing reads the output any more`,
		Version:       version.Build(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return unknownCommand(cmd, args[0])
		},
	}
	root.SetIn(std.in)
	root.SetOut(std.out)
	root.SetErr(std.err)
	root.SetVersionTemplate("judge {{.Version}}\n")
	root.SetHelpCommand(helpCommand())
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return engine.FlagError(cmd.CommandPath(), cmd.Flags(), err)
	})
	root.PersistentFlags().StringVar(&o.root, "root", "", "`folder` of the repository (default: TRIBUNAL_ROOT, or the nearest folder upwards that holds problems/)")
	root.PersistentFlags().StringVar(&o.packages.Root, "root-of-package", "", "`folder` around a package, below which its symbolic links may lead (default: the package)")
	root.PersistentFlags().Var((*dialect)(&o.packages.Dialect), "dialect", "read a package as this `system` does: "+dialectNames()+" (default: detected, see docs/packages.md)")
	o.std.color = cmp.Or(o.std.color, colorAuto)
	root.PersistentFlags().Var(choice[colorWhen]{&o.std.color, colors(), "when"}, "color", "`when` to use colours: "+list(colors()))
	for _, g := range grouped(o) {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title})
		for _, c := range g.commands {
			c.GroupID = g.title
			root.AddCommand(c)
		}
	}
	root.AddCommand(manualCommand(o))
	root.SetHelpCommandGroupID(theJudge)
	root.SetCompletionCommandGroupID(theJudge)
	addCompletionCommand(root)
	o.completions(root)
	return root
}

// theJudge is the title of the commands about the judge itself.
const theJudge = "About the judge and its host:"

// group is a part of the list of commands.
type group struct {
	title    string
	commands []*cobra.Command
}

// grouped returns all commands as the help lists them, those that people need every day first.
func grouped(o *options) []group {
	return []group{
		{"Every day:", []*cobra.Command{gradeCommand(o), runCommand(o), watchCommand(o), regenCommand(o), verifyCommand(o)}},
		{"Problems and their cases:", []*cobra.Command{
			newCommand(o), initCommand(o), problemsCommand(o), showCommand(o), caseCommand(o), genCommand(o), drawCommand(o), statementCommand(o),
		}},
		{"How good problems are:", []*cobra.Command{stressCommand(o), mutantsCommand(o), calibrateCommand(o), growCommand(o), interactCommand(o)}},
		{"Packages of other judges:", []*cobra.Command{importCommand(o), exportCommand(o), listenCommand(o), formatsCommand(o)}},
		{"Many submissions, and servers:", []*cobra.Command{compareCommand(o), likenessCommand(o), evalCommand(o), submitCommand(o)}},
		{theJudge, []*cobra.Command{languagesCommand(o), doctorCommand(o), ciCommand(o), schemaCommand(o), versionCommand(o)}},
	}
}
