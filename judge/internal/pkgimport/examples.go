package pkgimport

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/quote"
	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/verdict"
)

// examples judges the submissions other than the reference, and writes each into the folder of the
// verdict that it gets, if it promises that verdict.
func (p *plan) examples(ctx context.Context, own *problem.Problem, solver *candidate) error {
	b := p.Package
	m := p.Bench.CaseData(own)
	set, err := own.Cases()
	if err != nil {
		return err
	}
	if err := m.Prepare(ctx, set.Cases); err != nil {
		return err
	}
	judge := p.Bench.Judge(m)
	task := p.Bench.Task(own)
	task.Cases = set.Cases
	var of []*problem.Submission
	taken := map[string]map[string]bool{} // by folder
	for i := range b.Submissions {
		s := &b.Submissions[i]
		if s == solver.of {
			continue
		}
		source, err := b.Own(s, p.Bench.Languages)
		switch {
		case err != nil:
			p.note("left out: %s", quote.First(err.Error()))
			continue
		case source.Language == build.Binary:
			p.note("left out: %s: it is an executable, not a source", s.Path)
			continue
		}
		if _, err := judge.Builder.Key(ctx, source); err != nil {
			if _, missing := errors.AsType[*build.MissingError](err); !missing {
				return err
			}
			// Without its compiler, a submission keeps the verdict that it promises.
			if v, ok := promised(s.Expect); !ok {
				p.note("left out: %s: %v, and its verdict is unknown without it", s.Path, err)
			} else if err := p.example(s, source, v.Folder(), taken); err != nil {
				return err
			}
			continue
		}
		task.Submissions, of = append(task.Submissions, grade.Submission{Source: source}), append(of, s)
	}
	judged, err := judge.Collect(ctx, task)
	if err != nil {
		return err
	}
	if err := rejudgeSlow(ctx, judge, task, judged, of); err != nil {
		return err
	}
	for i, one := range judged {
		s, v := of[i], one.Done.Verdict
		switch {
		case v == verdict.None:
			p.note("left out: %s: it is too close to the time limit to promise a verdict", s.Path)
			continue
		case v == verdict.JE:
			return p.refuse(s.Path, "cannot be judged: %s", one.Done.Cause)
		case !keeps(s.Expect, v):
			p.note("left out: %s: it gets %s, but promises %s", s.Path, v, s.Expect)
			continue
		case folderOf(s.Expect, &one.Done) == "":
			p.note("left out: %s: it is accepted with 0 points, for which there is no folder", s.Path)
			continue
		case detailed(s.Expect):
			p.note("left out: the promises of %s about single cases (%s)", s.Path, s.Expect)
		}
		if s.Expect.Score != nil {
			p.note("left out: the number of points that %s promises", s.Path)
		}
		if err := p.example(s, one.Source, folderOf(s.Expect, &one.Done), taken); err != nil {
			return err
		}
	}
	return nil
}

// rejudgeSlow judges submissions that were too slow again, with ample wall time. One that may also be
// accepted must be too slow beyond the limit as well, as on a faster machine; otherwise it gets no
// verdict.
func rejudgeSlow(ctx context.Context, judge *grade.Judge, task grade.Task, judged []grade.Judged, of []*problem.Submission) error {
	task.Limits.Wall = max(task.Limits.Wall, limits.PatientWall)
	beyond := task
	beyond.Limits.CPU = limits.Beyond(task.Limits.CPU)
	for _, t := range []*grade.Task{&task, &beyond} {
		var at []int
		t.Submissions = nil
		for i, one := range judged {
			if one.Done.Verdict == verdict.TLE && (t == &task || keeps(of[i].Expect, verdict.AC)) {
				at, t.Submissions = append(at, i), append(t.Submissions, grade.Submission{Source: one.Source})
			}
		}
		again, err := judge.Collect(ctx, *t)
		if err != nil {
			return err
		}
		for n, one := range again {
			if t == &beyond && one.Done.Verdict != verdict.TLE {
				one.Done.Verdict = verdict.None
			}
			judged[at[n]] = one
		}
	}
	return nil
}

// keeps reports whether a submission with that verdict keeps its promise about all cases. Promises
// about some of the cases are not checked.
func keeps(e problem.Expect, v verdict.Verdict) bool {
	if e.Final != 0 && !e.Final.Has(v) {
		return false
	}
	for _, r := range e.Rules {
		if r.Cases != "" {
			continue
		}
		// A submission rejected on one case may still get the required verdict on a later one.
		if !r.Permitted.Has(v) || v == verdict.AC && r.Required != 0 && !r.Required.Has(v) {
			return false
		}
	}
	return true
}

// detailed reports whether a promise covers more than the final verdict.
func detailed(e problem.Expect) bool {
	return slices.ContainsFunc(e.Rules, func(r problem.Rule) bool { return r.Cases != "" || r.Message != "" || r.Score != nil })
}

// promised returns the only verdict that is promised, and false if there are several. Of verdicts that
// packages do not distinguish it returns the one that they name.
func promised(e problem.Expect) (verdict.Verdict, bool) {
	set := e.Final
	for _, r := range e.Rules {
		if r.Cases == "" && set == 0 {
			set = cmp.Or(r.Required, r.Permitted)
		}
	}
	for _, v := range verdict.BigFive() {
		if set != 0 && set&^v.Class() == 0 {
			if set.Has(v) {
				return v, true
			}
			return set.List()[0], true
		}
	}
	return verdict.None, false
}

// example writes a submission into a folder of submissions: as a file, or as a folder if it has several
// files or its name is taken.
func (p *plan) example(s *problem.Submission, source *build.Source, what string, taken map[string]map[string]bool) error {
	if taken[what] == nil {
		taken[what] = map[string]bool{}
	}
	source = source.Bare() // the files to include are added to it here as well
	texts := source.Texts()
	name := path.Base(s.Path)
	stem := strings.TrimSuffix(name, path.Ext(name))
	folder := filepath.Join(repo.Submissions(p.ID), what)
	file := ""
	if len(texts) == 1 {
		for file = range texts { // keep the name, because the compiler of Java needs that of the class
		}
	}
	var place string
	if file != "" && !taken[what][file] {
		taken[what][file] = true
		place = filepath.Join(folder, file)
		texts = map[string][]byte{".": texts[file]}
	} else {
		place = filepath.Join(folder, unique(stem, taken[what]))
	}
	if err := p.puts(place, texts); err != nil {
		return err
	}
	again, err := build.Open(p.path(place), "", p.Bench.Languages)
	if err != nil || !again.StartsAs(source) || repo.Ignored(filepath.Base(place)) {
		p.note("left out: %s: its files do not determine its language (%s) or main file", s.Path, source.Language)
		return os.RemoveAll(p.path(place))
	}
	if path.Base(path.Dir(s.Path)) != what || path.Base(s.Path) != filepath.Base(place) {
		p.note("%s is now %s", s.Path, filepath.ToSlash(strings.TrimPrefix(place, repo.Submissions(p.ID)+string(filepath.Separator))))
	}
	p.summary.Examples++
	return nil
}
