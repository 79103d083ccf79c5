package pkgformat

import (
	"path"
	"strings"

	"tribunal/judge/internal/problem"
)

// hasNumbered reports whether tests/ holds an input with its answer, such as 01 with 01.a.
func (p *Package) hasNumbered() (bool, error) {
	list, err := p.files.list("tests")
	if err != nil {
		return false, err
	}
	names := map[string]bool{}
	for _, e := range list {
		names[e.name] = !e.dir
	}
	for _, e := range list {
		if name, ok := strings.CutSuffix(e.name, ".a"); ok && !e.dir && names[name] {
			return true, nil
		}
	}
	return false, nil
}

// readNumbered reads a Polygon package without problem.xml: tests/01 with tests/01.a; the checker,
// interactor and validator, recognised by their file names; and the solutions, whose tags are in
// .desc files.
func (p *Package) readNumbered() error {
	p.setPolygonDefaults()
	if err := p.readTiming(); err != nil {
		return err
	}
	if err := p.numberedTests(); err != nil {
		return err
	}
	if err := p.namedPrograms(); err != nil {
		return err
	}
	return p.numberedSolutions()
}

// namedPrograms finds a testlib checker, validator and interactor, and testlib.h, by their names.
func (p *Package) namedPrograms() error {
	var err error
	if p.Validation.Programs, err = p.findProgram("checker", "check", "checker", "chk"); err != nil {
		return err
	}
	if p.InputPrograms, err = p.findProgram("validator", "validator", "val"); err != nil {
		return err
	}
	interactor, err := p.findProgram("interactor", "interactor")
	if err != nil {
		return err
	}
	if interactor != nil {
		p.Validation.Interactive, p.Validation.Interactor = true, interactor[0]
	}
	for _, rel := range []string{"testlib.h", "files/testlib.h"} {
		if file, _, err := p.files.kind(rel); err != nil {
			return err
		} else if file {
			p.Validation.Headers = append(p.Validation.Headers, rel)
		}
	}
	return nil
}

// findProgram returns the first program with one of the names, at the top of the package or in
// files/; nil if there is none. It adds a note for every further one. The note calls
// the program by its role, such as "checker".
func (p *Package) findProgram(role string, names ...string) (first []string, err error) {
	for _, name := range names {
		for _, dir := range []string{"", "files"} {
			for _, ext := range programExtensions {
				rel := path.Join(dir, name+ext)
				if file, _, err := p.files.kind(rel); err != nil {
					return nil, err
				} else if file && first == nil {
					first = []string{rel}
				} else if file {
					p.note(rel, 0, "not used: the %s is %s", role, first[0])
				}
			}
		}
	}
	return first, nil
}

// programExtensions are the extensions of the languages in which Polygon allows checkers, and of C.
var programExtensions = []string{".cpp", ".cc", ".c", ".java", ".py", ".pas", ".go", ".rs", ".kt", ".cs"}

func (p *Package) numberedTests() error {
	list, err := p.files.list("tests")
	if err != nil {
		return err
	}
	answers := map[string]*entry{}
	for i := range list {
		if name, ok := strings.CutSuffix(list[i].name, ".a"); ok {
			answers[name] = &list[i]
		}
	}
	g := &Group{Name: "tests"}
	for i := range list {
		e := &list[i]
		rel := path.Join("tests", e.name)
		a := answers[e.name]
		switch {
		case strings.HasSuffix(e.name, ".a"):
			delete(answers, strings.TrimSuffix(e.name, ".a"))
			continue
		case e.dir || a != nil && a.dir:
			return p.files.errorf(rel, 0, "", "a folder instead of a test")
		case a == nil && digits(e.name) == 0:
			p.noteFile("tests", "files that are not read", rel)
			continue
		case a == nil:
			return p.files.errorf(rel, 0, "add "+e.name+".a beside it", "an input without an answer")
		}
		c := &Case{Name: "tests/" + e.name, Group: "tests", Input: rel, Answer: rel + ".a"}
		if c.InputSize, err = p.files.size("tests", e); err != nil {
			return err
		}
		if c.AnswerSize, err = p.files.size("tests", a); err != nil {
			return err
		}
		g.Cases = append(g.Cases, c)
	}
	return p.order(map[string]*Group{"tests": g})
}

func (p *Package) numberedSolutions() error {
	list, err := p.files.list("solutions")
	if err != nil {
		return err
	}
	for _, e := range list {
		rel := path.Join("solutions", e.name)
		if path.Ext(e.name) == ".desc" || companion(e.name) {
			continue
		}
		data, err := p.files.read(rel+".desc", maxDocument)
		if err != nil {
			return err
		}
		tag := ""
		for line := range strings.Lines(string(data)) {
			if value, ok := strings.CutPrefix(strings.TrimSpace(line), "Tag:"); ok {
				tag = strings.ReplaceAll(strings.ToLower(strings.TrimSpace(value)), "_", "-")
			}
		}
		if tag == "" {
			p.Submissions = append(p.Submissions, problem.Submission{Path: rel})
			continue
		}
		p.polygonSolution(rel, "", tag)
	}
	return nil
}
