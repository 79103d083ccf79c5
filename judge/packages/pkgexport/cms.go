package pkgexport

import (
	_ "embed"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
)

// Scripts that adapt programs to the protocols of CMS.
var (
	//go:embed cms/checker.sh.txt
	cmsChecker string
	//go:embed cms/testlib.sh.txt
	cmsTestlib string
	//go:embed cms/validator.sh.txt
	cmsValidator string
)

// subtask is a subtask of CMS: it has its points if all its tests are accepted.
type subtask struct {
	points float64
	tests  []int
}

// cms plans a task of CMS in the Italian layout.
func (p *plan) cms() error {
	q := p.Problem
	switch {
	case q.Interactive() || q.MultiPass():
		return q.Errorf("type", p.exportHint(Kattis), "this format has no interactive or multi-pass problems of this kind")
	case len(p.outputValidators()) > 1:
		return q.Errorf("output_validators", p.exportHint(Legacy), "this format has only one checker")
	case len(q.Include) > 0:
		return q.Errorf("", p.exportHint(Kattis), "files that are added to submissions are not exported to this format")
	}
	p.noteLimits()
	if err := p.checkCases(); err != nil {
		return err
	}
	p.noteUnknown(false)
	list, err := p.subtasks()
	if err != nil {
		return err
	}
	for _, step := range []func() error{p.cmsChecker, p.cmsValidator, p.cmsSolutions} {
		if err := step(); err != nil {
			return err
		}
	}
	count, rules := 0, ""
	for _, s := range list {
		var names []string
		for _, i := range s.tests {
			names = append(names, fmt.Sprintf("%q", fmt.Sprintf("%03d", i)))
		}
		rules += fmt.Sprintf("- [%s, [%s]]\n", float(s.points), strings.Join(names, ", "))
	}
	for i := range p.Cases {
		p.addCase(&p.Cases[i], fmt.Sprintf("input/input%d.txt", i), fmt.Sprintf("output/output%d.txt", i))
		count++
	}
	p.addText("task.yaml", fmt.Sprintf(`name: %s
title: %s
time_limit: %s
memory_limit: %d
infile: ""
outfile: ""
primary_language: %s
n_input: %d
score_type: GroupMin
score_type_parameters:
%s`, q.ID, quoted(q.Title), seconds(q.Limits.CPU.Round(time.Millisecond)), int64((q.Limits.Memory+limits.MiB-1)/limits.MiB), p.language(), count, rules))
	samples, _ := p.splitSamples()
	if p.ownStatement() {
		p.addFile("statement/statement.md", p.plainText(samples))
		p.note("CMS itself wants statement/statement.pdf: judge statement --pdf makes it")
		if len(q.Texts) == 0 {
			return p.statements("statement", ".", localized) // the pictures
		}
	}
	return nil
}

// subtasks returns the subtasks. The tests of groups that one requires are its tests, too.
func (p *plan) subtasks() (list []subtask, err error) {
	if !p.Problem.Scoring {
		samples, groups := p.splitSamples()
		all := subtask{points: 100}
		for _, c := range slices.Concat(groups...) {
			all.tests = append(all.tests, p.index(c))
		}
		if first := (subtask{}); len(samples) > 0 && len(groups) > 0 {
			for _, c := range samples {
				first.tests = append(first.tests, p.index(c))
			}
			return []subtask{first, all}, nil
		} else if len(groups) == 0 {
			for _, c := range samples {
				all.tests = append(all.tests, p.index(c))
			}
		}
		return []subtask{all}, nil
	}
	blocks, err := p.scored()
	if err != nil {
		return nil, err
	}
	for _, b := range blocks {
		var needed []int
		for _, o := range blocks {
			if o != b && requires(blocks, b, o) {
				needed = append(needed, p.indices(o.cases)...)
			}
		}
		if b.all || b.worth() == 0 {
			list = append(list, subtask{b.worth(), append(needed, p.indices(b.cases)...)})
			continue
		}
		for i, c := range b.cases {
			list = append(list, subtask{b.points[i], append(slices.Clone(needed), p.index(c))})
		}
	}
	slices.SortStableFunc(list, func(a, b subtask) int { // CMS' first subtask without points holds the samples
		switch {
		case a.points == 0 && b.points > 0:
			return -1
		case b.points == 0 && a.points > 0:
			return 1
		}
		return 0
	})
	return list, nil
}

func (p *plan) indices(list []*cases.Case) (all []int) {
	for _, c := range list {
		all = append(all, p.index(c))
	}
	return all
}

// cmsChecker plans the checker in check/checker, unless CMS' own comparison is enough.
func (p *plan) cmsChecker() error {
	q := p.Problem
	list := p.outputValidators()
	var own *program
	var err error
	script, args := carried[problem.ICPC].cms.checker, []string(nil)
	switch o := q.Compare; {
	case q.Checker():
		own, err = p.ownProgram(p.CaseData.Problem.Check)
	case len(list) > 0:
		own, err = p.ownProgram(list[0].Program)
		script, args = carried[list[0].Protocol].cms.checker, list[0].Flags
	case o.Mode == diff.Tokens && !o.FoldCase && !o.Spaces:
		p.note("CMS' own comparison wants the same words on each line: where lines break does not count here")
		return nil
	case o.Spaces && (o.FoldCase || o.Mode == diff.Float):
		return q.Errorf("spaces", "use another format", "this format has no checker that compares white space but not every byte")
	default:
		script = carried[problem.Testlib].cms.checker
		own = &program{language: "go", files: map[string][]byte{"main.go": []byte(p.compareChecker()), "go.mod": []byte("module checker\n\ngo 1.21\n")}}
	}
	if err != nil {
		return err
	}
	p.addValidator("check/checker", p.scripted(script, part{own, "own", args}))
	p.note("CMS itself wants one executable file check/checker: build the program in the folder check/checker")
	return nil
}

// cmsValidator plans the input validator in gen/validator.
func (p *plan) cmsValidator() error {
	planned := false
	for _, v := range p.inputValidators() {
		own, err := p.ownProgram(v.Program)
		if err != nil {
			return err
		}
		if planned || own.language == build.Checktestdata {
			p.note("left out: the input validator %s: this format has one at most, and not in Checktestdata", v.Name)
			continue
		}
		args := v.Flags
		if v.Program == p.CaseData.Problem.Check {
			args = []string{"-input"}
		}
		script := strings.ReplaceAll(cmsValidator, "{{status}}", fmt.Sprint(v.Accepts()))
		p.addValidator("gen/validator", p.scripted(script, part{own, "own", args}))
		planned = true
	}
	if len(p.Problem.AnswerValidators) > 0 {
		p.note("left out: the answer validators: this format has none")
	}
	return nil
}

// cmsSolutions plans the submissions: the model is called solution. All others lose their promises.
func (p *plan) cmsSolutions() error {
	list, err := p.submissions()
	if err != nil {
		return err
	}
	taken := map[string]bool{}
	for _, s := range list {
		if s.bruteForce {
			p.note("left out: the brute-force solver, because it may exceed the limits")
			continue
		}
		base := path.Base(s.path)
		if s.model {
			base = "solution"
			if s.single || len(s.files) == 1 {
				for name := range s.files {
					base += path.Ext(name)
				}
				s.single = true
			}
		} else if taken[base] || strings.HasPrefix(base, "solution.") {
			base = path.Base(path.Dir(s.path)) + "_" + base
		}
		taken[base] = true
		s.path = base
		p.addSubmission("sol", s)
	}
	p.note("the submissions in sol/ promise nothing, except that solution is right")
	return nil
}
