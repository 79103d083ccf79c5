package commands

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"tribunal/judge/cli"
	"tribunal/judge/cli/client"
	"tribunal/judge/cli/format"
	"tribunal/judge/cli/report"
	"tribunal/judge/cli/submit"
	"tribunal/judge/internal/build"
	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/config"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/engine"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/tty"
	"tribunal/judge/internal/watch"
	"tribunal/judge/internal/watchmode"
	"tribunal/judge/lab/stress"
	"tribunal/judge/packages/pkgformat"
)

type watchOptions struct {
	*cli.App
	ask, fresh bool
	slots      int
	language   string
	poll, hunt time.Duration
	compare    comparison
	there      serverOptions
	reports    *cli.Reports
	flags      []string // those that other commands need, too
}

func WatchCommand(o *cli.App) *cobra.Command {
	w := &watchOptions{App: o}
	cmd := &cobra.Command{
		Use:   "watch [PROBLEM…|PACKAGE] [SUBMISSION]",
		Short: "Judge again whenever a file is saved",
		Long: `Watch the files of problems and of a submission, and judge again whenever one of them
is saved. Without arguments, watch all problems. PROBLEM may be left out if the path
of the submission names a problem, such as game/solution.cpp or game.py.

A submission is judged on the case that failed last, and then on the other cases. After
a failure the watch looks for a small input on which it fails, as judge stress does.
When a reference solver, a generator or a case changes, the expected outputs are
recomputed, and their changes shown and written, as by judge regen.

A package must be a folder, and nothing is written to it. When its data, limits or
validators change, its reference and your submission are judged again (docs/watch.md).

Keys, also if standard input is not a terminal:
  r  run again
  a  run all problems
  f  run only what failed
  d  show the whole difference of the first failure
  g  write the outputs that --ask holds back
  s  submit to the server of --server, which judges beside the watch
  q  quit

On a screen, the arrow keys, j and k, Page Up, Page Down, Home and End scroll.`,
		Example: `  judge watch
  judge watch game solution.cpp
  judge watch packages/guess solution.py
  judge watch --ask marble
  judge watch game solution.cpp --server https://judge.example --token-file token`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cli.CheckSlots(cmd, w.slots); err != nil {
				return err
			}
			if w.poll < 0 || w.poll > 0 && w.poll < 10*time.Millisecond {
				return cli.Usage(fmt.Errorf("--poll %v: want a time of 10ms or more", w.poll))
			}
			if w.hunt < 0 {
				return cli.Usage(fmt.Errorf("--hunt %v: want a time, or 0 to look for nothing", w.hunt))
			}
			if err := o.Swapped(cmd, args); err != nil {
				return err
			}
			if err := lacking(cmd, "judge watch game solution.cpp --server http://localhost:8080"); w.there.server == "" && err != nil {
				return err
			}
			w.flags = cli.SetFlags(cmd, "root", "lang")
			return w.run(cmd.Context(), args)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&w.ask, "ask", false, "write changed expected outputs only when the key g is pressed")
	w.reports = o.Report(cmd, "json.md", format.Names(report.WatchFormats(nil)))
	f.BoolVar(&w.fresh, "fresh", false, "run everything again, instead of reusing results of earlier runs")
	f.IntVar(&w.slots, "slots", 0, "`number` of programs at a time (default: that of runner.yaml)")
	f.StringVar(&w.language, "lang", "", "`language` of the submission, whatever its name")
	w.compare.flags(cmd)
	w.there.place(cmd, "`URL` of a judged that the key s submits to (docs/api.md)")
	f.DurationVar(&w.hunt, "hunt", 20*time.Second, "after a failure, look for a smaller input for this `time`, until a file is saved; 0 looks for none")
	f.DurationVar(&w.poll, "poll", 0, "look for changed files at this `interval`, such as 1s, if the file system reports none")
	return cmd
}

func (w *watchOptions) run(ctx context.Context, args []string) (err error) {
	o := watchmode.Options{Ask: w.ask, Language: w.language, Hunt: w.hunt, Search: smallest, Flags: w.flags, Adapt: w.compare.apply}
	if w.compare.given() {
		o.Hunt = 0 // the commands that repeat a search compare as the problem says
	}
	var c *config.Config
	if len(args) > 0 && w.isWatchedPackage(args) {
		o.Package, o.Read = args[0], func(ctx context.Context, folder string) (*problem.Problem, func() error, error) {
			return pkgformat.Read(ctx, folder, w.Packages)
		}
		if o.Root, c, err = w.PackageConfig(); err != nil {
			return err
		}
		o.Problems, o.Submission, err = watchedPackage(args)
	} else {
		if o.Root, err = w.FindRoot(); err != nil {
			return err
		}
		if c, err = config.Load(o.Root); err != nil {
			return err
		}
		o.Kept = filepath.Join(o.Root, "kept")
		o.Problems, o.Submission, err = watched(o.Root, args)
	}
	if err != nil {
		return cli.Usage(err)
	}
	if o.Submission != "" { // report a wrong name before the first round
		if _, err := build.Submission(o.Submission, w.language, "", c.Build.Languages); err != nil {
			return cli.Usage(err)
		}
	}
	left := ""
	if w.there.server != "" {
		c, err := w.there.client(w.Std)
		if err == nil && o.Submission == "" {
			err = cli.Usage(errors.New("--server needs a submission to watch (hint: judge watch PROBLEM solution.cpp --server URL)"))
		}
		if err != nil {
			return err
		}
		o.Server, o.Submit = c.URL, w.submitter(c, o.Problems[0], o.Submission, &left)
	}
	watcher, err := watch.New(o.Roots(), watch.Options{Quiet: c.Quiet, Poll: w.poll})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, watcher.Close()) }()
	o.Watcher = watcher
	o.Open = func() (watchmode.Engine, error) { return w.engine(o.Root) }
	var screen *report.WatchScreen
	sink := cli.Begin(w.reports, report.WatchFormats(func(to format.Output) (s format.Sink) {
		s, screen = watchSink(to)
		return s
	}))
	defer func() {
		if err = sink.End(err); left != "" {
			w.Std.Note("%s", left)
		}
	}()
	commands, mode := readKeys(ctx, w.Std.In, screen)
	defer mode.leave()
	defer handleSignals(mode, screen)()
	return watchmode.Run(ctx, o, commands, sink.Event)
}

// submitter returns what the key s does. It sets left to what becomes of a submission without a result when the watch
// ends.
func (w *watchOptions) submitter(c *client.Client, problem, name string, left *string) watchmode.Submitter {
	return func(ctx context.Context, emit func(grade.Event), note func(string)) error {
		source, err := submit.Read(name)
		if err != nil {
			return err
		}
		task := submit.Task{Client: c, Problem: problem, Sources: []submit.Source{source}, Language: w.language, Note: note}
		taken, err := task.Grade(ctx, emit)
		switch {
		case ctx.Err() == nil:
		case len(taken) == 0:
			*left = "the server has not taken the submission"
		case !taken[0].Ended:
			*left = "the server goes on with the submission"
		}
		return refused(c, err)
	}
}

// watchSink returns the sink of the text report: a full screen on a terminal, or else lines. The
// screen is nil for lines.
func watchSink(to format.Output) (format.Sink, *report.WatchScreen) {
	f := tty.File(to.Writer)
	if !to.Live || !foreground(int(f.Fd())) { // only a program in the foreground may use the screen
		return report.NewWatchLines(to.Writer), nil
	}
	screen := report.NewWatchScreen(to.Writer, func() (cols, rows int) {
		cols, rows, err := term.GetSize(int(f.Fd()))
		if err != nil {
			return 0, 0
		}
		return cols, rows
	}, to.Color)
	return screen, screen
}

// isWatchedPackage reports whether the first argument is a package. A folder that is the only
// argument could also be a submission: it is a package only if it looks like a package.
func (w *watchOptions) isWatchedPackage(args []string) bool {
	if !w.IsPackage(args[0]) {
		return false
	}
	return len(args) > 1 || cli.IsPackageFile(args[0]) || pkgformat.Is(args[0])
}

// watchedPackage splits the arguments into the id of a package and a submission.
func watchedPackage(args []string) (ids []string, submission string, err error) {
	folder := args[0]
	if err := cli.NoPackage(folder); err != nil {
		return nil, "", err
	}
	info, err := os.Stat(folder)
	switch {
	case err != nil:
		return nil, "", err
	case !info.IsDir():
		return nil, "", fmt.Errorf("%s: only a folder can be watched (hint: unpack it)", folder)
	case len(args) > 2:
		return nil, "", fmt.Errorf("watch takes one package and at most one submission, found %d arguments (hint: judge watch %s %s)", len(args), folder, args[1])
	case len(args) == 2:
		submission = args[1]
	}
	full, err := filepath.Abs(folder)
	return []string{filepath.Base(full)}, submission, err
}

// watched splits the arguments into ids of problems and a submission. Only the last argument can be
// a submission, and the id of a problem is never one.
func watched(root string, args []string) (ids []string, submission string, err error) {
	known, err := repo.List(root)
	if err != nil {
		return nil, "", err
	}
	ids = args
	if n := len(args); n > 0 && !slices.Contains(known, args[n-1]) {
		last := args[n-1]
		if _, err := os.Stat(last); err == nil || strings.ContainsAny(last, "/.") {
			ids, submission = args[:n-1], last
		}
	}
	for _, id := range ids {
		if _, err := repo.Load(root, id); err != nil && !slices.Contains(known, id) {
			return nil, "", err
		}
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	switch {
	case submission == "", len(ids) == 1:
		return ids, submission, nil
	case len(ids) > 1:
		return nil, "", fmt.Errorf("%s: a submission needs one problem, found %d (hint: judge watch %s %s)", submission, len(ids), ids[0], submission)
	}
	id, err := owner(submission, known)
	return []string{id}, submission, err
}

// owner returns the id of the problem that a path names, by a folder or by the name of the file. It
// returns an error unless there is exactly one.
func owner(path string, known []string) (string, error) {
	full, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	names := strings.Split(filepath.ToSlash(strings.TrimSuffix(full, filepath.Ext(full))), "/")
	var found []string
	for _, id := range known {
		if slices.Contains(names, id) {
			found = append(found, id)
		}
	}
	if len(found) == 1 {
		return found[0], nil
	}
	return "", fmt.Errorf("%s: the path names no problem (hint: judge watch PROBLEM %s, where PROBLEM is one of %s)", path, path, strings.Join(known, ", "))
}

// watchEngine is an engine for the rounds of judge watch, which share a memo.
type watchEngine struct {
	*engine.Engine
	memo  *run.Memo
	fresh bool // --fresh: never reuse results
}

// engine starts an engine as configured by the present runner.yaml.
func (w *watchOptions) engine(root string) (watchmode.Engine, error) {
	c, err := config.Load(root)
	if err != nil {
		return nil, err
	}
	eng, err := w.StartEngine(root, c, w.slots)
	if err != nil {
		return nil, err
	}
	return &watchEngine{eng, eng.NewMemo(), w.fresh}, nil
}

func (eng *watchEngine) Languages() map[string]build.Language { return eng.Builder.Languages() }
func (eng *watchEngine) Show() diff.Options                   { return eng.Config.Diff }

func (eng *watchEngine) Task(ctx context.Context, m *casedata.Provider) (grade.Task, error) {
	t := engine.Task(eng.Config, m.Problem)
	if t.Limits.CPU > 0 {
		return t, nil
	}
	set, err := m.Problem.Cases()
	if err != nil {
		return t, err
	}
	all := t
	all.Cases = set.Cases
	t.Limits, _, err = eng.DeriveLimits(ctx, eng.Judge(m, false), all) // reuses earlier runs
	return t, err
}

func (eng *watchEngine) CaseData(p *problem.Problem) *casedata.Provider {
	m := eng.NewCaseData(p)
	m.Memo = eng.memo
	return m
}

func (eng *watchEngine) Judge(m *casedata.Provider, fresh bool) *grade.Judge {
	eng.memo.Fresh = fresh || eng.fresh
	j := eng.Engine.Judge(m)
	j.Memo = eng.memo
	return j
}

// smallest has judge stress look for the smallest failing input.
func smallest(ctx context.Context, h watchmode.Hunting) (*watchmode.Found, error) {
	s := &stress.Search{Judge: h.Judge, Task: h.Task, A: stress.Side{Name: h.Name, Program: h.Program, Limits: h.Task.Limits}, Given: h.Given}
	found, err := s.Smallest(ctx, h.CaseData, h.Seed, h.Failed, h.Slow, h.Time/2)
	if found == nil || err != nil {
		return nil, err
	}
	return &watchmode.Found{Number: found.Number, Input: found.Input, Want: found.Want, Answer: watchmode.Answer(found.A)}, nil
}
