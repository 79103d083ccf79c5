package lab

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"tribunal/judge/cli"
	"tribunal/judge/cli/layout"
	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/config"
	"tribunal/judge/internal/document"
	"tribunal/judge/internal/engine"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/regular"
	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/version"
	"tribunal/judge/internal/yamlstrict"
	"tribunal/judge/lab/eval"
	"tribunal/judge/lab/findings"
)

type evalOptions struct {
	*cli.App
	output      string
	resume, all bool
	keepGoing   bool
	format      eval.Format
	language    string
	extract     eval.Extract
	programs    int          // in a file of their own
	tasks       atomic.Int64 // as soon as they are counted
	slots       int
	ks          []int
	summary     string
	limits      cli.Override
	told        int               // errors that were printed
	progress    *cli.Announcement // nil before programs are judged
	results     *eval.Results
}

// The values of --summary: text for people, and the object at the end of the results.
const (
	summaryText = "text"
	summaryJSON = "json"
)

func EvalCommand(o *cli.App) *cobra.Command {
	e := &evalOptions{App: o, summary: summaryText}
	cmd := &cobra.Command{
		Use:   "eval TASKS|- [PROGRAMS]",
		Short: "Judge many generated programs for many tasks, with pass@k",
		Long: `Judge many generated programs for many tasks, in the sandbox and under the limits of
each, and print the verdicts and pass@k.

Each line of TASKS is a task in JSON: a problem or tests, limits, and perhaps programs,
or a task of a data set such as HumanEval. Each line of PROGRAMS is a program for a task,
or a published sample (docs/eval.md).

Results are written in the order in which programs end. Programs of a task that are the
same are judged once. After an interrupt, the same command with --resume goes on.

An error in a line ends the reading, and what was read before is judged. The exit status
is 0 if everything was judged, whatever the verdicts, 2 after an error in a line, and 3
if a program could not be judged.`,
		Example: `  judge eval tasks.jsonl -o results.jsonl
  judge eval livecodebench.jsonl samples.jsonl -o results.jsonl --k 1,5,10 --keep-going
  judge eval tasks.jsonl samples.jsonl -o results.jsonl --resume --summary json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) < 1 || len(args) > 2 {
				return cli.Usage(errors.New("eval needs a file of tasks, and perhaps one of programs (hint: judge eval tasks.jsonl programs.jsonl -o results.jsonl)"))
			}
			if e.output == "" {
				return cli.Usage(errors.New("eval needs a file for the results (hint: -o results.jsonl)"))
			}
			if err := cli.CheckSlots(cmd, e.slots); err != nil {
				return err
			}
			if i := slices.IndexFunc(e.ks, func(k int) bool { return k < 1 || k > maxK }); i >= 0 {
				return cli.Usage(fmt.Errorf("--k %d: want numbers from 1 to %d", e.ks[i], maxK))
			}
			return e.run(cmd.Context(), args)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&e.output, "output", "o", "", "write the results into this `file`, one in JSON on each line")
	f.BoolVar(&e.resume, "resume", false, "go on with an interrupted evaluation: skip programs that have results")
	f.Var(cli.Choose(&e.format, eval.Formats(), "format"), "format", "`format` of the tasks: "+cli.List(eval.Formats())+" (default: that of the first line)")
	f.StringVar(&e.language, "lang", "", "`language` of programs that name none (default: python3 for data sets of Python)")
	f.Var(cli.Choose(&e.extract, []eval.Extract{eval.ExtractFence, eval.ExtractNone, eval.ExtractAuto}, "way"), "extract", "take programs out of a fence of Markdown: fence, none, auto (default: unless it may be part of the program)")
	f.IntSliceVar(&e.ks, "k", []int{1, 10, 100}, "compute pass@k for these `numbers`")
	f.Var(cli.Choose(&e.summary, []string{summaryText, summaryJSON}, "form"), "summary", "`form` of the summary on standard output: text, json")
	f.BoolVar(&e.all, "all", false, "judge all tests, even after a failure")
	f.BoolVar(&e.keepGoing, "keep-going", false, "skip lines and programs with errors, and count them")
	f.IntVar(&e.slots, "slots", 0, "`number` of programs at a time (default: that of runner.yaml)")
	e.limits.AddFlag(cmd)
	return cmd
}

// maxK is the largest k of pass@k.
const maxK = 1_000_000

// maxTold is the largest number of errors in the input, and of programs that could not be judged, that
// are printed.
const maxTold = 20

func (e *evalOptions) run(ctx context.Context, args []string) (err error) {
	if _, err := (limits.Limits{}).Override(string(e.limits.Override)); err != nil {
		return cli.Usage(fmt.Errorf("--limits: %w", err))
	}
	if err := e.Protect(e.output, args); err != nil {
		return err
	}
	root, c, err := e.PackageConfig()
	if err != nil {
		return err
	}
	settings := eval.Options{Format: e.format, Languages: c.Build.Languages, Extract: e.extract}
	if e.language != "" {
		if settings.Language, err = eval.Language(e.language, c.Build.Languages); err != nil {
			return cli.Usage(fmt.Errorf("--lang: %w (hint: judge languages lists them)", err))
		}
	}
	tasks, in, err := e.open(ctx, args[0])
	if err != nil {
		return err
	}
	defer in.Close()
	if len(args) > 1 {
		if settings.Programs, err = eval.OpenPrograms(args[1], c.Build.Languages); err != nil {
			return err
		}
		defer settings.Programs.Close()
		e.programs = settings.Programs.Count()
	} else if args[0] != "-" {
		go func() { e.tasks.Store(int64(eval.Count(args[0]))) }()
	}
	m, err := e.machine(root, c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.Close()) }()
	if e.results, err = eval.OpenResults(e.output, e.resume); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.results.Close()) }()
	e.begun()
	sum, err := e.judge(ctx, m, eval.Tasks(tasks, in, settings))
	if err != nil {
		if n := e.results.Size(); n > 0 {
			e.Std.Note("%s holds the results of %s (hint: the same command with --resume goes on)", e.output, layout.Count(n, "program"))
		}
		return err
	}
	return e.end(sum)
}

// open opens the tasks, and returns what messages call them.
func (e *evalOptions) open(ctx context.Context, name string) (string, io.ReadCloser, error) {
	if name == "-" {
		return cli.StdinName, io.NopCloser(&cli.Interruptible{Ctx: ctx, In: e.Std.In}), nil
	}
	f, err := regular.OpenAny(name)
	if err != nil {
		e := yamlstrict.FileError(name, err)
		e.Hint = "name a file with a task on each line, or - for standard input"
		return name, nil, e
	}
	if info, err := f.Stat(); err == nil && !info.Mode().IsRegular() && !info.IsDir() { // such as a pipe of the shell
		return name, struct {
			io.Reader
			io.Closer
		}{&cli.Interruptible{Ctx: ctx, In: f}, f}, nil
	}
	return name, f, nil
}

// begun prints notes about the results of an earlier judge.
func (e *evalOptions) begun() {
	if e.results.Cut() {
		e.Std.Note("note: %s ended in the middle of a line, which is dropped: that program is judged again", e.output)
	}
	if by := e.results.Judge(); by != version.Build() {
		e.Std.Note("note: %s was begun by another build of the judge, %s", e.output, by)
	}
}

// judge judges all programs, and shows how many are done.
func (e *evalOptions) judge(ctx context.Context, m *Machine, tasks func(func(*eval.Task, error) bool)) (*eval.Summary, error) {
	e.progress = e.Std.Follow("judging", e.Std.LiveErr())
	defer e.progress.Stop()
	begun := time.Now()
	evaluation := eval.Evaluation{
		Judge: &eval.Grader{Machine: m, All: e.all}, Slots: m.Pool.Slots(), K: e.ks,
		Known: e.results.Known,
		Emit:  e.results.Add,
		Failed: func(r *eval.Result) {
			e.tell(fmt.Errorf("task %s: program %s: %s", r.Task, r.Program, r.Cause))
		},
		Wrong: func(err error) error {
			if !e.keepGoing {
				return err
			}
			e.tell(err)
			return nil
		},
		Progress: func(done int, sum *eval.Summary) {
			say := ""
			if sum.Programs > sum.Known { // earlier results say nothing about the speed
				say = fmt.Sprintf("pass@1 %.0f %% · %.1f/s", 100*sum.PassAt1(), float64(sum.Programs-sum.Known)/time.Since(begun).Seconds())
			}
			total := e.programs
			if tasks := int(e.tasks.Load()); tasks > 0 { // which tell how far it is, because each may have any number of programs
				done, total = len(sum.Tasks), tasks
			}
			e.progress.Say(done, total, say)
		},
	}
	return evaluation.Run(ctx, tasks)
}

// tell prints an error that does not end the evaluation, unless many have been printed.
func (e *evalOptions) tell(err error) {
	e.told++
	e.progress.Interrupt(func() {
		switch {
		case e.told <= maxTold:
			e.Std.PrintError(err)
		case e.told == maxTold+1:
			e.Std.Note("more errors are only counted")
		}
	})
}

// end writes the summary and returns the exit status.
func (e *evalOptions) end(sum *eval.Summary) error {
	err := e.results.End(sum)
	if err != nil {
		return err
	}
	if e.summary == summaryJSON {
		err = document.Line(e.Std.Out, document.NewHead(eval.Schema), sum)
	} else {
		t := e.Std.Terminal(e.Std.Out)
		err = findings.Eval(e.Std.Out, sum, layout.Options{Color: t.Color, Width: t.Width})
	}
	switch {
	case err != nil:
		return err
	case sum.NotJudged > 0:
		return cli.Status(cli.ExitFailed)
	case sum.Skipped > 0:
		return cli.Status(cli.ExitUsage)
	}
	return nil
}

// Machine is an engine that implements [eval.Machine].
type Machine struct {
	*engine.Engine
	o      *cli.App
	limits cli.Override
}

// machine starts an engine.
func (e *evalOptions) machine(root string, c *config.Config) (*Machine, error) {
	eng, err := e.StartEngine(root, c, e.slots)
	if err != nil {
		return nil, err
	}
	return &Machine{eng, e.App, e.limits}, nil
}

func (m *Machine) Judge(p *problem.Problem) *grade.Judge {
	return m.Engine.Judge(m.NewCaseData(m.limits.Exceptions(p)))
}

func (m *Machine) Problem(ctx context.Context, name string) (*problem.Problem, func() error, error) {
	if !m.o.IsPackage(name) {
		p, err := repo.Load(m.Root, name)
		return p, func() error { return nil }, cli.Usage(err)
	}
	pack, p, err := m.o.OpenPackage(ctx, name, func() (string, error) { return m.Host.Temp(), nil }, m.Engine)
	if err != nil {
		return nil, nil, err
	}
	return p, pack.Close, nil
}

func (m *Machine) Limits(ctx context.Context, j *grade.Judge, t grade.Task) (limits.Limits, error) {
	t.Limits = m.Config.Complete(t.Limits)
	return m.limits.Over(m.Config, t.Limits, func() (limits.Limits, error) {
		derived, _, err := m.DeriveLimits(ctx, j, t)
		l := t.Limits
		l.CPU, l.Wall = derived.CPU, derived.Wall
		return l, err
	})
}

func (m *Machine) Faulty(err error) bool {
	_, user := errors.AsType[cli.UsageError](err)
	_, located := errors.AsType[*yamlstrict.Error](err)
	_, program := errors.AsType[*casedata.ProgramError](err)
	return (user || located || program) && !cli.Exhausted(err) && !errors.Is(err, syscall.ENOSPC)
}

func (m *Machine) Tidy() error { return m.Cache.Trim() }
