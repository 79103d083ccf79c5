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

// examples judges the submissions other than the reference. It writes each into the folder of the
// verdict that it gets, and leaves out those that do not promise that verdict.
func (p *plan) examples(ctx context.Context, own *problem.Problem, reference *candidate) error {
	b := p.Package
	m := p.Judging.CaseData(own)
	set, err := own.Cases()
	if err != nil {
		return err
	}
	if err := m.Prepare(ctx, set.Cases); err != nil {
		return err
	}
	judge := p.Judging.Judge(m)
	task := p.Judging.Task(own)
	task.Cases = set.Cases
	var submissions []*problem.Submission // the submission of each entry of task.Submissions
	taken := map[string]map[string]bool{} // taken names, by folder
	for i := range b.Submissions {
		s := &b.Submissions[i]
		if s == reference.submission {
			continue
		}
		source, err := b.Own(s, p.Judging.Languages)
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
			// A submission whose compiler is missing goes into the folder of the verdict that it promises.
			if v, ok := promised(s.Expect); !ok {
				p.note("left out: %s: %v, so its verdict is unknown", s.Path, err)
			} else if err := p.example(s, source, v.Folder(), taken); err != nil {
				return err
			}
			continue
		}
		task.Submissions, submissions = append(task.Submissions, grade.Submission{Source: source}), append(submissions, s)
	}
	judged, err := judge.Collect(ctx, task)
	if err != nil {
		return err
	}
	if err := rejudgeSlow(ctx, judge, task, judged, submissions); err != nil {
		return err
	}
	for i, one := range judged {
		s, v := submissions[i], one.Done.Verdict
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
			p.note("left out: %s: it is accepted with 0 points, and no folder promises that", s.Path)
			continue
		case detailed(s.Expect):
			p.note("left out: what %s promises for single cases (%s)", s.Path, s.Expect)
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

// rejudgeSlow judges submissions that were too slow again, with ample wall time. A submission that
// is too slow again, but whose promise also allows AC, is then judged with a longer time limit, as
// if on a faster machine. If the longer limit is enough, its verdict becomes [verdict.None].
func rejudgeSlow(ctx context.Context, judge *grade.Judge, task grade.Task, judged []grade.Judged, submissions []*problem.Submission) error {
	task.Limits.Wall = max(task.Limits.Wall, limits.PatientWall)
	beyond := task
	beyond.Limits.CPU = limits.Beyond(task.Limits.CPU)
	for _, t := range []*grade.Task{&task, &beyond} {
		var at []int
		t.Submissions = nil
		for i, one := range judged {
			if one.Done.Verdict == verdict.TLE && (t == &task || keeps(submissions[i].Expect, verdict.AC)) {
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

// keeps reports whether a submission that gets the verdict v keeps its promise e. It does not check
// promises about only some of the cases.
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

// promised returns the single verdict that e promises; false if it promises none or several.
// Verdicts that packages do not distinguish count as one, such as WA and PE; promised returns the
// one that the package names.
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

// example writes a submission into the folder of a verdict: as a file, or as a folder if it has
// several files or its name is taken. taken holds the names in each folder.
func (p *plan) example(s *problem.Submission, source *build.Source, verdictFolder string, taken map[string]map[string]bool) error {
	if taken[verdictFolder] == nil {
		taken[verdictFolder] = map[string]bool{}
	}
	source = source.Bare() // the repository adds the files to include by itself
	texts := source.Texts()
	name := path.Base(s.Path)
	stem := strings.TrimSuffix(name, path.Ext(name))
	folder := filepath.Join(repo.Submissions(p.ID), verdictFolder)
	file := ""
	if len(texts) == 1 {
		for file = range texts { // keep the name, because Java needs the name of the class
		}
	}
	var place string
	if file != "" && !taken[verdictFolder][file] {
		taken[verdictFolder][file] = true
		place = filepath.Join(folder, file)
		texts = map[string][]byte{".": texts[file]}
	} else {
		place = filepath.Join(folder, unique(stem, taken[verdictFolder]))
	}
	if err := p.writeFiles(place, texts); err != nil {
		return err
	}
	again, err := build.Open(p.path(place), "", p.Judging.Languages)
	if err != nil || !again.StartsAs(source) || repo.Ignored(filepath.Base(place)) {
		p.note("left out: %s: its files do not determine its language (%s) or main file", s.Path, source.Language)
		return os.RemoveAll(p.path(place))
	}
	if path.Base(path.Dir(s.Path)) != verdictFolder || path.Base(s.Path) != filepath.Base(place) {
		p.note("%s is now %s", s.Path, filepath.ToSlash(strings.TrimPrefix(place, repo.Submissions(p.ID)+string(filepath.Separator))))
	}
	p.summary.Examples++
	return nil
}
