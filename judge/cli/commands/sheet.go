package commands

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tribunal/judge/class/roster"
	"tribunal/judge/class/sheet"
	"tribunal/judge/cli"
	"tribunal/judge/cli/format"
	"tribunal/judge/cli/layout"
	"tribunal/judge/cli/report"
	"tribunal/judge/internal/account"
	"tribunal/judge/internal/build"
	"tribunal/judge/internal/event"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/lab/likeness"
)

// sheetFlags adds the flags for grading several problems. With --sheet the command has other formats
// of reports.
func (g *gradeOptions) sheetFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&g.sheet, "sheet", "", "judge what several students handed in for several problems, in this `folder or table` (docs/sheets.md)")
	g.handIns.Attempts = sheet.Last
	f.Var(cli.Choose(&g.handIns.Layout, sheet.Layouts(), "layout"), "layout", "with --sheet, its `form` (docs/sheets.md)")
	f.StringVar(&g.handIns.Pattern, "student-pattern", "", "with --sheet, `regexp` for the paths of its files (docs/sheets.md)")
	f.Var(cli.Choose(&g.handIns.Attempts, sheet.AllAttempts(), "attempt"), "attempt", "with --sheet, which `attempt` counts: "+cli.List(sheet.AllAttempts()))
	f.BoolVar(&g.byName, "by-name", false, "with --sheet, sort the students by name instead of points")
	g.class.flags(cmd)
	open := cmd.PreRunE
	cmd.PreRunE = func(cmd *cobra.Command, args []string) error {
		if g.sheet == "" {
			if names := cli.SetFlags(cmd, classFlags...); len(names) > 0 {
				return cli.Usage(fmt.Errorf("%s needs --sheet (hint: judge grade --sheet class/ game maze %s)", names[0], names[0]))
			}
			g.reports.Formats = slices.DeleteFunc(g.reports.Formats, func(name string) bool { return name == format.GradeBook })
			return open(cmd, args)
		}
		g.reports.Formats, g.reports.Folders = format.Names(g.sheetFormats()), []string{format.HTML}
		reads := append(slices.Clone(args), g.sheet)
		if g.class.roster != "" {
			reads = append(reads, g.class.roster)
		}
		return open(cmd, reads)
	}
}

// sheetFormats returns the formats of the report on a sheet.
func (g *gradeOptions) sheetFormats() []format.Format {
	book := format.On(format.GradeBook, func(w format.Output, s *account.Sheet) error {
		return roster.WriteBook(w.Writer, g.class.list, s, g.class.bom)
	})
	return append(report.SheetFormats(report.TerminalOptions{Verbose: g.verbose}, g.class.bom), book)
}

// gradeSheet judges what students handed in for the problems.
func (g *gradeOptions) gradeSheet(ctx context.Context, names []string) (err error) {
	start := time.Now()
	if len(names) == 0 {
		return cli.Usage(errors.New("--sheet needs the problems (hint: judge grade --sheet class/ game maze)"))
	}
	for flag, given := range map[string]bool{"--case": len(g.globs) > 0, "--expect": g.expect, "--keep": g.keep != "", "--repeat": g.repeat > 0} {
		if given {
			return cli.Usage(fmt.Errorf("%s and --sheet exclude each other (hint: judge grade PROBLEM SUBMISSION %s judges one of them)", flag, flag))
		}
	}
	if g.regen {
		if err := renew(ctx, g.App, g.slots, names...); err != nil {
			return err
		}
	}
	var ids []string
	var columns []account.SheetProblem
	var languages map[string]build.Language
	for _, name := range names {
		p, known, err := g.identify(ctx, name)
		if err != nil {
			return err
		}
		if slices.Contains(ids, p.ID) {
			return cli.Usage(fmt.Errorf("%s: the problem %s is given twice (hint: name each once)", name, p.ID))
		}
		ids, columns, languages = append(ids, p.ID), append(columns, p), known
	}
	if g.scoring, err = g.class.scoring(ids); err != nil {
		return cli.Usage(err)
	}
	if g.class.roster != "" {
		if g.class.list, err = roster.Read(g.class.roster); err != nil {
			return err
		}
	}
	found, err := sheet.Read(ctx, g.sheet, ids, func(file string) bool { return build.IsSource(file, languages) }, g.handIns)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, found.Close()) }()
	if g.class.list != nil {
		g.class.list.Apply(found, columns)
	}
	if g.scoring.Late > 0 && !found.Lateness {
		found.Notes = append(found.Notes, "nothing says what was late, so --late-penalty takes no points (hint: a column late of the roster may)")
	}
	if err := g.journal.start(g.Std); err != nil {
		return err
	}
	defer g.journal.end(ctx, g.Std, &err)
	result := account.NewSheet(found.Students, columns)
	result.Notes, result.Scoring = found.Notes, g.scoring
	for i := range columns {
		if share, given := g.scoring.Of(columns[i].ID); given || columns[i].Best == 0 {
			columns[i].Best = share.Best
		}
	}
	if g.class.list != nil {
		g.class.list.Carry(result)
	}
	sink := cli.Begin(g.reports, g.sheetFormats())
	for i, name := range names {
		if err := g.gradeColumn(ctx, name, i, found, result, sink); err != nil {
			return sink.End(err)
		}
	}
	for _, one := range result.Students { // the others have been sent
		for i := range one.Cells {
			if c := &one.Cells[i]; c.Details == nil {
				sink.Event(&account.SheetResult{Student: one.Name, Problem: ids[i], Cell: c})
			}
		}
	}
	result.Sum(!g.byName)
	if g.class.list != nil && g.reports.Writes(format.GradeBook) {
		result.Notes = append(result.Notes, g.class.list.BookNotes(result)...)
	}
	result.Elapsed = time.Since(start)
	sink.Event(result)
	if err := errors.Join(sink.End(nil), g.journal.failed); err != nil {
		return err
	}
	return sheetStatus(result)
}

// identify opens a problem for its id and title, and the languages of submissions.
func (g *gradeOptions) identify(ctx context.Context, name string) (p account.SheetProblem, languages map[string]build.Language, err error) {
	s, err := g.Open(ctx, name, g.slots)
	if err != nil {
		return p, nil, err
	}
	defer s.Close(&err)
	p = account.SheetProblem{ID: s.ID, Title: s.Title, Feedback: s.Feedback, Samples: s.Samples}
	if s.Scoring {
		if best := s.Groups.Best(); !math.IsInf(best, 0) {
			p.Best = best
		}
	}
	return p, s.Config.Build.Languages, g.compare.check(s.Problem)
}

// gradeColumn judges what was handed in for one problem, and sends an event for each submission.
func (g *gradeOptions) gradeColumn(ctx context.Context, name string, column int, found *sheet.Sheet, result *account.Sheet, sink *cli.Sinks) (err error) {
	emit := event.Emit(sink.Event)
	id := result.Problems[column].ID
	var cells [][]*account.SheetResult // by path: one for each student of a group
	var paths, shown []string
	tries := attempts{}
	students := 0
	for _, e := range found.Entries {
		if e.Problem != id {
			continue
		}
		c := result.Cell(e.Student, column)
		c.Submission, c.Wrong, c.Late, c.Shared = e.Shown, e.Wrong, e.Late, e.Shared
		judged := slices.DeleteFunc(append(slices.Clone(e.Others), e), func(one sheet.Entry) bool { return one.Wrong != "" })
		if len(judged) > 0 {
			students++
		}
		for _, one := range judged {
			at := slices.Index(paths, one.Path)
			if at < 0 {
				at = len(paths)
				cells, paths, shown = append(cells, nil), append(paths, one.Path), append(shown, one.Shown)
			}
			cells[at] = append(cells[at], &account.SheetResult{Student: e.Student, Problem: id, Cell: tries.cell(c, one, e)})
		}
	}
	if len(paths) == 0 {
		return nil
	}
	s, err := g.OpenToRun(ctx, name, g.slots)
	if err != nil {
		return err
	}
	defer s.Close(&err)
	task, _, err := g.task(ctx, s, paths)
	if err != nil {
		return err
	}
	result.Problems[column].Cases = len(task.Cases)
	for i, path := range shown {
		source := *task.Submissions[i].Source
		source.Name, task.Submissions[i].Source = path, &source
		choice := source.Choice()
		choice.LeftOut = slices.DeleteFunc(append(choice.LeftOut, choice.Ignored...), func(file string) bool { // the programs of other columns
			return slices.ContainsFunc(result.Problems, func(p account.SheetProblem) bool { return p.ID != id && build.Like(p.ID, file) != build.Other })
		})
		if note := path + ": " + choice.String(); choice.String() != "" && !slices.Contains(result.Notes, note) {
			result.Notes = append(result.Notes, note)
		}
	}
	for _, names := range identical(task.Submissions, cells, s.Config.Build.Languages) {
		result.Notes = append(result.Notes, fmt.Sprintf("%s: the same program, byte for byte: %s", id, strings.Join(names, ", ")))
	}
	if _, err := missingTools(ctx, s.Running, task.Submissions); err != nil {
		return err
	}
	task.Command = g.again(name)
	draws := sink.Drawn && task.Drawable
	if draws {
		task.Outputs = mostDrawn
	}
	x := &account.Execution{Full: 1}
	emit.Stage(fmt.Sprintf("judging %s of %s", id, layout.Count(students, "student")))
	events := func(e grade.Event) {
		x.Apply(e)
		switch e := e.(type) {
		case *grade.Progress:
			emit.Send(&account.SheetProgress{Done: e.Done, Total: e.Total})
		case *grade.Done:
			for _, one := range cells[e.Submission] {
				if result.Set(one.Cell, column, x.Submissions[e.Submission]); !tries.hold(one.Cell) {
					emit.Send(one)
				}
			}
		}
	}
	session, err := g.journal.session(ctx, s.Running, s.CaseData(s.Running), task)
	if err != nil {
		return err
	}
	if session != nil {
		task, events = session.Begin(task, events)
	}
	if err := g.grade(ctx, s.Running, s.CaseData(s.Running), task, events); err != nil {
		return err
	}
	if draws {
		var details []*account.Submission
		for _, c := range cells {
			details = append(details, c[0].Details)
		}
		g.drawn.draw(ctx, id, s.CaseData(s.Running).Draw, task.Cases, details, func(err error) { g.Std.Note("not drawn: %v", err) })
	}
	settled, notes := tries.settle(g.handIns.Attempts == sheet.Best)
	for _, one := range settled {
		emit.Send(one)
	}
	result.Notes = append(result.Notes, notes...)
	if text := report.FromCache(x.Submissions...); text != "" {
		result.Notes = append(result.Notes, id+": "+text)
	}
	result.Judged(column, x)
	if session != nil && g.journal.failed == nil {
		g.journal.failed = session.Err()
	}
	return nil
}

// identical returns the students of each program that several have handed in.
func identical(submissions []grade.Submission, cells [][]*account.SheetResult, languages map[string]build.Language) (groups [][]string) {
	var programs []likeness.Program
	for i, one := range submissions {
		if text := cli.Text(one.Source, languages); text != "" {
			programs = append(programs, likeness.Program{Name: cells[i][0].Student, Language: one.Source.Language, Text: text})
		}
	}
	for _, same := range likeness.Same(programs, nil) {
		var names []string
		for _, i := range same {
			names = append(names, programs[i].Name)
		}
		groups = append(groups, names)
	}
	return groups
}

// sheetStatus returns the exit status of a judged sheet.
func sheetStatus(s *account.Sheet) error {
	outcome := cli.ExitOK
	for _, one := range s.Students {
		for _, c := range one.Cells {
			switch {
			case c.Verdict == verdict.JE:
				outcome = max(outcome, cli.ExitFailed)
			case c.Submission != "" && c.Verdict != verdict.AC:
				outcome = max(outcome, cli.ExitNot)
			}
		}
	}
	if outcome != cli.ExitOK {
		return cli.Status(outcome)
	}
	return nil
}
