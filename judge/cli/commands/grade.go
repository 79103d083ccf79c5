// Package commands has the commands with which problems are judged, kept and exchanged.
package commands

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"tribunal/judge/class/sheet"
	"tribunal/judge/cli"
	"tribunal/judge/cli/format"
	"tribunal/judge/cli/layout"
	"tribunal/judge/cli/report"
	"tribunal/judge/internal/account"
	"tribunal/judge/internal/build"
	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/engine"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/verdict"
)

type gradeOptions struct {
	*cli.App
	globs          []string
	all, optional  bool
	regen          bool
	compare        comparison
	expect, fresh  bool
	quiet, verbose bool
	order          report.Order
	slots, repeat  int
	language       string
	limits         cli.Override
	keep           string
	reports        *cli.Reports
	again          func(problem string) []string // words of the command that judges a submission to a problem again
	command        []string                      // of these, for grade.Task
	journal        journalOptions
	drawn          drawings
	sheet          string // the folder or table of --sheet
	handIns        sheet.Options
	byName         bool
	class          classOptions
	scoring        account.Scoring // of class
	there          serverOptions
}

func GradeCommand(o *cli.App) *cobra.Command {
	g := &gradeOptions{App: o}
	cmd := &cobra.Command{
		Use:   "grade PROBLEM|PACKAGE SUBMISSION…",
		Short: "Judge submissions on a problem's test cases",
		Long: `Judge submissions on a problem's test cases, in the sandbox and under the problem's
limits.

A submission is a source file, a folder of sources (a Go module or package, C++
with headers, Java with several classes, a Python package), an ELF executable, or
"-" for source on standard input, which requires --lang. Several submissions are
compared in a matrix.

The verdict of a submission is the verdict of its first failing case, in case order.
Judging stops at that case unless --all is given (docs/grading.md).

With --sheet the arguments are problems, and the submissions are what several students
have handed in for them (docs/sheets.md). Optional groups of cases are judged only with
--optional, --case or --expect.

With --server a judged judges. The problem is one of its problems, as ID or ID@VERSION,
the token is in TRIBUNAL_TOKEN or in the file of --token-file, and when the command is
interrupted, the server goes on unless --cancel is given.`,
		Example: `  judge grade game solution.cpp
  judge grade game --all --case 'edge/*' solution.py
  judge grade maze --expect reference/maze/submissions/*/*
  judge grade game --lang python3 - < solution
  judge grade --sheet class/ game maze --journal class.journal
  judge grade --server https://judge.example game solution.cpp`,
		RunE: func(cmd *cobra.Command, args []string) error {
			g.again = func(problem string) []string {
				return cli.Words(cmd, problem, "root", "root-of-package", "dialect", "pairs", "lang", "limits", "compare", "exact")
			}
			if g.there.server != "" {
				return g.gradeByServer(cmd, args)
			}
			if err := lacking(cmd, "judge grade --server http://localhost:8080 game solution.cpp"); err != nil {
				return err
			}
			if !cmd.Flags().Changed("fresh") {
				g.fresh = os.Getenv("TRIBUNAL_FRESH") != ""
			}
			if g.sheet != "" {
				return g.gradeSheet(cmd.Context(), args)
			}
			if len(args) < 2 {
				return cli.Usage(errors.New("grade needs a problem and at least one submission (hint: judge grade game solution.cpp)"))
			}
			if err := o.Swapped(cmd, args); err != nil {
				return err
			}
			if err := cli.CheckSlots(cmd, g.slots); err != nil {
				return err
			}
			if cmd.Flags().Changed("repeat") && (g.repeat < 2 || g.repeat > cli.MaxRepeat) {
				return cli.Usage(fmt.Errorf("--repeat %d: want a number from 2 to %d (hint: without --repeat, only doubtful cases are run again)", g.repeat, cli.MaxRepeat))
			}
			for _, name := range args[1:] {
				if _, err := os.Lstat(name); g.keep == keepDefault && err != nil && filepath.Ext(name) == "" && name != "-" && name != "" {
					return cli.Usage(fmt.Errorf("%s: no such submission (hint: did you mean --keep=%s?)", name, name))
				}
			}
			if !cmd.Flags().Changed("optional") {
				g.optional = g.expect
			}
			var err error
			if g.scoring, err = g.class.scoring(nil); err != nil {
				return cli.Usage(err)
			}
			if g.class.points != "" && len(g.globs) > 0 {
				return cli.Usage(errors.New("--points and --case exclude each other, because all cases have points (hint: leave one of them out)"))
			}
			g.command = g.again(args[0])
			return g.run(cmd.Context(), args[0], args[1:])
		},
	}
	g.flags(cmd, "here")
	f := cmd.Flags()
	cli.CaseFlag(cmd, &g.globs, "judge")
	f.BoolVar(&g.optional, "optional", false, "judge optional groups of cases too (--optional=false skips them even with --expect)")
	f.BoolVar(&g.regen, "regen", false, "regenerate the expected outputs first if the reference has changed, as judge regen does")
	g.compare.flags(cmd)
	f.Lookup("expect").Usage += ", or what the package declares"
	f.BoolVar(&g.fresh, "fresh", false, "run everything again, instead of reusing results of earlier runs (default: whether TRIBUNAL_FRESH is set)")
	f.IntVar(&g.slots, "slots", 0, "`number` of programs at a time (default: that of runner.yaml)")
	f.IntVar(&g.repeat, "repeat", 0, "run every case this many `times`, 2 to 100, and show how much the runs differ")
	f.StringVar(&g.keep, "keep", "", "keep the outputs, or the transcripts of an interactive problem, in this `folder`")
	f.Lookup("keep").NoOptDefVal = keepDefault
	g.journal.flags(cmd)
	g.reports.Written = append(g.reports.Written, &g.journal.file)
	g.sheetFlags(cmd)
	g.there.flags(cmd)
	return cmd
}

// reading is how the submissions are read.
func (g *gradeOptions) reading() cli.Reading {
	return cli.Reading{App: g.App, Language: g.language, Expect: g.expect}
}

// flags adds the flags of judging submissions, here or there, on a server.
func (g *gradeOptions) flags(cmd *cobra.Command, place string) {
	f := cmd.Flags()
	f.BoolVar(&g.all, "all", false, "judge all cases, even after a failure")
	f.BoolVar(&g.expect, "expect", false, "succeed only if each submission gets the verdict that its folder names, such as wrong_answer/")
	formats := append(format.Names(report.GradeFormats(nil, report.TerminalOptions{})), format.GradeBook) // with --sheet
	g.reports = g.Report(cmd, "json.md", formats)
	f.BoolVarP(&g.quiet, "quiet", "q", false, "print only the verdicts")
	f.BoolVarP(&g.verbose, "verbose", "v", false, "print what enforces the limits "+place+", and every case with its measurements")
	g.order = report.ByArgument
	f.Var(cli.Choose(&g.order, report.Orders(), "order"), "sort", "`order` of several submissions in the report: "+cli.List(report.Orders()))
	f.StringVar(&g.language, "lang", "", "`language` of the sources, whatever their names")
	g.limits.AddFlag(cmd)
}

func (g *gradeOptions) run(ctx context.Context, id string, names []string) (err error) {
	if g.regen {
		if err := renew(ctx, g.App, g.slots, id); err != nil {
			return err
		}
	}
	s, err := g.App.OpenToRun(ctx, id, g.slots)
	if err != nil {
		if _, asked := errors.AsType[cli.UsageError](err); asked || !g.IsPackage(id) {
			return g.reading().JoinErrors(ctx, err, s.Config, names)
		}
		return err
	}
	defer s.Close(&err)
	task, held, err := g.task(ctx, s, names)
	if err != nil {
		return err
	}
	if g.journal.resume && g.keep != "" {
		return cli.Usage(errors.New("--resume and --keep exclude each other, because a journal has no outputs (hint: leave one of them out)"))
	}
	if err := g.journal.start(g.Std); err != nil {
		return err
	}
	defer g.journal.end(ctx, g.Std, &err)
	return g.judge(ctx, s.Running, s.CaseData(s.Running), task, held)
}

// task returns the task of judging submissions on a problem, whose engine it starts and whose cases it
// prepares, and with --expect what the problem promises about them. It prints notes about a package.
func (g *gradeOptions) task(ctx context.Context, s *cli.Subject, names []string) (t grade.Task, held promises, err error) {
	if err := g.compare.check(s.Problem); err != nil {
		return t, nil, err
	}
	if s.Grader != nil || s.Validator != nil && s.Validator.Always { // no case can be judged without them
		eng, err := s.Engine()
		if err != nil {
			return t, nil, err
		}
		if err := eng.Programs(ctx, s.CaseData(eng)); err != nil {
			return t, nil, err
		}
	}
	s.PrintNotes()
	t = engine.Task(s.Config, s.Problem)
	t.Command, t.Drawable = g.command, engine.Drawable(s.Problem)
	var wrong [3]error // errors of the user, reported together
	if wrong[0] = g.setCases(s, &t); wrong[0] == nil {
		wrong[0] = g.compare.apply(&t)
	}
	_, wrong[1] = g.limits.Change(s.Config, t.Limits)
	t.Submissions, wrong[2] = g.reading().Submissions(ctx, s, names)
	if err := errors.Join(wrong[:]...); err != nil {
		return t, nil, err
	}
	eng, err := s.Engine()
	if err != nil {
		return t, nil, err
	}
	if note, err := textNote(&t); err != nil {
		return t, nil, err
	} else if note != "" {
		g.Std.Note("%s", note)
	}
	if s.HasReference() && s.Lock != nil && s.Lock.Reference != "" {
		if made, _, err := s.CaseData(eng).Made(ctx, s.Reference); err == nil && made != s.Lock.Reference {
			g.Std.Note("note: the expected outputs were made by another %s (hint: judge regen %s, or judge grade --regen)", s.Reference, s.ID)
		}
	}
	if err := g.setLimits(ctx, eng, s, &t); err != nil {
		return t, nil, err
	}
	if err := g.setKeep(&t, s.ID); err != nil {
		return t, nil, err
	}
	if s.Interactive() && t.Keep != "" {
		t.Transcript = transcript
	}
	if held, err = g.promises(s.Problem, names, &t); err != nil {
		return t, nil, err
	}
	if g.scoring.Apply(&t); g.class.points != "" && t.Points == nil && g.sheet == "" {
		g.Std.Note("note: %s has points of its own, and keeps them", s.ID)
	}
	return t, held, eng.Prepare(ctx, s.CaseData(eng), t.Cases)
}

// judge judges the submissions of a task, writes the reports, and checks the promises p, which
// --expect collected.
func (g *gradeOptions) judge(ctx context.Context, eng *engine.Engine, provider *casedata.Provider, task grade.Task, p promises) error {
	absent, err := missingTools(ctx, eng, task.Submissions)
	if err != nil {
		return err
	}
	session, err := g.journal.session(ctx, eng, provider, task)
	if err != nil {
		return err
	}
	x := &account.Execution{Full: report.MaxFull}
	sink := cli.Begin(g.reports, report.GradeFormats(x, report.TerminalOptions{Quiet: g.quiet, Verbose: g.verbose, Order: g.order, Chosen: len(g.globs) > 0}))
	if sink.Full {
		x.Full = -1
	}
	draws := sink.Drawn && task.Drawable
	if draws {
		task.Outputs = mostDrawn
	}
	var end grade.Event // held back until the failing cases are drawn
	outcome := cli.ExitOK
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var keepErr error
	events := func(e grade.Event) {
		switch e := e.(type) {
		case *grade.Built:
			absent[e.Submission] = absent[e.Submission] || e.NoTools
		case *grade.Case:
			p.record(e)
			if keepErr == nil {
				keepErr = keepTranscript(task, e)
			}
			if keepErr != nil {
				stop()
			}
		case *grade.End:
			if draws && end == nil {
				end = e
				return
			}
		case *grade.Done:
			p.decide(e, task.Points != nil)
			if absent[e.Submission] {
				outcome = max(outcome, cli.ExitUsage)
			} else {
				outcome = max(outcome, submissionCode(e))
			}
		}
		x.Apply(e)
		sink.Event(e)
	}
	rest, all := task, events
	if session != nil {
		rest, all = session.Begin(task, events)
	}
	err = g.grade(ctx, eng, provider, rest, all)
	if end != nil {
		g.drawn.draw(ctx, task.Problem.ID, provider.Draw, task.Cases, x.Submissions, func(err error) { g.Std.Note("not drawn: %v", err) })
		events(end)
	}
	if keepErr != nil {
		err = cli.Usage(fmt.Errorf("--keep: %w (hint: name a folder that you may write to)", keepErr))
	}
	if err := sink.End(err); err != nil {
		if n := x.Finished(); ctx.Err() != nil && len(task.Submissions) > 1 && session == nil {
			g.Std.Note("%d of %s judged (hint: with --journal FILE, --resume goes on from there)", n, layout.Count(len(task.Submissions), "submission"))
		}
		return err
	}
	if session != nil && session.Err() != nil {
		return session.Err()
	}
	p.print(g.Std)
	if outcome != cli.ExitOK {
		return cli.Status(outcome)
	}
	return nil
}

// grade judges a task, and remembers what another run would repeat. What came near a limit, or does not
// compile, is remembered only with --expect, for the author of a problem, who judges its programs again and again.
func (g *gradeOptions) grade(ctx context.Context, eng *engine.Engine, provider *casedata.Provider, t grade.Task, emit func(grade.Event)) error {
	if g.expect {
		eng.Builder.RememberRefusals(g.fresh)
	}
	j := eng.Judge(provider)
	if t.Repeat <= 1 {
		j.Memo = eng.NewMemo()
		j.Memo.Fresh, j.Memo.Strict, j.Memo.Confirm = g.fresh, !g.expect, g.expect
		defer j.Memo.Flush()
	}
	return j.Grade(ctx, t, emit)
}

// missingTools returns the indices of the submissions whose compilers or interpreters are missing
// or do not work. If no submission can be built, it returns an error that names each missing tool.
func missingTools(ctx context.Context, eng *engine.Engine, list []grade.Submission) (map[int]bool, error) {
	absent := map[int]bool{}
	seen := map[string]bool{}
	var distinct []error
	for i, s := range list {
		_, err := eng.Builder.Key(ctx, s.Source)
		if _, missing := errors.AsType[*build.MissingError](err); err != nil && !missing {
			return nil, err
		}
		if err == nil {
			continue
		}
		absent[i] = true
		if !seen[err.Error()] {
			seen[err.Error()] = true
			distinct = append(distinct, err)
		}
	}
	if len(absent) == len(list) {
		return nil, errors.Join(distinct...)
	}
	return absent, nil
}

// submissionCode returns the exit code for one submission.
func submissionCode(d *grade.Done) int {
	switch {
	case d.Verdict == verdict.JE:
		return cli.ExitFailed
	case d.AsExpected == nil && d.Verdict == verdict.AC, d.AsExpected != nil && *d.AsExpected:
		return cli.ExitOK
	}
	return cli.ExitNot
}

// setCases sets the cases of a task, in case order. It includes optional groups only with --case or
// --optional.
func (g *gradeOptions) setCases(s *cli.Subject, t *grade.Task) error {
	set, err := engine.Cases(s.Problem)
	if err != nil {
		return err
	}
	s.Lock = set.Lock
	if len(g.globs) > 0 || g.optional {
		t.Cases, err = cli.ChosenCases(g.globs, set.Cases)
		return err
	}
	t.Cases, t.LeftOut = cases.Required(set.Cases), set.Optional()
	return nil
}

// setLimits applies --limits to a task. If neither the task nor --limits has a time limit,
// setLimits first derives one from the problem's submissions.
func (g *gradeOptions) setLimits(ctx context.Context, eng *engine.Engine, s *cli.Subject, t *grade.Task) (err error) {
	t.Problem = g.limits.Exceptions(t.Problem)
	t.Limits, err = g.limits.Over(s.Config, t.Limits, func() (limits.Limits, error) { return eng.MeasureLimits(ctx, s.CaseData(eng), *t) })
	return err
}
