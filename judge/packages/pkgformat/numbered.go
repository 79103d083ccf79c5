package pkgformat

import (
	"path"
	"strings"

	"tribunal/judge/internal/problem"
)

// isNumbered reports whether tests/ holds an input with its answer, such as 01 with 01.a.
func isNumbered(p *Package, top listing) (bool, error) {
	if !top.folder("tests") {
		return false, nil
	}
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
func readNumbered(of *Package) error {
	p := &polygonReader{Package: of}
	p.argumentsGiven, p.looseTests = true, true
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

func (p *polygonReader) numberedTests() error {
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

func (p *polygonReader) numberedSolutions() error {
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
