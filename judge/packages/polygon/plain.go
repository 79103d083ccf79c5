package polygon

import (
	"path"
	"strings"

	"tribunal/judge/internal/problem"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/tree"
)

// isNumbered reports whether tests/ holds an input with its answer, such as 01 with 01.a.
func isNumbered(p *draft.Draft, top draft.Listing) (bool, error) {
	if !top.Folder("tests") {
		return false, nil
	}
	list, err := p.Tree.List("tests")
	if err != nil {
		return false, err
	}
	names := map[string]bool{}
	for _, e := range list {
		names[e.Name] = !e.Dir
	}
	for _, e := range list {
		if name, ok := strings.CutSuffix(e.Name, ".a"); ok && !e.Dir && names[name] {
			return true, nil
		}
	}
	return false, nil
}

// readNumbered reads a Polygon package without problem.xml: tests/01 with tests/01.a; the checker,
// interactor and validator, recognised by their file names; and the solutions, whose tags are in
// .desc files.
func readNumbered(of *draft.Draft) error {
	p := &reader{Draft: of}
	p.ArgumentsGiven, p.LooseTests = true, true
	if err := p.ReadTiming(); err != nil {
		return err
	}
	if err := p.numberedTests(); err != nil {
		return err
	}
	if err := p.NamedPrograms(); err != nil {
		return err
	}
	return p.numberedSolutions()
}

func (p *reader) numberedTests() error {
	list, err := p.Tree.List("tests")
	if err != nil {
		return err
	}
	answers := map[string]*tree.Entry{}
	for i := range list {
		if name, ok := strings.CutSuffix(list[i].Name, ".a"); ok {
			answers[name] = &list[i]
		}
	}
	g := &draft.Group{Name: "tests"}
	for i := range list {
		e := &list[i]
		rel := path.Join("tests", e.Name)
		a := answers[e.Name]
		switch {
		case strings.HasSuffix(e.Name, ".a"):
			delete(answers, strings.TrimSuffix(e.Name, ".a"))
			continue
		case e.Dir || a != nil && a.Dir:
			return p.Tree.Errorf(rel, 0, "", "a folder instead of a test")
		case a == nil && draft.Digits(e.Name) == 0:
			p.NoteFile("tests", "files that are not read", rel)
			continue
		case a == nil:
			return p.Tree.Errorf(rel, 0, "add "+e.Name+".a beside it", "an input without an answer")
		}
		c := &draft.Case{Name: "tests/" + e.Name, Group: "tests", Input: rel, Answer: rel + ".a"}
		if c.InputSize, err = p.Tree.Size("tests", e); err != nil {
			return err
		}
		if c.AnswerSize, err = p.Tree.Size("tests", a); err != nil {
			return err
		}
		g.Cases = append(g.Cases, c)
	}
	return p.Order(map[string]*draft.Group{"tests": g})
}

func (p *reader) numberedSolutions() error {
	list, err := p.Tree.List("solutions")
	if err != nil {
		return err
	}
	for _, e := range list {
		rel := path.Join("solutions", e.Name)
		if path.Ext(e.Name) == ".desc" || draft.Companion(e.Name) {
			continue
		}
		data, err := p.Tree.Read(rel+".desc", tree.MaxDocument)
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
