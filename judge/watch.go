package main

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

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/config"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/pkgformat"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/report"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/tty"
	"tribunal/judge/internal/watch"
	"tribunal/judge/internal/watchmode"
)

type watchOptions struct {
	*options
	ask, fresh bool
	slots      int
	language   string
	poll       time.Duration
	reports    *reports
}

func watchCommand(o *options) *cobra.Command {
	w := &watchOptions{options: o}
	cmd := &cobra.Command{
		Use:   "watch [PROBLEM…|PACKAGE] [SUBMISSION]",
		Short: "Judge again whenever a file is saved, and keep expectations fresh",
		Long: `Watch the problems, their reference solvers and cases, and a submission. A file that
is saved is judged at once: a submission, beginning with the case that failed last;
a reference solver or generator on all cases, and expected outputs that change are
shown, checked and written, as judge regen does.

In a package, which must be a folder, a submission of its own is held to what the
package promises of it, and the reference and your submission are judged again when
data, limits or validators change. Nothing is written there.

Without arguments all problems are watched. With a submission the problem may be
left out if its path names one, as in game/solution.cpp or game.py.

Keys: r run again, a all problems, f only what failed, d the whole difference of the
first failure, g write what --ask holds back, q quit. They are read from standard
input, terminal or not.`,
		Example: `  judge watch
  judge watch game solution.cpp
  judge watch packages/guess solution.py
  judge watch --ask marble`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkSlots(cmd, w.slots); err != nil {
				return err
			}
			if w.poll < 0 || w.poll > 0 && w.poll < 10*time.Millisecond {
				return usage(fmt.Errorf("--poll %v: want a time of 10ms or more", w.poll))
			}
			return w.run(cmd.Context(), args)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&w.ask, "ask", false, "write changed expectations only when told to, by the key g")
	w.reports = o.report(cmd, "json.md", report.Names(report.WatchFormats(nil)))
	f.BoolVar(&w.fresh, "fresh", false, "run everything, even if it ran before and has not changed")
	f.IntVar(&w.slots, "slots", 0, "`runs` at a time (default: as in runner.yaml)")
	f.StringVar(&w.language, "lang", "", "`language` of the submission, whatever its name says")
	f.DurationVar(&w.poll, "poll", 0, "look for changed files at this interval, such as 1s, if the system does not report changes")
	return cmd
}

func (w *watchOptions) run(ctx context.Context, args []string) (err error) {
	o := watchmode.Options{Ask: w.ask, Language: w.language}
	var c *config.Config
	if len(args) > 0 && w.isWatchedPackage(args) {
		o.Package = args[0]
		if o.Root, c, err = w.machine(); err != nil {
			return err
		}
		o.Problems, o.Submission, err = watchedPackage(args)
	} else {
		if o.Root, err = w.findRoot(); err != nil {
			return err
		}
		if c, err = config.Load(o.Root); err != nil {
			return err
		}
		o.Kept = filepath.Join(o.Root, "kept")
		o.Problems, o.Submission, err = watched(o.Root, args)
	}
	if err != nil {
		return usage(err)
	}
	if o.Submission != "" { // a wrong name is an error at once
		if _, err := build.Submission(o.Submission, w.language, c.Build.Languages); err != nil {
			return usage(err)
		}
	}
	watcher, err := watch.New(o.Roots(), watch.Options{Quiet: c.Quiet, Poll: w.poll})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, watcher.Close()) }()
	o.Watcher = watcher
	o.Open = func() (watchmode.Engine, error) { return w.engine(o.Root) }
	var screen *report.WatchScreen
	sink := begin(w.reports, report.WatchFormats(func(to report.Output) (s report.Sink[watchmode.Event]) {
		s, screen = forPeople(to)
		return s
	}))
	defer func() { err = sink.end(err) }()
	commands, mode := readKeys(ctx, w.std.in)
	defer mode.leave()
	defer obey(mode, screen)()
	return watchmode.Run(ctx, o, commands, sink.Event)
}

// forPeople returns the sink for people: a whole screen on a terminal, returned once more as the
// screen, or lines.
func forPeople(to report.Output) (report.Sink[watchmode.Event], *report.WatchScreen) {
	f := tty.File(to.Writer)
	if !to.Live || !foreground(int(f.Fd())) { // in the background another program uses the screen
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

// isWatchedPackage reports whether the first argument is a package. A folder could also be a
// submission: if it is the only argument, it is a package only if it looks like one.
func (w *watchOptions) isWatchedPackage(args []string) bool {
	if !w.isPackage(args[0]) {
		return false
	}
	return len(args) > 1 || isArchive(args[0]) || pkgformat.Is(args[0])
}

// watchedPackage returns the id of the package to watch, and the submission.
func watchedPackage(args []string) (ids []string, submission string, err error) {
	folder := args[0]
	if err := noPackage(folder); err != nil {
		return nil, "", err
	}
	info, err := os.Stat(folder)
	switch {
	case err != nil:
		return nil, "", err
	case !info.IsDir():
		return nil, "", fmt.Errorf("%s: not a folder, whose files could be watched (hint: unpack it)", folder)
	case len(args) > 2:
		return nil, "", fmt.Errorf("watch wants one package and at most one submission, and got %d arguments (hint: judge watch %s %s)", len(args), folder, args[1])
	case len(args) == 2:
		submission = args[1]
	}
	full, err := filepath.Abs(folder)
	return []string{filepath.Base(full)}, submission, err
}

// watched splits the arguments into problems and a submission. Only the last argument can be a
// submission, and the id of a problem always means the problem.
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
		return nil, "", fmt.Errorf("%s is for one problem, and there are %d (hint: judge watch %s %s)", submission, len(ids), ids[0], submission)
	}
	id, err := owner(submission, known)
	return []string{id}, submission, err
}

// owner returns the one problem that a path names, by a folder or the file's own name.
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
	return "", fmt.Errorf("%s: no problem is named (hint: judge watch PROBLEM %s, where PROBLEM is one of %s)", path, path, strings.Join(known, ", "))
}

// watchEngine is the engine of the rounds of a watch, which share a memo.
type watchEngine struct {
	*engine
	memo  *run.Memo
	fresh bool // of all runs
}

// engine starts an engine as runner.yaml says now.
func (w *watchOptions) engine(root string) (watchmode.Engine, error) {
	c, err := config.Load(root)
	if err != nil {
		return nil, err
	}
	eng, err := w.startEngine(root, c, w.slots)
	if err != nil {
		return nil, err
	}
	return &watchEngine{eng, run.NewMemo(eng.cache, eng.pool.Facts().Mechanisms), w.fresh}, nil
}

func (eng *watchEngine) Languages() map[string]build.Language { return eng.builder.Languages() }
func (eng *watchEngine) Show() diff.Options                   { return eng.config.Diff }

func (eng *watchEngine) Task(ctx context.Context, m *casedata.Provider) (grade.Task, error) {
	t := task(eng.config, m.Problem)
	if t.Limits.CPU > 0 {
		return t, nil
	}
	set, err := m.Problem.Cases()
	if err != nil {
		return t, err
	}
	all := t
	all.Cases = set.Cases
	t.Limits, _, err = eng.timed(ctx, eng.Judge(m, false), all) // which remembers what ran before
	return t, err
}

func (eng *watchEngine) CaseData(p *problem.Problem) *casedata.Provider {
	m := eng.newCaseData(p)
	m.Memo = eng.memo
	return m
}

func (eng *watchEngine) Judge(m *casedata.Provider, fresh bool) *grade.Judge {
	eng.memo.Fresh = fresh || eng.fresh
	j := eng.judge(m)
	j.Memo = eng.memo
	return j
}

// Rest releases the CPUs and trims the cache, until the next round.
func (eng *watchEngine) Rest() error { return errors.Join(eng.pool.ReleaseCPUs(), eng.cache.Trim()) }

func (eng *watchEngine) Close() error { return eng.close() }
