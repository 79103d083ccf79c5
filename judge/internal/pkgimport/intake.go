// Package pkgimport makes a problem of the repository of a problem package.
//
// The problem is made beside the others and moved to its place when all of it is
// there: a package that cannot be taken in as it means leaves nothing. What our
// problems have no word for is refused if judging would be another without it, and
// told as a note if not.
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
	"tribunal/judge/internal/pkgformat"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/quote"
	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/scaffold"
	"tribunal/judge/internal/yamlstrict"
)

// Bench is what the new problem is tried on.
type Bench struct {
	Languages map[string]build.Language
	CaseData  func(*problem.Problem) *casedata.Provider // closed by whoever made it
	Judge     func(*casedata.Provider) *grade.Judge
	Task      func(*problem.Problem) grade.Task // without cases and submissions
}

// Job is a package to be taken in.
type Job struct {
	Package   *pkgformat.Package
	Problem   *problem.Problem // that the package is
	Root, ID  string           // of the repository; of the new problem
	Limits    limits.Limits    // of the problem: CPU, Memory, Output, and Wall unless the machine has to say it
	Reference string           // a file or a folder with the reference solver; "" takes one of the package's submissions
	Bench     Bench
}

// Summary is what was taken in.
type Summary struct {
	Places    []string // of the problem in the repository
	Reference string   // the submission that is the reference now
	Cases     int
	Examples  int
	Notes     []string // what was changed or left out, a sentence each
}

// Check refuses a package that cannot be taken in, before the work that it takes to find its
// time limit. The error is a located [*yamlstrict.Error].
func (j *Job) Check() error { return (&plan{Job: j}).carries() }

// Write makes the problem. Its errors are the package's, located [*yamlstrict.Error]s, or
// the judge's.
func (j *Job) Write(ctx context.Context) (*Summary, error) {
	if err := scaffold.Free(j.Root, j.ID); err != nil {
		return nil, err
	}
	p := &plan{Job: j}
	if err := p.carries(); err != nil {
		return nil, err
	}
	if err := p.arrange(); err != nil {
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

// plan is one Write in progress.
type plan struct {
	*Job
	stage   string
	doc     document
	grader  string                         // name of the folder of the program that makes points; "" for none
	cases   []placed                       // in case order
	flags   func(*pkgformat.Case) []string // arguments of the output validator that a case has of its own, nil for none
	others  int                            // of the cases whose answer is not what the reference prints, byte for byte
	summary Summary
}

// note tells of something that is not as it was. What a terminal would not show as it is,
// in a name of the package, is a dot.
func (p *plan) note(format string, args ...any) {
	visible := strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '·'
	}, fmt.Sprintf(format, args...))
	p.summary.Notes = append(p.summary.Notes, visible)
}

// refuse is an error about the package: a file of it, or "." for all of it.
func (p *plan) refuse(rel, format string, args ...any) error {
	return &yamlstrict.Error{
		File: p.Package.Show(rel), Msg: fmt.Sprintf(format, args...), Hint: "judge grade " + p.Package.Path + " judges on the package as it is",
	}
}

// write fills the stage.
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
		err = p.compiled(ctx, own)
	}
	if err == nil {
		own, err = p.load()
	}
	if err != nil {
		return p.unstaged(err)
	}
	solver, err := p.reference(ctx, own)
	if err != nil {
		return p.unstaged(err)
	}
	p.summary.Cases = len(p.cases)
	return p.unstaged(p.examples(ctx, own, solver))
}

// path is a path below the stage.
func (p *plan) path(below ...string) string {
	return filepath.Join(append([]string{p.stage}, below...)...)
}

// put writes a file below the stage.
func (p *plan) put(name string, text []byte) error {
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

// puts writes the files of a program.
func (p *plan) puts(dir string, texts map[string][]byte) error {
	for name, text := range texts {
		if err := p.put(filepath.Join(dir, filepath.FromSlash(name)), text); err != nil {
			return err
		}
	}
	return nil
}

// unstaged makes an error that is located in the stage, which will be gone, one about the
// package.
func (p *plan) unstaged(err error) error {
	if err == nil || !p.excuses(err) || !strings.Contains(err.Error(), p.stage) {
		return err
	}
	text := strings.ReplaceAll(quote.First(err.Error()), p.stage+string(filepath.Separator), "")
	return p.refuse(".", "cannot be taken in: %s", text)
}

// load reads the problem as it has been written.
func (p *plan) load() (*problem.Problem, error) { return repo.Load(p.stage, p.ID) }
