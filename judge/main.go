// Judge grades contestants' programs: see README.md and judge --help.
package main

import (
	"context"
	"os"
	"os/signal"

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
func commandsOf() cli.Commands {
	return cli.Commands{
		Groups: []cli.Group{
			{Title: "Every day:", Names: "grade run watch regen verify", Make: []cli.Make{
				commands.GradeCommand, commands.RunCommand, commands.WatchCommand, commands.RegenCommand, lab.VerifyCommand,
			}},
			{Title: "Problems and their cases:", Names: "new init show case gen draw statement", Make: []cli.Make{
				commands.NewCommand, commands.InitCommand, commands.ShowCommand, commands.CaseCommand, commands.GenCommand,
				commands.DrawCommand, commands.StatementCommand,
			}},
			{Title: "How good problems are:", Names: "stress mutants calibrate grow", Make: []cli.Make{
				lab.StressCommand, lab.MutantsCommand, lab.CalibrateCommand, lab.GrowCommand,
			}},
			{Title: "Packages of other judges:", Names: "import export listen", Make: []cli.Make{
				commands.ImportCommand, commands.ExportCommand, commands.ListenCommand,
			}},
			{Title: "Many submissions:", Names: "compare likeness eval", Make: []cli.Make{class.CompareCommand, lab.LikenessCommand, lab.EvalCommand}},
			{Title: cli.TheJudge, Names: "languages doctor ci schema", Make: []cli.Make{
				lab.LanguagesCommand, lab.DoctorCommand, commands.CICommand, commands.SchemaCommand,
			}},
		},
		Topics: cli.Group{Names: "formats", Make: []cli.Make{commands.FormatsCommand}},
		Old: cli.Group{Names: "problems interact formats submit version", Make: []cli.Make{
			commands.ProblemsCommand, commands.InteractCommand, commands.FormatsCommand, commands.SubmitCommand, cli.VersionCommand,
		}},
	}
}
