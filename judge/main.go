// Judge grades contestants' programs: see README.md and judge --help.
package main

import (
	"context"
	"os"
	"os/signal"

	"github.com/spf13/cobra"

	"tribunal/judge/class"
	"tribunal/judge/cli"
	"tribunal/judge/cli/commands"
	"tribunal/judge/internal/build"
	"tribunal/judge/internal/system"
	"tribunal/judge/internal/tally"
	"tribunal/judge/lab"
	"tribunal/judge/lab/doctor"
	"tribunal/judge/packages/checktestdata"
)

func main() {
	doctor.Attack()
	checktestdata.Main(build.Interpreter, build.ParseOnly)
	tally.Add(tally.Start, "judge")
	// Writing to a closed pipe must return an error instead of killing the judge. The signal is
	// caught, not ignored, because child processes inherit ignored signals.
	system.IgnoreBrokenPipes()
	ctx, stop := signal.NotifyContext(context.Background(), system.EndSignals()...)
	code := execute(ctx, os.Args[1:], cli.Stdio{In: os.Stdin, Out: os.Stdout, Err: os.Stderr})
	stop()
	os.Exit(code)
}

// execute is the whole program: it parses args, runs the command and returns the exit code. Errors are printed to
// std.Err, one line each.
func execute(ctx context.Context, args []string, std cli.Stdio) int {
	return cli.Main(ctx, args, std, commandsOf)
}

// commandsOf returns all commands, in groups as the help lists them, those that people need every day first.
func commandsOf(o *cli.App) cli.Commands {
	return cli.Commands{
		Groups: []cli.Group{
			{Title: "Every day:", Commands: []*cobra.Command{
				commands.GradeCommand(o), commands.RunCommand(o), commands.WatchCommand(o), commands.RegenCommand(o), lab.VerifyCommand(o),
			}},
			{Title: "Problems and their cases:", Commands: []*cobra.Command{
				commands.NewCommand(o), commands.InitCommand(o), commands.ShowCommand(o), commands.CaseCommand(o), commands.GenCommand(o),
				commands.DrawCommand(o), commands.StatementCommand(o),
			}},
			{Title: "How good problems are:", Commands: []*cobra.Command{
				lab.StressCommand(o), lab.MutantsCommand(o), lab.CalibrateCommand(o), lab.GrowCommand(o),
			}},
			{Title: "Packages of other judges:", Commands: []*cobra.Command{
				commands.ImportCommand(o), commands.ExportCommand(o), commands.ListenCommand(o),
			}},
			{Title: "Many submissions:", Commands: []*cobra.Command{class.CompareCommand(o), lab.LikenessCommand(o), lab.EvalCommand(o)}},
			{Title: cli.TheJudge, Commands: []*cobra.Command{
				lab.LanguagesCommand(o), lab.DoctorCommand(o), commands.CICommand(o), commands.SchemaCommand(o),
			}},
		},
		Topics: []*cobra.Command{commands.FormatsCommand(o)},
		Old: []*cobra.Command{
			commands.ProblemsCommand(o), commands.InteractCommand(o), commands.FormatsCommand(o), commands.SubmitCommand(o), cli.VersionCommand(o),
		},
	}
}
