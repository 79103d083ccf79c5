package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tribunal/judge/internal/account"
	"tribunal/judge/internal/build"
	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/config"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/report"
	"tribunal/judge/internal/verdict"
)

type gradeOptions struct {
	*options
	globs          []string
	all, exact     bool
	optional       bool
	expect         bool
	quiet, verbose bool
	slots, repeat  int
	language       string
	limits         string
	keep           string
	reports        *reports
}

func gradeCommand(o *options) *cobra.Command {
	g := &gradeOptions{options: o}
	cmd := &cobra.Command{
		Use:   "grade PROBLEM|PACKAGE SUBMISSION…",
		Short: "Judge submissions on a problem's cases",
		Long: `Judge submissions on a problem's cases, in the jail and under its limits.

A submission is a source file, a folder of sources (a Go module or package, C++
with headers, Java with several classes, a Python package), an ELF executable, or
- for source on standard input, with --lang. Several submissions give a matrix.

The verdict of a submission is that of its first case that is not accepted, in
case order; judging stops there unless --all is given. A case whose run came near
a limit, or waited too long for a CPU, is run again with nothing beside it.

Optional groups of cases are judged only with --optional, --case or --expect, because
the folder of an example names its verdict on all cases.`,
		Example: `  judge grade game solution.cpp
  judge grade game --all --case 'edge/*' solution.py
  judge grade maze --expect reference/maze/submissions/*/*
  judge grade game --lang python3 - < solution`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 {
				return usage(errors.New("grade wants a problem and at least one submission (hint: judge grade game solution.cpp)"))
			}
			if err := checkSlots(cmd, g.slots); err != nil {
				return err
			}
			if cmd.Flags().Changed("repeat") && (g.repeat < 2 || g.repeat > maxRepeat) {
				return usage(fmt.Errorf("--repeat %d: want a number from 2 to %d (hint: without it, doubtful cases alone are run again)", g.repeat, maxRepeat))
			}
			if !cmd.Flags().Changed("optional") {
				g.optional = g.expect
			}
			return g.run(cmd.Context(), args[0], args[1:])
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&g.globs, "case", nil, "only the cases that match this `glob`, as in 'edge/*' or statement; may be repeated")
	f.BoolVar(&g.all, "all", false, "judge all cases, also after a failure")
	f.BoolVar(&g.optional, "optional", false, "judge the optional groups of cases as well (--optional=false: not with --expect either)")
	f.BoolVar(&g.exact, "exact", false, "demand the expected bytes even where the problem has a checker")
	f.BoolVar(&g.expect, "expect", false, "expect the verdict that each submission's folder names, as in wrong_answer/, or what a package promises of its own")
	g.reports = o.report(cmd, "json.md", report.Names(report.GradeFormats(nil, report.TerminalOptions{})))
	f.BoolVarP(&g.quiet, "quiet", "q", false, "print only the verdicts")
	f.BoolVarP(&g.verbose, "verbose", "v", false, "print every case with its measurements")
	f.IntVar(&g.slots, "slots", 0, "`runs` at a time (default: as in runner.yaml)")
	f.IntVar(&g.repeat, "repeat", 0, "run every case so many `times`, 2 to 100, and show how far they differ")
	f.StringVar(&g.language, "lang", "", "`language` of the sources, whatever their names say")
	f.StringVar(&g.limits, "limits", "", "`limits` in place of the problem's, as in cpu=2s,memory=64MiB")
	f.StringVar(&g.keep, "keep", "", "keep the outputs produced, or what was said of an interactive problem, in this `folder`")
	f.Lookup("keep").NoOptDefVal = keepDefault
	return cmd
}

// maxRepeat is how often --repeat runs a case at most.
const maxRepeat = 100

// keepDefault stands for the folder of a --keep without one; PROBLEM becomes the problem's id.
const keepDefault = keptFolder + "/PROBLEM"

const keptFolder = "kept"

// hideKept makes the folder that --keep uses by default, unless it exists, with a
// .gitignore: the working folder may be part of a repository.
func hideKept() error {
	err := os.Mkdir(keptFolder, 0o755)
	if err == nil {
		return os.WriteFile(filepath.Join(keptFolder, ".gitignore"), []byte("# made by judge grade --keep\n*\n"), 0o644)
	}
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

func (g *gradeOptions) run(ctx context.Context, id string, names []string) (err error) {
	if g.exact && g.isPackage(id) {
		return usage(errors.New("--exact is for problems of the repository (hint: a package says itself how outputs are judged)"))
	}
	s, err := g.options.open(ctx, id, g.slots)
	if err != nil {
		if _, asked := errors.AsType[usageError](err); asked || !g.isPackage(id) {
			return g.andSubmissions(ctx, err, s.config, names)
		}
		return err
	}
	defer s.close(&err)
	if s.Grader != nil || s.Validator != nil && s.Validator.Always { // nothing can be judged without these
		eng, err := s.engine()
		if err != nil {
			return err
		}
		if err := s.programs(ctx, eng); err != nil {
			return err
		}
	}
	s.notes()
	task := task(s.config, s.Problem)
	if g.exact {
		if err := s.Need(problem.Outputs); err != nil {
			return usage(err)
		}
		task.Problem = s.WithValidator(nil)
	}
	var wrong [3]error // errors of the user, reported together
	wrong[0] = g.count(s, &task)
	_, wrong[1] = g.override(s.config, task.Limits)
	task.Submissions, wrong[2] = g.submissions(ctx, s, names)
	if err := errors.Join(wrong[:]...); err != nil {
		return err
	}
	eng, err := s.engine()
	if err != nil {
		return err
	}
	provider := s.caseData(eng)
	if err := g.bound(ctx, eng, s, &task); err != nil {
		return err
	}
	if err := g.setKeep(&task, s.ID); err != nil {
		return err
	}
	if s.Interactive() && task.Keep != "" {
		task.Transcript = transcript
	}
	held, err := g.promises(s.Problem, names, &task)
	if err != nil {
		return err
	}
	if err := g.prepare(ctx, provider, task.Cases); err != nil {
		return err
	}
	return g.judge(ctx, eng, eng.judge(provider), task, held)
}

// setKeep sets how much of a task is judged, and the folder in which outputs are kept, which it
// makes.
func (g *gradeOptions) setKeep(t *grade.Task, id string) error {
	t.All, t.Repeat = g.all, g.repeat
	if t.Keep = g.keep; g.keep == keepDefault {
		t.Keep = filepath.Join(keptFolder, id)
		// The working folder may belong to another account, and so may a link in it.
		for _, dir := range []string{keptFolder, t.Keep} {
			if info, err := os.Lstat(dir); err == nil && info.Mode().Type() == os.ModeSymlink {
				return usage(fmt.Errorf("--keep: %s is a link (hint: name the folder that it leads to, as --keep=DIR)", dir))
			}
		}
		if err := hideKept(); err != nil {
			return usage(fmt.Errorf("--keep: %w (hint: name another folder)", err))
		}
	}
	if t.Keep == "" {
		return nil
	}
	if err := os.MkdirAll(t.Keep, 0o755); err != nil {
		return usage(fmt.Errorf("--keep: %w (hint: name a folder that can be written)", err))
	}
	return nil
}

// judge judges the submissions of a task, writes the reports, and checks the promises of
// submissions that have any.
func (g *gradeOptions) judge(ctx context.Context, eng *engine, j *grade.Judge, task grade.Task, p promises) error {
	absent, err := withoutTools(ctx, eng, task.Submissions)
	if err != nil {
		return err
	}
	x := &account.Execution{Full: report.MaxFull}
	sink := begin(g.reports, report.GradeFormats(x, report.TerminalOptions{Quiet: g.quiet, Verbose: g.verbose, Chosen: len(g.globs) > 0}))
	if sink.full {
		x.Full = -1
	}
	outcome := exitOK
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var unkept error
	err = j.Grade(ctx, task, func(e grade.Event) {
		switch e := e.(type) {
		case *grade.Built:
			absent[e.Submission] = absent[e.Submission] || e.NoTools
		case *grade.Case:
			p.see(e)
			if unkept == nil {
				unkept = keepTranscript(task, e)
			}
			if unkept != nil {
				stop()
			}
		case *grade.Done:
			p.settle(e)
			if absent[e.Submission] {
				outcome = max(outcome, exitUsage)
			} else {
				outcome = max(outcome, worth(e))
			}
		}
		x.Apply(e)
		sink.Event(e)
	})
	if unkept != nil {
		err = usage(fmt.Errorf("--keep: %w (hint: name a folder that can be written)", unkept))
	}
	if err := sink.end(err); err != nil {
		return err
	}
	p.tell(g.std)
	if outcome != exitOK {
		return status(outcome)
	}
	return nil
}

// withoutTools returns the indices of the submissions whose compilers or interpreters are missing
// or do not work. If no submission can be built, it returns an error that names each missing tool.
func withoutTools(ctx context.Context, eng *engine, list []grade.Submission) (map[int]bool, error) {
	absent := map[int]bool{}
	told := map[string]bool{}
	var all []error
	for i, s := range list {
		_, err := eng.builder.Key(ctx, s.Source)
		if _, missing := errors.AsType[*build.MissingError](err); err != nil && !missing {
			return nil, err
		}
		if err == nil {
			continue
		}
		absent[i] = true
		if !told[err.Error()] {
			told[err.Error()] = true
			all = append(all, err)
		}
	}
	if len(absent) == len(list) {
		return nil, errors.Join(all...)
	}
	return absent, nil
}

// prepare makes the inputs, and prints a note if that takes long: the first time, generators are
// compiled together with the parts of Go's standard library that they need.
func (g *gradeOptions) prepare(ctx context.Context, m *casedata.Provider, list []cases.Case) error {
	defer g.std.doing("preparing the inputs of " + m.Problem.ID + ", once")()
	return m.Prepare(ctx, list)
}

// worth returns the exit code for the verdict on one submission.
func worth(d *grade.Done) int {
	switch {
	case d.Verdict == verdict.JE:
		return exitFailed
	case d.AsExpected == nil && d.Verdict == verdict.AC, d.AsExpected != nil && *d.AsExpected:
		return exitOK
	}
	return exitNot
}

// count sets the cases of a task, in case order. Cases of optional groups are among them only if
// the user asked for them, by --case or --optional.
func (g *gradeOptions) count(s *subject, t *grade.Task) error {
	set, err := s.Cases()
	if err == nil {
		err = set.Missing()
	}
	if err != nil {
		return err
	}
	if len(g.globs) > 0 || g.optional {
		t.Cases, err = g.chosen(set.Cases)
		return err
	}
	t.Cases, t.LeftOut = cases.Required(set.Cases), set.Optional()
	return nil
}

// chosen returns the cases that match --case, in case order; all if it was not given.
func (g *gradeOptions) chosen(list []cases.Case) ([]cases.Case, error) {
	if len(g.globs) == 0 {
		return list, nil
	}
	chosen := map[string]bool{}
	for _, glob := range g.globs {
		matched, err := cases.Match(glob, list)
		if err != nil {
			return nil, usage(fmt.Errorf("--case: %w", err))
		}
		for _, c := range matched {
			chosen[c.Name] = true
		}
	}
	return slices.DeleteFunc(list, func(c cases.Case) bool { return !chosen[c.Name] }), nil
}

// override applies --limits. A change of the CPU limit changes the wall limit too, unless that is
// given as well.
func (g *gradeOptions) override(c *config.Config, l limits.Limits) (limits.Limits, error) {
	changed, err := l.Override(g.limits)
	if err != nil {
		return l, usage(fmt.Errorf("--limits: %w", err))
	}
	if !strings.Contains(g.limits, "wall=") {
		switch derived := wall(c, changed); {
		case changed.CPU > l.CPU:
			changed.Wall = max(l.Wall, derived)
		case changed.CPU < l.CPU:
			changed.Wall = min(l.Wall, derived)
		}
	}
	return changed, nil
}

// bound applies --limits to a task. If the task has no time limit then, bound derives one first.
func (g *gradeOptions) bound(ctx context.Context, eng *engine, s *subject, t *grade.Task) error {
	given, err := g.override(s.config, t.Limits)
	if err == nil && given.CPU == 0 {
		if t.Limits, err = s.timed(ctx, eng, *t); err == nil {
			given, err = g.override(s.config, t.Limits)
		}
	}
	t.Limits = given
	return err
}

// wall derives a wall limit from the CPU limit.
func wall(c *config.Config, l limits.Limits) time.Duration {
	return time.Duration(float64(l.CPU) * c.WallFactor)
}
