package pkgimport

import (
	"context"
	"errors"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/quote"
	"tribunal/judge/internal/regen"
	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/internal/yamlstrict"
)

// validators writes the validators into the problem. It drops input and answer validators that
// cannot be read.
func (p *plan) validators() error {
	for _, v := range p.doc.outputs {
		source, err := p.Package.Program(v.path, p.Judging.Languages)
		if err != nil {
			return err
		}
		if err := p.program(filepath.Join(repo.OutputValidators(p.ID), v.name), source); err != nil {
			return err
		}
	}
	for _, v := range slices.Concat(p.doc.inputs, p.doc.answers) {
		source, err := p.Package.Program(v.path, p.Judging.Languages)
		if err != nil {
			p.drop(v, quote.First(strings.TrimPrefix(err.Error(), p.Package.Show(v.path)+": ")))
			continue
		}
		if err := p.program(p.folder(v), source); err != nil {
			return err
		}
	}
	return nil
}

// folder returns the folder of an input or answer validator.
func (p *plan) folder(v validator) string {
	if v.protocol.Rules().Answer {
		return filepath.Join(repo.AnswerValidators(p.ID), v.name)
	}
	return filepath.Join(repo.InputValidators(p.ID), v.name)
}

// program writes a program, which is sources or an executable, into a folder of its own.
func (p *plan) program(dir string, source *build.Source) error {
	if source.Language != build.Binary {
		return p.writeFiles(dir, source.Texts())
	}
	image, err := source.Image()
	if err != nil {
		return err
	}
	return p.writeFiles(dir, map[string][]byte{"program": image})
}

// include writes the files that are added to submissions.
func (p *plan) include() error {
	for _, i := range p.Problem.Include {
		texts, err := i.Read()
		if err != nil {
			return err
		}
		if err := p.writeFiles(filepath.Join(repo.Include(p.ID), i.Language), texts); err != nil {
			return err
		}
	}
	return nil
}

// drop leaves out an input or answer validator, and the arguments that cases have for it.
func (p *plan) drop(v validator, why string) {
	p.note("left out: %s: %s", v.path, why)
	same := func(o validator) bool { return o.name == v.name }
	if v.protocol.Rules().Answer {
		p.doc.answers = slices.DeleteFunc(p.doc.answers, same)
	} else {
		p.doc.inputs = slices.DeleteFunc(p.doc.inputs, same)
	}
	for i := range p.cases {
		if c := &p.cases[i]; v.protocol.Rules().Answer {
			delete(c.AnswerArgs, v.name)
		} else {
			delete(c.InputArgs, v.name)
		}
	}
}

// dropUncompilable leaves out the input and answer validators that do not compile.
func (p *plan) dropUncompilable(ctx context.Context, own *problem.Problem) error {
	m := p.Judging.CaseData(own)
	all := slices.Concat(p.doc.inputs, p.doc.answers)
	for _, v := range all {
		folder := p.folder(v)
		_, err := m.Program(ctx, folder)
		failed, ok := errors.AsType[*build.CompileError](err)
		if !ok {
			if _, missing := errors.AsType[*build.MissingError](err); err != nil && !missing {
				return err
			}
			continue
		}
		p.drop(v, "it does not compile: "+failed.Cause())
		if err := os.RemoveAll(p.path(folder)); err != nil {
			return err
		}
	}
	for kind, left := range map[string]int{repo.InputValidators(p.ID): len(p.doc.inputs), repo.AnswerValidators(p.ID): len(p.doc.answers)} {
		if left == 0 {
			if err := os.RemoveAll(p.path(kind)); err != nil {
				return err
			}
		}
	}
	if len(p.doc.inputs)+len(p.doc.answers) == len(all) {
		return nil
	}
	return p.writeDocuments()
}

// candidate is a program that may become the reference.
type candidate struct {
	name       string
	source     *build.Source
	submission *problem.Submission // its submission in the package; nil if it is not in the package
}

// candidates returns the program that the user named, or else the accepted submissions, model
// solutions first.
func (p *plan) candidates() ([]candidate, error) {
	b := p.Package
	if p.Reference != "" {
		source, err := b.Trusted(p.Reference, p.Judging.Languages)
		if err != nil {
			return nil, build.Located(p.Reference, err)
		}
		return []candidate{{p.Reference, source, problem.Find(b.Submissions, b.Root, p.Reference)}}, nil
	}
	var list []candidate
	unread := ""
	for _, model := range []bool{true, false} {
		for i := range b.Submissions {
			s := &b.Submissions[i]
			if s.Model != model || !model && !accepted(s.Expect) {
				continue
			}
			source, err := b.Own(s, p.Judging.Languages)
			if err != nil {
				unread = ": " + quote.First(err.Error()) // the function examples adds a note for each
				continue
			}
			list = append(list, candidate{s.Path, source, s})
		}
	}
	if len(list) == 0 {
		return nil, &yamlstrict.Error{File: b.Path, Msg: "there is no accepted submission to use as the reference" + unread, Hint: "name a program with --reference"}
	}
	return list, nil
}

// accepted reports whether a submission promises to be accepted on all cases.
func accepted(e problem.Expect) bool {
	if e.Final != 0 {
		return e.Final == verdict.SetOf(verdict.AC)
	}
	return slices.ContainsFunc(e.Rules, func(r problem.Rule) bool { return r.Cases == "" && r.Permitted == verdict.SetOf(verdict.AC) })
}

// reference installs the first candidate that confirms all answers of the package, writes its
// outputs as judge regen would, and returns it.
func (p *plan) reference(ctx context.Context, own *problem.Problem) (*candidate, error) {
	list, err := p.candidates()
	if err != nil {
		return nil, err
	}
	var last error
	for i := range list {
		c := &list[i]
		err := p.tryReference(ctx, own, c)
		if err == nil {
			p.summary.Reference = c.name
			if p.differ > 0 {
				p.note("%d of %d answers are pinned, because the output of the reference differs", p.differ, len(p.cases))
			}
			return c, nil
		}
		if ctx.Err() != nil || !p.isPackageFault(err) {
			return nil, err
		}
		last = err
		if len(list) > 1 {
			p.note("not the reference: %s: %s", c.name, p.reason(err))
		}
	}
	if missing, ok := errors.AsType[*build.MissingError](last); ok {
		return nil, missing
	}
	return nil, &yamlstrict.Error{
		File: p.Package.Path, Msg: "no submission can be the reference: " + list[len(list)-1].name + ": " + p.reason(last),
		Hint: "name another program with --reference",
	}
}

// isPackageFault reports whether an error is the fault of the candidate or the package, not of the
// judge.
func (p *plan) isPackageFault(err error) bool {
	_, refused := errors.AsType[*regen.Refusal](err)
	_, failed := errors.AsType[*casedata.ProgramError](err)
	_, missing := errors.AsType[*build.MissingError](err)
	_, located := errors.AsType[*yamlstrict.Error](err)
	return refused || failed || missing || located
}

// reason returns the text of err, which says why a candidate cannot be the reference. It uses the
// package's names of cases and omits the path of the staging folder.
func (p *plan) reason(err error) string {
	if refused, ok := errors.AsType[*regen.Refusal](err); ok && refused.Case != "" {
		name := p.packageName(refused.Case)
		switch refused.Kind {
		case regen.Pinned, regen.Rejected:
			if e, ok := errors.AsType[*yamlstrict.Error](refused.Err); ok && !strings.HasSuffix(e.Msg, "the reference disagrees with the pinned output") {
				_, why, _ := strings.Cut(e.Msg, ": ")
				return "on " + name + ": " + why
			}
			return "its output for " + name + " is not accepted"
		case regen.Unstable:
			return "its output for " + name + " differs between runs"
		}
	}
	if compile, ok := errors.AsType[*build.CompileError](err); ok {
		return "does not compile: " + compile.Cause()
	}
	if failed, ok := errors.AsType[*casedata.ProgramError](err); ok && failed.Case != nil {
		return "on " + p.packageName(failed.Case.Name) + ": " + strings.TrimPrefix(failed.Cause, "reference: ")
	}
	if e, ok := errors.AsType[*yamlstrict.Error](err); ok && e.Line == 0 {
		return e.Msg
	}
	return strings.ReplaceAll(quote.First(err.Error()), p.stage+string(filepath.Separator), "")
}

// packageName returns the name that a case has in the package.
func (p *plan) packageName(name string) string {
	for _, c := range p.cases {
		if c.Name == name {
			return c.from.Name
		}
	}
	return name
}

// tryReference installs a candidate as the reference, pins the answers and writes the outputs. It
// fails if the outputs of the candidate do not agree with the answers, or if the output validators
// reject them.
func (p *plan) tryReference(ctx context.Context, own *problem.Problem, c *candidate) error {
	m := p.Judging.CaseData(own)
	if err := p.install(m, c); err != nil {
		return err
	}
	set, err := own.Cases()
	if err != nil {
		return err
	}
	if own.Derives() {
		if err := m.PrepareOutputs(ctx, set.Cases); err != nil {
			return err
		}
	}
	if err := p.pinAnswers(ctx, set, m); err != nil {
		return err
	}
	judge := p.Judging.Judge(m)
	plan, err := regen.Make(ctx, m, regen.Options{Judge: judge})
	if err == nil {
		err = plan.Confirm(ctx, judge)
	}
	if err != nil {
		return err
	}
	if err := plan.Apply(); err != nil || p.doc.outputs == nil {
		return err
	}
	return p.judgeReference(ctx, own, m, c)
}

// judgeReference judges the reference on all cases, so that the output validators judge its output
// even if it equals the answer of the package.
func (p *plan) judgeReference(ctx context.Context, own *problem.Problem, m *casedata.Provider, c *candidate) error {
	set, err := own.Cases()
	if err != nil {
		return err
	}
	task := p.Judging.Task(own)
	task.Cases, task.Submissions = set.Cases, []grade.Submission{{Source: c.source}}
	judged, err := p.Judging.Judge(m).Collect(ctx, task)
	if err != nil {
		return err
	}
	switch done := judged[0].Done; done.Verdict {
	case verdict.AC:
		return nil
	case verdict.JE:
		return &yamlstrict.Error{File: c.name, Msg: "on " + p.packageName(done.First) + ": " + done.Cause}
	default:
		return &yamlstrict.Error{File: c.name, Msg: "it gets " + done.Verdict.String() + " on " + p.packageName(done.First)}
	}
}

// install writes a candidate to the folder of the reference, and removes an earlier one.
func (p *plan) install(m *casedata.Provider, c *candidate) error {
	if c.source.Language == build.Binary {
		return &yamlstrict.Error{File: c.name, Msg: "an executable cannot be the reference, which needs sources"}
	}
	dir := repo.Reference(p.ID)
	// The other parts of the import write these folders.
	keep := []string{"answer_validators", "graders", "input_validators", "output_validators", filepath.Base(repo.Statements(p.ID)), filepath.Base(repo.Include(p.ID))}
	list, err := os.ReadDir(p.path(dir))
	if err != nil && !os.IsNotExist(err) {
		return yamlstrict.FileError(dir, err)
	}
	for _, e := range list {
		if !slices.Contains(keep, e.Name()) {
			if err := os.RemoveAll(p.path(dir, e.Name())); err != nil {
				return err
			}
		}
	}
	for name := range c.source.Texts() {
		top, _, below := strings.Cut(name, "/")
		if below && slices.Contains(slices.Concat(keep, []string{"brute", "check", "draw", "gen", "submissions", "testdata"}), top) {
			return &yamlstrict.Error{File: c.name, Msg: "its folder " + top + " has a name that is reserved in the repository"}
		}
	}
	// The repository adds no files to a reference, so it keeps the included files of the submission.
	texts, main := c.source.Texts(), c.source.Main()
	if own := c.source.Bare().Texts(); len(own) == 1 && c.source.Language != "java" { // a Java file must keep the name of its class
		texts = maps.Clone(texts)
		for name, text := range own {
			delete(texts, name)
			main = "main" + path.Ext(name)
			texts[main] = text
		}
	}
	if err := p.writeFiles(dir, texts); err != nil {
		return err
	}
	again, err := m.Source(dir)
	if err != nil || again.Language != c.source.Language || !again.StartsAs(c.source) && again.Main() != main {
		return &yamlstrict.Error{File: c.name, Msg: "its files do not determine its language (" + c.source.Language + ") or main file"}
	}
	return nil
}
