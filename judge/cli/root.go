// Package cli runs the commands of the judge: it reads arguments, opens problems, writes reports and errors, and
// returns exit codes. Its commands are in package commands and in the houses lab and class.
package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/engine"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/system"
	"tribunal/judge/internal/version"
	"tribunal/judge/internal/yamlstrict"
)

// The exit codes. Scripts rely on them.
const (
	ExitOK          = 0   // the result is as expected
	ExitNot         = 1   // the result is not as expected, or expected outputs are out of date
	ExitUsage       = 2   // an error in the arguments or the configuration
	ExitFailed      = 3   // the judge failed
	ExitInterrupted = 130 // a signal stopped the judge
	ExitGone        = 141 // nothing reads the output any more; a shell shows 141 for a process that SIGPIPE killed
)

// Main is the whole program: it parses args, runs one of the commands and returns the exit code.
// Errors are printed to std.Err, one line each.
func Main(ctx context.Context, args []string, std Stdio, commands func() Commands) int {
	ctx, std, guard := guarded(ctx, std)
	defer guard.close()
	if err := system.StartPoller(); err != nil {
		return exitCode(ctx, fmt.Errorf("%w (hint: ulimit -n)", err), std)
	}
	o := &App{Std: std, Reports: map[*cobra.Command]*Reports{}}
	root := NewRoot(o, commands, args...)
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) { // a shell asks; nothing else needs them
		o.completions(root)
	}
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	code := ExitGone // if nothing reads the output, only reports in files get the errors
	if !guard.lost() {
		code = exitCode(ctx, err, std)
	}
	if r := o.Reports[cmd]; r != nil {
		code = r.finish(ctx, err, code, args)
	}
	return code
}

// exhaustion lists errors that are never the user's fault: this process or the machine has run out
// of a resource.
var exhaustion = []error{syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, syscall.EAGAIN}

// Exhausted reports whether an error is one of exhaustion.
func Exhausted(err error) bool {
	return slices.ContainsFunc(exhaustion, func(e error) bool { return errors.Is(err, e) })
}

// exitCode prints an error and returns the exit code for it.
func exitCode(ctx context.Context, err error, std Stdio) int {
	if err == nil {
		return ExitOK
	}
	if ctx.Err() != nil {
		std.Note("interrupted")
		return ExitInterrupted
	}
	var (
		code    Status
		usage   UsageError
		located *yamlstrict.Error
		missing *build.MissingError
		unclear *build.UnclearError
		store   *cache.Error
	)
	if errors.As(err, &code) {
		return int(code)
	}
	std.PrintError(err)
	if Exhausted(err) {
		return ExitFailed // not ExitUsage, even if a file of the user could not be read
	}
	if errors.As(err, &usage) || errors.As(err, &located) || errors.As(err, &missing) || errors.As(err, &unclear) || errors.As(err, &store) || errors.Is(err, sandbox.ErrMode) {
		return ExitUsage
	}
	return ExitFailed
}

// NewRoot returns the command judge, below which are the commands of all groups. If args begin with a command it makes
// only that one, because every start would wait for the others and their flags.
func NewRoot(o *App, commands func() Commands, args ...string) *cobra.Command {
	std := o.Std
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
	root.SetIn(std.In)
	root.SetOut(std.Out)
	root.SetErr(std.Err)
	root.SetVersionTemplate("judge {{.Version}}\n")
	all, only := commands(), ""
	for _, g := range append(all.Groups, all.Old) {
		if len(args) > 0 && slices.Contains(strings.Fields(g.Names), args[0]) {
			only = args[0]
		}
	}
	root.SetHelpCommand(helpCommand(all.Topics.make(o, only)))
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return engine.FlagError(cmd.CommandPath(), cmd.Flags(), err)
	})
	root.PersistentFlags().StringVar(&o.Root, "root", "", "`folder` of the repository (default: TRIBUNAL_ROOT, or the nearest folder upwards that holds problems/)")
	root.PersistentFlags().StringVar(&o.Packages.Root, "root-of-package", "", "`folder` around a package, below which its symbolic links may lead (default: the package)")
	root.PersistentFlags().Var((*dialect)(&o.Packages.Dialect), "dialect", "read a package as this `system` does: "+dialectNames()+" (default: detected, see docs/packages.md)")
	root.PersistentFlags().StringVar(&o.Packages.Pairs, "pairs", "", "`names` of inputs and answers in a plain folder, such as {}.in:{}.gold (default: recognized)")
	o.Std.color = cmp.Or(o.Std.color, colorAuto)
	root.PersistentFlags().Var(Choose(&o.Std.color, colors(), "when"), "color", "`when` to use colours: "+List(colors()))
	for _, g := range all.Groups {
		root.AddGroup(&cobra.Group{ID: g.Title, Title: g.Title})
		for _, c := range g.make(o, only) {
			c.GroupID = g.Title
			root.AddCommand(c)
		}
	}
	for _, c := range all.Old.make(o, only) {
		c.Hidden = true
		root.AddCommand(c)
	}
	root.AddCommand(manualCommand(o))
	root.SetHelpCommandGroupID(TheJudge)
	root.SetCompletionCommandGroupID(TheJudge)
	addCompletionCommand(root)
	return root
}

// TheJudge is the title of the commands about the judge itself.
const TheJudge = "About the judge and its host:"

// Commands are all commands of the judge.
type Commands struct {
	Groups []Group
	Topics Group // below judge help
	Old    Group // words of earlier releases, which the help does not list
}

// Group is a part of the list of commands.
type Group struct {
	Title, Names string
	Make         []Make // in the order of Names
}

// Make makes a command.
type Make = func(*App) *cobra.Command

// make makes the commands of a group, or the one called only unless that is "".
func (g Group) make(o *App, only string) (made []*cobra.Command) {
	for i, name := range strings.Fields(g.Names) {
		if only == "" || name == only {
			made = append(made, g.Make[i](o))
		}
	}
	return made
}
