// Package pairs loads plain folders of inputs and answers.
package pairs

import (
	"path"
	"runtime"
	"slices"

	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/kattis"
	"tribunal/judge/packages/tree"
)

// Name is the name of the format.
const Name = "pairs"

// Family are folders with inputs and answers.
var Family = draft.Family{
	Formats: []draft.Format{{Name: Name, Main: "data", Points: draft.ByGroups, Compare: byBytes, Inputs: problem.Testlib, Outputs: problem.Testlib, Output: 64 * limits.MiB, Fallback: draft.PlainCPU}},
	Origin:  "anybody", Signs: "x.in with x.ans or x.out anywhere, or a similar pair",
	Empty: "a package needs data/secret/*.in, tests/01 or *.in, each with its answer",
	Is:    func(*draft.Draft, draft.Listing) (bool, error) { return true, nil },
	Read:  read,
}

// reader reads a folder with inputs and answers.
type reader struct{ *draft.Draft }

// read reads a plain folder: the inputs and answers in it and its subfolders, which it
// recognizes by their names, and a checker, a validator and an interactor if there are any. A case
// is named for its path; cases outside of subfolders are in the group tests. The group sample comes
// first, and numbers in names sort as numbers: 2 before 10.
func read(of *draft.Draft) error {
	p := &reader{Draft: of}
	if err := p.ReadTiming(); err != nil {
		return err
	}
	if err := p.NamedPrograms(); err != nil {
		return err
	}
	files := map[string]*tree.Entry{}
	err := p.Tree.Walk(".", func(rel string, e *tree.Entry) (bool, error) {
		switch ext := path.Ext(rel); {
		case e.Dir && slices.Contains([]string{".in", ".out", ".ans"}, ext):
			return false, p.Tree.Errorf(rel, 0, "", "a folder instead of a file of a case")
		case e.Dir:
			return rel != kattis.SubmissionsDir, nil
		}
		files[rel] = e
		return true, nil
	})
	if err != nil {
		return err
	}
	groups := map[string]*draft.Group{}
	var others []string                // files that are not the input of a case: answers, programs and others
	answers := map[string]bool{}       // paths of answers that belong to an input
	paired := map[string]*draft.Case{} // by folder, the last case whose input is in it
	for _, rel := range draft.SortedKeys(files) {
		c, err := p.pair(rel, files, answers)
		if err != nil {
			return err
		}
		if c == nil {
			others = append(others, rel)
			continue
		}
		paired[path.Dir(rel)] = c
		g := groups[c.Group]
		if g == nil {
			g = &draft.Group{Name: c.Group}
			groups[c.Group] = g
		}
		g.Cases = append(g.Cases, c)
	}
	programs := slices.Concat(p.Validation.Programs, p.InputPrograms, p.Validation.Headers, []string{p.Validation.Interactor})
	for _, rel := range others {
		switch ext := path.Ext(rel); {
		case answers[rel] || slices.Contains(programs, rel):
		case answersTo(rel) != nil && paired[path.Dir(rel)] != nil && sameExtension(rel, paired[path.Dir(rel)].Input):
			return p.noAnswer(rel, paired[path.Dir(rel)].Answer)
		case ext == ".ans" || ext == ".out":
			p.NoteFile(path.Dir(rel), "answers without an input, not read", rel)
		default:
			p.NoteFile(path.Dir(rel), "files that are not read", rel)
		}
	}
	if err := p.Order(groups); err != nil {
		return err
	}
	return kattis.ReadSubmissions(of)
}

// pair returns the case of the input rel, and adds the paths of all its answers to answers. It
// returns nil if rel has no answer; for a file *.in that is an error.
func (p *reader) pair(rel string, files map[string]*tree.Entry, answers map[string]bool) (*draft.Case, error) {
	c := &draft.Case{Input: rel}
	for _, answer := range answersTo(rel) {
		switch {
		case files[answer] == nil || answer == rel:
		case c.Answer == "":
			c.Answer = answer
		default:
			p.NoteFile(path.Dir(answer), "answers that are not read, because the input has another answer", answer)
			answers[answer] = true
		}
	}
	if c.Answer == "" {
		if path.Ext(rel) == ".in" {
			return nil, p.noAnswer(rel, "")
		}
		return nil, nil
	}
	answers[c.Answer] = true
	c.Name = pairName(rel, c.Answer)
	if c.Group = path.Dir(c.Name); c.Group == "." {
		c.Group, c.Name = "tests", "tests/"+c.Name
	}
	var err error
	if c.InputSize, err = p.Tree.Size(path.Dir(rel), files[rel]); err != nil {
		return nil, err
	}
	c.AnswerSize, err = p.Tree.Size(path.Dir(c.Answer), files[c.Answer])
	return c, err
}

// noAnswer returns the error for an input without an answer. Its hint names the missing file in the
// style of other, which is the answer of another input, or "" if there is none.
func (p *reader) noAnswer(rel, other string) error {
	list := answersTo(rel)
	answer := list[max(0, slices.IndexFunc(list, func(a string) bool {
		return path.Dir(a) == path.Dir(other) && path.Ext(a) == path.Ext(other)
	}))]
	hint := "add " + path.Base(answer) + " beside it"
	if dir := path.Dir(answer); dir != path.Dir(rel) {
		hint = "add " + path.Base(answer) + " to " + dir
	}
	return p.Tree.Errorf(rel, 0, hint, "an input without an answer")
}

// byBytes compares outputs byte by byte, but for Windows, where programs end lines with CR LF.
func byBytes(*draft.Draft, *draft.Case) (diff.Options, error) {
	if runtime.GOOS == "windows" {
		return diff.Options{Mode: diff.Lines}, nil
	}
	return diff.Options{Mode: diff.Exact}, nil
}
