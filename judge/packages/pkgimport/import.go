// Package pkgimport converts a problem package into a problem of the repository.
//
// The problem is written to a staging folder and moved to its place when it is complete, so that a
// failed import leaves nothing. A feature of the package that problems of the repository cannot
// express is an error if judging would differ without it, and a note otherwise.
//
// Begin with Job.Write in import.go. settings.go translates the settings, cases.go the cases,
// and statement.go the statements; programs.go finds the reference,
// examples.go judges the other submissions, and document.go writes the problem's file with the points.
package pkgimport

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/points"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/quote"
	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/yamlstrict"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/scaffold"
)

// Judging holds the functions with which an import judges submissions on the new problem.
type Judging struct {
	Languages map[string]build.Language
	CaseData  func(*problem.Problem) *casedata.Provider // the caller closes the provider, not this package
	Judge     func(*casedata.Provider) *grade.Judge
	Task      func(*problem.Problem) grade.Task // a task without cases and submissions
}

// Job is one import of a package.
type Job struct {
	Package   *draft.Draft
	Problem   *problem.Problem // the problem that the package describes
	Root, ID  string           // the root of the repository; the id of the new problem
	Limits    limits.Limits    // CPU, Memory, Output and Wall; with a Wall of 0 that of the package or the machine applies
	Reference string           // file or folder of the reference solver; "" chooses a submission of the package
	Judging   Judging
}

// Summary reports what an import wrote.
type Summary struct {
	Places    []string // files and folders of the problem, below Root
	Reference string   // the submission that became the reference
	Cases     int
	Examples  int
	Notes     []string // what was changed or left out, one sentence each
}

// Check returns an error if the package cannot be imported. It judges nothing, so it can be called
// before a time limit is derived, which takes long. The error is a located [*yamlstrict.Error].
func (j *Job) Check() error { return (&plan{Job: j}).translate() }

// Write writes the problem. An error is a located [*yamlstrict.Error] if the package is at fault,
// and a failure of the judge otherwise.
func (j *Job) Write(ctx context.Context) (*Summary, error) {
	if err := scaffold.Free(j.Root, j.ID); err != nil {
		return nil, err
	}
	p := &plan{Job: j}
	if err := p.translate(); err != nil {
		return nil, err
	}
	if err := p.nameCases(); err != nil {
		return nil, err
	}
	places, err := scaffold.Build(j.Root, j.ID, func(stage string) error {
		p.stage = stage
		return p.write(ctx)
	})
	if err != nil {
		return nil, err
	}
	p.summary.Places = places
	return &p.summary, nil
}

// plan is the state of one Write.
type plan struct {
	*Job
	stage   string
	doc     document
	grader  string                     // name of the grader's folder; "" if there is none
	cases   []importedCase             // in case order
	flags   func(*draft.Case) []string // returns a case's own arguments of the output validator, or nil
	differ  int                        // number of cases whose answer differs from the output of the reference
	summary Summary
}

// note adds a note about something that the import changes or leaves out. Characters that are not
// printable, such as in names from the package, become dots.
func (p *plan) note(format string, args ...any) {
	visible := strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '·'
	}, fmt.Sprintf(format, args...))
	p.summary.Notes = append(p.summary.Notes, visible)
}

// refuse returns an error about a file of the package, or about the package if rel is ".".
func (p *plan) refuse(rel, format string, args ...any) error {
	return &yamlstrict.Error{
		File: p.Package.Show(rel), Msg: fmt.Sprintf(format, args...), Hint: "judge grade " + p.Package.Path + " judges submissions without an import",
	}
}

// write writes the problem into the staging folder.
func (p *plan) write(ctx context.Context) error {
	if err := p.statement(); err != nil {
		return err
	}
	if err := p.validators(); err != nil {
		return err
	}
	if err := p.graders(); err != nil {
		return err
	}
	if err := p.include(); err != nil {
		return err
	}
	if root := p.Problem.Groups; root != nil {
		if _, foreign := root.Rule.(points.DOMjudge); foreign {
			return p.refuse(".", "its points follow DOMjudge's rules, which our problems do not have; --dialect kattis reads them as Kattis does")
		}
	}
	p.doc.scoring = p.scoring()
	for _, c := range p.cases {
		if c.sample {
			p.doc.samples = append(p.doc.samples, c.Name)
		}
	}
	if err := p.inputs(); err != nil {
		return err
	}
	own, err := p.load()
	if err == nil {
		err = p.dropUncompilable(ctx, own)
	}
	if err == nil {
		own, err = p.load()
	}
	if err != nil {
		return p.relocate(err)
	}
	solver, err := p.reference(ctx, own)
	if err != nil {
		return p.relocate(err)
	}
	p.summary.Cases = len(p.cases)
	return p.relocate(p.examples(ctx, own, solver))
}

// path joins a path below the staging folder.
func (p *plan) path(below ...string) string {
	return filepath.Join(append([]string{p.stage}, below...)...)
}

// writeFile writes a file below the staging folder.
func (p *plan) writeFile(name string, text []byte) error {
	file := p.path(name)
	err := os.MkdirAll(filepath.Dir(file), 0o777)
	if err == nil {
		err = os.WriteFile(file, text, 0o666)
	}
	if err != nil {
		return yamlstrict.FileError(filepath.Join(p.Root, name), err)
	}
	return nil
}

// writeFiles writes files, by slash path, into a folder below the staging folder.
func (p *plan) writeFiles(dir string, texts map[string][]byte) error {
	for name, text := range texts {
		if err := p.writeFile(filepath.Join(dir, filepath.FromSlash(name)), text); err != nil {
			return err
		}
	}
	return nil
}

// relocate converts an error located in the staging folder, which the user never sees, into an
// error about the package.
func (p *plan) relocate(err error) error {
	if err == nil || !p.isPackageFault(err) || !strings.Contains(err.Error(), p.stage) {
		return err
	}
	text := strings.ReplaceAll(quote.First(err.Error()), p.stage+string(filepath.Separator), "")
	return p.refuse(".", "cannot be imported: %s", text)
}

// load reads the problem from the staging folder.
func (p *plan) load() (*problem.Problem, error) { return repo.Load(p.stage, p.ID) }
