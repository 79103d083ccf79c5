package kattis

import (
	"path"
	"strings"
)

// hasNumbered reports whether tests/ has an input with an answer whose name is one
// with .a at its end.
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

// readNumbered reads a folder of Polygon's that has no problem.xml: tests/01 with
// tests/01.a, a checker that is called so, and solutions with what their .desc says.
func (p *Package) readNumbered() error {
	p.setPolygonDefaults()
	if err := p.readTiming(); err != nil {
		return err
	}
	if err := p.numberedTests(); err != nil {
		return err
	}
	for _, name := range []string{"check", "files/check", "checker", "files/checker"} {
		for _, ext := range checkerEndings {
			if file, _, err := p.files.kind(name + ext); err != nil {
				return err
			} else if file && p.Validation.Programs == nil {
				p.Validation.Programs = []string{name + ext}
			} else if file {
				p.note(name+ext, 0, "is no checker, since %s is", p.Validation.Programs[0])
			}
		}
	}
	for _, rel := range []string{"testlib.h", "files/testlib.h"} {
		if file, _, err := p.files.kind(rel); err != nil {
			return err
		} else if file {
			p.Validation.Headers = append(p.Validation.Headers, rel)
		}
	}
	return p.numberedSolutions()
}

// checkerEndings are those of the languages that Polygon has checkers in, and C.
var checkerEndings = []string{".cpp", ".cc", ".c", ".java", ".py", ".pas", ".go", ".rs", ".kt", ".cs"}

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
			return p.files.errorf(rel, 0, "", "a folder where a test belongs")
		case a == nil && digits(e.name) == 0:
			p.odd("tests", "files that are not read", rel)
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
			p.Submissions = append(p.Submissions, Submission{Path: rel})
			continue
		}
		p.polygonSolution(rel, "", tag)
	}
	return nil
}
