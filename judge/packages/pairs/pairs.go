// Package pairs loads plain folders of inputs and answers.
package pairs

import (
	"fmt"
	"path"
	"runtime"
	"slices"
	"strings"

	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/quote"
	"tribunal/judge/internal/yamlstrict"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/kattis"
	"tribunal/judge/packages/tree"
)

// Name is the name of the format.
const Name = "pairs"

// Family describes folders with inputs and answers.
var Family = draft.Family{
	Formats: []draft.Format{{Name: Name, Main: "data", Points: draft.ByGroups, Compare: byBytes, Inputs: problem.Testlib, Outputs: problem.Testlib, Output: 64 * limits.MiB, Fallback: draft.PlainCPU}},
	Origin:  "anybody", Signs: "x.in with x.ans or x.out anywhere, or a similar pair; " + File + " beside them", Marks: []string{File},
	Empty: "a package needs data/secret/*.in, tests/01 or *.in, each with its answer; --pairs names others",
	Is:    func(*draft.Draft, draft.Listing) (bool, error) { return true, nil }, Read: read,
}

// reader reads a folder with inputs and answers.
type reader struct {
	*draft.Draft
	named   string  // how the user or the file names inputs and answers; "" if they are recognized
	in, out pattern // of these
}

// A pattern is the name of a file with a part that differs between cases.
type pattern struct{ before, after string }

// match returns the part that differs in a name, or false.
func (p pattern) match(name string) (string, bool) {
	rest, begins := strings.CutPrefix(name, p.before)
	part, ends := strings.CutSuffix(rest, p.after)
	return part, begins && ends && part != ""
}

// patterns reads a pair such as {}.in:{}.gold.
func patterns(text string) (in, out pattern, ok bool) {
	left, right, ok := strings.Cut(text, ":")
	for to, side := range map[*pattern]string{&in: left, &out: right} {
		ok = ok && strings.Count(side, "{}") == 1
		to.before, to.after, _ = strings.Cut(side, "{}")
	}
	return in, out, ok && in != out
}

// read reads a plain folder: the inputs and answers in it and its subfolders, which it
// recognizes by their names, and a checker, a validator and an interactor if there are any. A case
// is named for its path; cases outside of subfolders are in the group tests. The group sample comes
// first, and numbers in names sort as numbers: 2 before 10.
func read(of *draft.Draft) error {
	p := &reader{Draft: of, named: of.AskedPairs}
	if err := p.NamedPrograms(); err != nil {
		return err
	}
	doc, err := p.settings()
	if err != nil {
		return err
	}
	if p.named == "" {
		p.named = doc.Pairs
	}
	if p.named != "" {
		const want, like = "want the names of inputs and answers, each with one {}", "'{}.in:{}.gold'"
		var ok bool
		if p.in, p.out, ok = patterns(p.named); !ok && of.AskedPairs != "" {
			return &yamlstrict.Error{File: "--pairs " + p.named, Msg: want, Hint: "--pairs " + like}
		} else if !ok {
			return doc.Place.Errorf("pairs", "pairs: "+like, want)
		}
	}
	if err := p.ReadTiming(); err != nil {
		return err
	}
	files := map[string]*tree.Entry{}
	err = p.Tree.Walk(".", func(rel string, e *tree.Entry) (bool, error) {
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
	known := map[string]bool{File: true}
	for _, s := range p.Statements {
		known[path.Clean(s.Path)] = true
	}
	for _, rel := range others {
		switch ext := path.Ext(rel); {
		case answers[rel] || known[rel] || slices.Contains(programs, rel):
		case p.answersTo(rel) != nil && paired[path.Dir(rel)] != nil && sameExtension(rel, paired[path.Dir(rel)].Input):
			return p.noAnswer(rel, paired[path.Dir(rel)].Answer, nil)
		case ext == ".ans" || ext == ".out":
			p.NoteFile(path.Dir(rel), "answers without an input, not read", rel)
		default:
			p.NoteFile(path.Dir(rel), "files that are not read", rel)
		}
	}
	if err := p.Order(groups); err != nil {
		return err
	}
	if doc.Place.Has("pairs") && len(p.Cases) == 0 {
		return doc.Place.Errorf("pairs", "it has the names of inputs and answers", "no files are called %s%s", p.named, Seen(of))
	}
	if err := doc.describe(p); err != nil {
		return err
	}
	return kattis.ReadSubmissions(of)
}

// pair returns the case of the input rel, and adds the paths of all its answers to answers. It
// returns nil if rel has no answer; for a file *.in that is an error.
func (p *reader) pair(rel string, files map[string]*tree.Entry, answers map[string]bool) (*draft.Case, error) {
	c := &draft.Case{Input: rel}
	for _, answer := range p.answersTo(rel) {
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
		if path.Ext(rel) == ".in" && p.named == "" || p.named != "" && p.answersTo(rel) != nil {
			return nil, p.noAnswer(rel, "", files)
		}
		return nil, nil
	}
	answers[c.Answer] = true
	c.Name = p.pairName(rel, c.Answer)
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
// style of other, which is the answer of another input, or "" if there is none, and says how to name one of the files that
// only differs from the input in the extension.
func (p *reader) noAnswer(rel, other string, files map[string]*tree.Entry) error {
	list := p.answersTo(rel)
	answer := list[max(0, slices.IndexFunc(list, func(a string) bool {
		return path.Dir(a) == path.Dir(other) && path.Ext(a) == path.Ext(other)
	}))]
	hint := "add " + path.Base(answer) + " beside it"
	if dir := path.Dir(answer); dir != path.Dir(rel) {
		hint = "add " + path.Base(answer) + " to " + dir
	}
	for _, file := range draft.SortedKeys(files) {
		ext := path.Ext(file)
		if p.named == "" && file != rel && ext != "" && strings.TrimSuffix(file, ext) == strings.TrimSuffix(rel, path.Ext(rel)) {
			hint += fmt.Sprintf(", or --pairs '{}.in:{}%s'", quote.Name(ext))
			break
		}
	}
	return p.Tree.Errorf(rel, 0, hint, "an input without an answer")
}

// answersTo is answersTo for names that the user may have said.
func (p *reader) answersTo(rel string) []string {
	if p.named == "" {
		return answersTo(rel)
	}
	if part, ok := p.in.match(rel); ok {
		return []string{p.out.before + part + p.out.after}
	}
	if dir, base := path.Split(rel); dir != "" && !strings.Contains(p.named, "/") { // names in any folder
		if part, ok := p.in.match(base); ok {
			return []string{dir + p.out.before + part + p.out.after}
		}
	}
	return nil
}

// pairName is pairName for names that the user may have said.
func (p *reader) pairName(rel, answer string) string {
	if p.named == "" {
		return pairName(rel, answer)
	}
	if part, ok := p.in.match(rel); ok {
		return part
	}
	dir, base := path.Split(rel)
	part, _ := p.in.match(base)
	return dir + part
}

// Seen names the first files of a folder that has no cases, as " among x, y"; "" if it has none.
func Seen(of *draft.Draft) string {
	var names []string
	_ = of.Tree.Walk(".", func(rel string, e *tree.Entry) (bool, error) { // which has succeeded before
		if !e.Dir {
			names = append(names, quote.Name(rel))
		}
		return len(names) < 5, nil
	})
	if len(names) == 0 {
		return ""
	}
	slices.Sort(names)
	return " among " + strings.Join(names[:min(len(names), 4)], ", ") + map[bool]string{true: ", …"}[len(names) > 4]
}

// byBytes compares outputs byte by byte, unless the file says another way, but for Windows, where programs end lines
// with CR LF.
func byBytes(p *draft.Draft, _ *draft.Case) (diff.Options, error) {
	if p.Compare.Mode != "" {
		return p.Compare, nil
	}
	if runtime.GOOS == "windows" {
		return diff.Options{Mode: diff.Lines}, nil
	}
	return diff.Options{Mode: diff.Exact}, nil
}
