package commands

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"tribunal/judge/cli"
	"tribunal/judge/cli/report"
	"tribunal/judge/internal/build"
	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/config"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/engine"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/tty"
	"tribunal/judge/internal/verdict"
)

type runOptions struct {
	gradeOptions
	debug  bool
	folder string // for the files of --debug
}

func RunCommand(o *cli.App) *cobra.Command {
	r := &runOptions{gradeOptions: gradeOptions{App: o}}
	cmd := &cobra.Command{
		Use:   "run PROBLEM|PACKAGE|- SUBMISSION",
		Short: "Run a program on one input, without judging it",
		Long: `Run a program in the sandbox and under the limits of a problem, on standard input or
on the input of a case, and print what it writes. A line on standard error says how it
ended, and what it used. With "-" there is no problem, and the limits are wide.

On an interactive problem --case runs the submission with the interactor, and shows the
messages between them: each line begins with the time since the start, and < for output
of the interactor or > for output of the submission. The middle of a very long
transcript is left out.

With --debug the program is built with symbols and checks (for C and C++ the address
and undefined-behaviour sanitizers), its limits are wider, and the line for a debugger
that repeats the run is printed.

The exit status is 1 if the program does not compile, or did not exit with status 0
within the limits.`,
		Example: `  judge run game solution.cpp --case edge/fourteen
  judge run game solution.cpp < input.txt
  judge run - sketch.py < input.txt
  judge run game solution.cpp --case edge/fourteen --debug
  judge run packages/guess solution.py --case secret/2`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return cli.Usage(fmt.Errorf("run needs a problem, or -, and one submission, not %d arguments (hint: judge run game solution.cpp < input.txt)", len(args)))
			}
			if err := o.Swapped(cmd, args); err != nil {
				return err
			}
			if r.folder != "" && !r.debug {
				return cli.Usage(errors.New("--keep is for the files of --debug (hint: judge run … > output.txt keeps the output)"))
			}
			return r.run(cmd.Context(), args[0], args[1])
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&r.globs, "case", nil, "the `case` whose input the program or the interactor gets (default: standard input)")
	f.BoolVar(&r.debug, "debug", false, "build with symbols and checks at run time, and print the line for a debugger")
	f.StringVar(&r.folder, "keep", "", "keep the executable and the input of --debug in this `folder` (default: kept/debug)")
	f.StringVar(&r.language, "lang", "", "`language` of the sources, whatever their names")
	r.limits.AddFlag(cmd)
	return cmd
}

// noProblem is the argument of judge run instead of a problem.
const noProblem = "-"

// wide are the limits of a run without a problem, and widest those of --debug at least: sanitizers
// make a program several times slower and larger.
var (
	wide   = limits.Limits{CPU: 10 * time.Second, Wall: 60 * time.Second, Memory: 2 * limits.GiB, Output: 64 * limits.MiB, Processes: limits.Processes}
	widest = limits.Limits{CPU: 60 * time.Second, Wall: 3 * time.Minute, Memory: 4 * limits.GiB}
)

// maxInput is the size of the largest standard input that is read.
const maxInput = limits.GiB

func (r *runOptions) run(ctx context.Context, name, submission string) (err error) {
	s, err := r.subject(ctx, name)
	if err != nil {
		return err
	}
	defer s.Close(&err)
	if s.Interactive() && len(r.globs) > 0 {
		if r.debug {
			return cli.Usage(fmt.Errorf("%s: --debug cannot run a submission with an interactor (hint: leave out --case, and play the interactor on standard input)", name))
		}
		return r.interact(ctx, s, submission)
	}
	if submission == "-" && len(r.globs) == 0 {
		return cli.Usage(errors.New("the submission and its input cannot both be standard input (hint: name a file, or give --case)"))
	}
	languages := s.Config.Build.Languages
	if r.debug {
		s.Config.Build.Languages = build.Debugging(languages)
	}
	list, err := r.reading().Read(ctx, []string{submission}, languages, s.Files, func(string) bool { return true })
	if err != nil {
		return err
	}
	source := list[0].Source
	if _, ok := s.Config.Build.Languages[source.Language]; r.debug && !ok {
		return cli.Usage(fmt.Errorf("%s: no way to build %s with --debug (hint: languages.%s.debug in runner.yaml says how)", submission, source.Language, source.Language))
	}
	eng, err := s.Engine()
	if err != nil {
		return err
	}
	data, err := r.input(ctx, eng, s)
	if err != nil {
		return err
	}
	l, err := r.bounds(eng, s, source.Language, data.Name)
	if err != nil {
		return err
	}
	program, err := eng.Builder.Build(ctx, source)
	if compile, ok := errors.AsType[*build.CompileError](err); ok {
		r.Std.PrintError(&engine.OutputError{Text: fmt.Sprintf("%s: does not compile", submission), Output: compile.Output})
		return cli.Status(cli.ExitNot)
	}
	if err != nil {
		return err
	}
	defer program.Close()
	if program.Outputs() != nil {
		return cli.Usage(fmt.Errorf("%s: holds outputs, which cannot be run (hint: judge grade %s %s)", submission, name, submission))
	}
	return r.execute(ctx, eng, s.Problem, program, data, l, submission)
}

// subject opens the problem, or a subject without a problem.
func (r *runOptions) subject(ctx context.Context, name string) (*cli.Subject, error) {
	if name != noProblem {
		s, err := r.OpenToRun(ctx, name, 1)
		return s, err
	}
	if len(r.globs) > 0 {
		return nil, cli.Usage(errors.New("--case needs a problem instead of - (hint: judge run game solution.cpp --case edge/one)"))
	}
	s := &cli.Subject{App: r.App, Slots: 1, Problem: repo.Bare("", "")}
	var err error
	if s.Repository, s.Config, err = r.PackageConfig(); err != nil {
		return nil, err
	}
	s.Opening = engine.OpenSandbox(s.Config.Mode)
	s.Limits = wide
	return s, nil
}

// input returns the input and the settings of the case that --case names, or standard input.
func (r *runOptions) input(ctx context.Context, eng *engine.Engine, s *cli.Subject) (casedata.Data, error) {
	if len(r.globs) == 0 {
		if tty.IsTerminal(r.Std.In) {
			r.Std.Note("the program's input comes from this terminal, end it with Ctrl-D (hint: --case takes that of a case)")
		}
		text, err := io.ReadAll(io.LimitReader(&cli.Interruptible{Ctx: ctx, In: r.Std.In}, int64(maxInput)+1))
		if err == nil && int64(len(text)) > int64(maxInput) {
			err = cli.Usage(fmt.Errorf("standard input: more than %v", maxInput))
		}
		return casedata.Data{Input: content.Of(text)}, err
	}
	set, err := s.Cases()
	if err != nil {
		return casedata.Data{}, err
	}
	list, err := cli.ChosenCases(r.globs, set.Cases)
	if err != nil {
		return casedata.Data{}, err
	}
	if len(list) != 1 {
		return casedata.Data{}, cli.Usage(fmt.Errorf("--case: %d cases match, and the program is run on one (hint: judge case %s lists them)", len(list), s.Name))
	}
	provider := s.CaseData(eng)
	if err := provider.PrepareInputs(ctx, list); err != nil {
		return casedata.Data{}, err
	}
	return provider.Given(ctx, &list[0])
}

// bounds returns the limits of the run of a program in this language, on the case with this name or, if
// that is "", on other input.
func (r *runOptions) bounds(eng *engine.Engine, s *cli.Subject, language, name string) (limits.Limits, error) {
	if s.Limits.CPU == 0 {
		s.Limits.CPU = wide.CPU // deriving one would take longer than the run
	}
	l := s.LimitsFor(eng.Config.Complete(s.Limits), language, name)
	if r.debug {
		l.CPU, l.Wall, l.Memory = max(l.CPU, widest.CPU), max(l.Wall, widest.Wall), max(l.Memory, widest.Memory)
	}
	return r.limits.Change(eng.Config, l)
}

// execute runs the program, prints its output, and returns the exit status.
func (r *runOptions) execute(ctx context.Context, eng *engine.Engine, p *problem.Problem, program *build.Program, data casedata.Data, l limits.Limits, submission string) error {
	var written collected
	job := run.Job{
		Program: program, Args: data.Args, Files: data.Files, Input: data.Input, Stdout: &written, Limits: l,
		InFile: p.InFile, OutFile: p.OutFile, ReadOnly: p.ReadOnly, StderrMost: maxError,
	}
	job.Limits.CPUs = eng.Pool.Width(l.CPUs)
	out := eng.Pool.Run(ctx, job)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if out.Err != nil {
		return out.Err
	}
	if err := tty.Data(r.Std.Out, written.Bytes()); err != nil {
		return err
	}
	if err := tty.Data(r.Std.Err, out.Stderr); err != nil {
		return err
	}
	if n := len(out.Stderr); n > 0 && out.Stderr[n-1] != '\n' {
		_ = tty.Data(r.Std.Err, []byte("\n"))
	}
	v, cause := grade.Classify(l, out.Result, grade.Comparison{})
	if err := report.Run(r.Std.Err, out.Result, l, v, cause); err != nil {
		return err
	}
	if r.debug {
		if err := r.debugger(eng.Config, program, data.Input, submission); err != nil {
			return err
		}
	}
	if v != verdict.AC {
		return cli.Status(cli.ExitNot)
	}
	return nil
}

// debugger keeps the executable and the input, and prints the line that repeats the run in a debugger.
func (r *runOptions) debugger(c *config.Config, program *build.Program, input content.Content, submission string) error {
	debug := c.Build.Languages[program.Language].Debug
	if debug == nil || len(debug.Debugger) == 0 {
		return nil
	}
	folder := r.folder
	if folder == "" {
		folder = filepath.Join(keptFolder, "debug")
		if err := makeKept(); err != nil {
			return cli.Usage(fmt.Errorf("--keep: %w (hint: name another folder)", err))
		}
	}
	unwritable := func(err error) error {
		return cli.Usage(fmt.Errorf("--keep: %w (hint: name a folder that you may write to)", err))
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return unwritable(err)
	}
	exe, in := filepath.Join(folder, "program"), filepath.Join(folder, "input")
	text, err := input.Bytes()
	if err != nil {
		return err
	}
	if err := cli.WriteFile("--keep", in, text); err != nil {
		return err
	}
	if _, err := program.CopyExecutable(exe); err != nil {
		return unwritable(err)
	}
	above := filepath.Dir(submission)
	if info, err := os.Stat(submission); err == nil && info.IsDir() {
		above = submission
	}
	r.Std.Note("again in a debugger: %s", report.Shell(debug.Line(exe, submission, above, in)))
	return nil
}

// maxError is how much of the program's standard error is printed.
const maxError = limits.MiB

// collected is a sink that keeps the output of a run.
type collected struct{ bytes.Buffer }
