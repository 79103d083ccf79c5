// Package pairs loads plain folders of inputs and answers.
package pairs

import (
	"path"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"

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
			return nil, p.noAnswer(rel, "")
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
// style of other, which is the answer of another input, or "" if there is none.
func (p *reader) noAnswer(rel, other string) error {
	list := p.answersTo(rel)
	answer := list[max(0, slices.IndexFunc(list, func(a string) bool {
		return path.Dir(a) == path.Dir(other) && path.Ext(a) == path.Ext(other)
	}))]
	hint := "add " + path.Base(answer) + " beside it"
	if dir := path.Dir(answer); dir != path.Dir(rel) {
		hint = "add " + path.Base(answer) + " to " + dir
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

// opposites maps a word in the name of an input to the words that replace it in the name of the
// answer, the preferred one first: x.in and x.out, input1.txt and output1.txt, in/1 and out/1. If a
// name has several such words, all are replaced by the words of the same index.
var opposites = map[string][]string{
	"in":     slices.Concat([]string{"ans", "ans", "out", "out"}, answerWords),
	"inp":    slices.Concat([]string{"ans", "ans", "out", "out", "oup"}, answerWords),
	"input":  slices.Concat([]string{"answer", "ans", "output", "out"}, answerWords),
	"inputs": slices.Concat([]string{"answers", "answers", "outputs", "outputs"}, answerWords),
	"stdin":  slices.Concat([]string{"stdout"}, answerWords),
}

// answerWords are words for answers that stand for any of those for inputs.
var answerWords = []string{"expected", "exp", "gold", "ref", "sol", "correct", "ok", "answer", "expected_output", "expected-output", "expected.output", "expectedOutput"}

// mostOpposites is the length of the longest list of opposites.
const mostOpposites = 17

var wordOrSign = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[A-Za-z]+|[^A-Za-z]+`) })

// opposite returns the words that may replace a word of an input in the name of its answer, in
// upper case if the word is; nil if there are none.
func opposite(word string) []string {
	list := opposites[strings.ToLower(word)]
	switch word {
	case strings.ToLower(word):
		return list
	case strings.ToUpper(word):
		upper := slices.Clone(list)
		for i := range upper {
			upper[i] = strings.ToUpper(upper[i])
		}
		return upper
	}
	return nil
}

// answerName returns the name of the answer to an input: each word that is a key of opposites
// becomes its k-th replacement. It returns "" if the name has no such word.
func answerName(name string, k int) string {
	found := false
	result := wordOrSign().ReplaceAllStringFunc(name, func(word string) string {
		if list := opposite(word); k < len(list) {
			found = true
			return list[k]
		}
		return word
	})
	if !found {
		return ""
	}
	return result
}

// answersTo returns the possible paths of the answer to the input rel, the best first; nil if rel
// is not named like an input.
func answersTo(rel string) []string {
	dir, base := path.Split(rel)
	dirs, bases := []string{dir}, []string{}
	for k := range mostOpposites {
		if d := answerName(dir, k); d != "" {
			dirs = append(dirs, d)
		}
		if ext := path.Ext(base); answerName(ext, k) != "" {
			bases = append(bases, strings.TrimSuffix(base, ext)+answerName(ext, k))
		}
	}
	for k := range mostOpposites {
		if b := answerName(base, k); b != "" && hasDataExtension(base) {
			bases = append(bases, b)
		}
	}
	if name, ok := strings.CutSuffix(base, ".in"); ok {
		bases = append(bases, name+".a")
	}
	if number, ok := strings.CutPrefix(base, "I."); ok && number != "" && draft.Digits(number) == len(number) {
		bases = append(bases, "O."+number)
	}
	if len(bases) == 0 && len(dirs) == 1 && hasDataExtension(base) && !isAnswer(base) { // only the answer is marked, as in 1_expected.txt
		ext := path.Ext(base)
		for _, word := range slices.Concat([]string{"answer", "ans", "output", "out"}, answerWords) {
			for _, sign := range []string{"_", "-", "."} {
				bases = append(bases, strings.TrimSuffix(base, ext)+sign+word+ext)
			}
		}
	}
	if len(bases) == 0 { // only the folder marks it as an input
		dirs, bases = dirs[1:], append(bases, base)
	}
	var list []string
	for _, d := range dirs {
		for _, b := range bases {
			if !slices.Contains(list, d+b) {
				list = append(list, d+b)
			}
		}
	}
	return list
}

// hasDataExtension reports whether a file may hold test data, judging by its extension: input.txt
// may, input.tex may not.
func hasDataExtension(base string) bool {
	ext := strings.ToLower(strings.TrimPrefix(path.Ext(base), "."))
	return ext == "" || draft.Digits(ext) == len(ext) || slices.Contains([]string{"txt", "dat"}, ext) || opposite(ext) != nil
}

// sameExtension reports whether two files have the same extension. Extensions that are numbers
// count as equal.
func sameExtension(a, b string) bool {
	kind := func(name string) string {
		ext := strings.TrimPrefix(path.Ext(name), ".")
		if draft.Digits(ext) == len(ext) && ext != "" {
			return "0"
		}
		return ext
	}
	return kind(a) == kind(b)
}

// pairName returns the name of a case: the path of its input without the parts in which it differs
// from that of the answer, and without .txt.
func pairName(input, answer string) string {
	in, out := strings.Split(input, "/"), strings.Split(answer, "/")
	last := len(in) - 1
	var parts []string
	for i, part := range in[:last] {
		if part == out[i] {
			parts = append(parts, part)
		}
	}
	plain := func(name string) string {
		if ext := path.Ext(name); strings.EqualFold(ext, ".txt") {
			return strings.TrimSuffix(name, ext)
		}
		return name
	}
	base, other := plain(in[last]), plain(out[last])
	if base != other { // without the words that make it an input
		mine, others := wordOrSign().FindAllString(base, -1), wordOrSign().FindAllString(other, -1)
		base = ""
		for i, word := range mine {
			if len(mine) == len(others) && word == others[i] || len(mine) != len(others) && opposite(word) == nil {
				base += word
			}
		}
		base = strings.Trim(strings.NewReplacer("..", ".", "__", "_", "--", "-").Replace(base), "._- ")
	}
	if base != "" {
		parts = append(parts, base)
	} else if len(parts) == 0 {
		parts = append(parts, "1")
	}
	return strings.Join(parts, "/")
}

// isAnswer reports whether the name of a file has a word for answers, so that it is no unmarked input.
func isAnswer(base string) bool {
	return slices.ContainsFunc(wordOrSign().FindAllString(strings.ToLower(base), -1), func(word string) bool {
		return slices.Contains(answerWords, word) || slices.Contains([]string{"ans", "answers", "out", "output", "outputs", "oup", "stdout"}, word)
	})
}
