// Package polygon loads packages of Codeforces' Polygon.
package polygon

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/quote"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/tree"
	"tribunal/judge/packages/yamlloose"
)

const (
	polygonFile = "problem.xml"
	windowsFile = "doall.bat"
)

var formats = []draft.Format{{Name: "polygon", Main: polygonFile, Points: draft.ByCases, Compare: draft.ByTokens, Inputs: problem.Testlib, Outputs: problem.Testlib, Output: 64 * limits.MiB}}

// Family describes packages of Codeforces.
var Family = draft.Family{
	Formats: formats,
	Origin:  "Codeforces' Polygon", Signs: polygonFile,
	Marks: []string{polygonFile},
	Empty: "add tests/01 with tests/01.a, or a command for each test in " + polygonFile,
	Is:    func(_ *draft.Draft, list draft.Listing) (bool, error) { return list.File(polygonFile), nil },
	Read:  read,
}

// Plain describes such packages without problem.xml.
var Plain = draft.Family{
	Formats: formats,
	Origin:  "Codeforces' Polygon", Signs: "tests/01 with tests/01.a",
	Empty: "add tests/01 with tests/01.a",
	Is:    isNumbered, Read: readNumbered,
}

// polygonXML is the part of problem.xml that judging needs.
type polygonXML struct {
	ShortName string `xml:"short-name,attr"`
	Names     []struct {
		Language string `xml:"language,attr"`
		Value    string `xml:"value,attr"`
	} `xml:"names>name"`
	Judging struct {
		Input    string `xml:"input-file,attr"`
		Output   string `xml:"output-file,attr"`
		Testsets []set  `xml:"testset"`
	} `xml:"judging"`
	Tags []struct {
		Value string `xml:"value,attr"`
	} `xml:"tags>tag"`
	Headers []source `xml:"files>resources>file"`
	// Executables are the programs besides checker, validators, interactor and solutions: mostly
	// generators.
	Executables []source  `xml:"files>executables>executable>source"`
	Checker     tool      `xml:"assets>checker"`
	Interactor  source    `xml:"assets>interactor>source"`
	Validators  []tool    `xml:"assets>validators>validator"`
	Solutions   []program `xml:"assets>solutions>solution"`
}

type source struct {
	Path string `xml:"path,attr"`
	Type string `xml:"type,attr"`
}

// tool is a checker or an input validator with its tests.
type tool struct {
	Source source `xml:"source"`
	Tests  set    `xml:"testset"`
}

type program struct {
	Tag    string `xml:"tag,attr"`
	Source source `xml:"source"`
	Extra  []struct {
		Tag     string `xml:"tag,attr"`
		Group   string `xml:"group,attr"`
		Testset string `xml:"testset,attr"`
	} `xml:"extra-tags>extra-tag"`
}

// reader reads a package of Polygon.
type reader struct{ *draft.Draft }

// read reads a package with problem.xml.
func read(of *draft.Draft) error {
	p := &reader{Draft: of}
	p.ArgumentsGiven, p.LooseTests = true, true
	data, err := p.Tree.Read(polygonFile, tree.MaxDocument)
	if err != nil {
		return err
	}
	var doc polygonXML
	if err := xml.NewDecoder(bytes.NewReader(data)).Decode(&doc); err != nil {
		line := 0
		if se, ok := errors.AsType[*xml.SyntaxError](err); ok {
			line, err = se.Line, errors.New(se.Msg)
		}
		return p.Tree.Errorf(polygonFile, line, "", "invalid XML: %v", err)
	}
	p.Title = doc.ShortName
	for i, n := range doc.Names {
		p.Names[n.Language] = n.Value
		if i == 0 || n.Language == "english" {
			p.Title = n.Value
		}
	}
	p.FilesKeys = "leave out input-file and output-file in " + polygonFile
	for _, t := range doc.Tags {
		if word := strings.Join(strings.Fields(t.Value), " "); word != "" && !slices.Contains(p.Keywords, word) {
			p.Keywords = append(p.Keywords, word)
		}
	}
	if err := p.UseFile(polygonFile, 0, doc.Judging.Input, &p.InFile); err != nil {
		return err
	}
	if err := p.UseFile(polygonFile, 0, doc.Judging.Output, &p.OutFile); err != nil {
		return err
	}
	// Without doall.bat a package is for other systems than Windows. On Windows programs read and write
	// CRLF for the end of a line.
	if windows, _, err := p.Tree.Kind(windowsFile); err != nil {
		return err
	} else if windows {
		p.Windows = map[string]bool{}
		p.Note(windowsFile, 0, "this is a package for Windows: CRLF ends lines in its tests, and is read as LF")
	}
	if err := p.polygonStatements(); err != nil {
		return err
	}
	if err := p.polygonPrograms(doc); err != nil {
		return err
	}
	set, err := p.testset(doc.Judging.Testsets)
	if err != nil {
		return err
	}
	if err := p.polygonTests(doc, set); err != nil {
		return err
	}
	p.AllowPartialScores()
	p.toolTests(doc)
	return nil
}

// polygonPrograms reads the checker, the validators, the interactor, the headers and the solutions.
// A program that problem.xml names must exist.
func (p *reader) polygonPrograms(doc polygonXML) error {
	locate := func(s source) (string, error) {
		rel := path.Clean(s.Path)
		file, dir, err := p.Tree.Kind(rel)
		if err == nil && dir {
			err = p.VisitProgram(rel, nil)
		}
		if err == nil && !file && !dir {
			err = p.Tree.Errorf(polygonFile, 0, "", "names %s, which is not in the package", quote.Name(s.Path))
		}
		return rel, err
	}
	if doc.Checker.Source.Path != "" {
		rel, err := locate(doc.Checker.Source)
		if err != nil {
			return err
		}
		p.Validation.Programs = []string{rel}
	}
	for _, v := range doc.Validators {
		rel, err := locate(v.Source)
		if err != nil {
			return err
		}
		p.InputPrograms = append(p.InputPrograms, rel)
	}
	if doc.Interactor.Path != "" {
		rel, err := locate(doc.Interactor)
		if err != nil {
			return err
		}
		p.Validation.Interactive, p.Validation.Interactor = true, rel
	}
	for _, h := range doc.Headers {
		if ext := path.Ext(h.Path); ext == ".h" || ext == ".hpp" {
			rel, err := locate(h)
			if err != nil {
				return err
			}
			p.Validation.Headers = append(p.Validation.Headers, rel)
		}
	}
	for _, s := range doc.Solutions {
		if s.Tag == "do-not-run" {
			p.Note(s.Source.Path, 0, "not judged: its tag is do-not-run")
			continue
		}
		rel, err := locate(s.Source)
		if err != nil {
			return err
		}
		p.polygonSolution(rel, s.Source.Type, s.Tag)
		e := &p.Submissions[len(p.Submissions)-1].Expect
		for _, x := range s.Extra {
			set, ok := p.polygonTag(rel, x.Tag)
			switch {
			case !ok:
			case x.Group == "" || strings.ContainsAny(x.Group, "*{},"):
				p.Note(rel, 0, "extra tag %s of %s is ignored: only tags of single groups are supported", quote.Name(x.Tag), quote.Name(cmp.Or(x.Group, x.Testset)))
			default: // the verdict is required on one test of the group; the others may be accepted
				e.Rules = append(e.Rules, problem.Rule{Cases: x.Group, Permitted: set | draft.Accepted, Required: set, From: e.From})
			}
		}
	}
	return nil
}

// polygonSolution adds a submission. Its tag, if known, gives the verdicts to expect.
func (p *reader) polygonSolution(rel, language, tag string) {
	s := problem.Submission{Path: rel, Language: language, Model: tag == "main"}
	if set, ok := p.polygonTag(rel, tag); ok {
		s.Expect = problem.Expect{Final: set, From: "its tag " + tag}
	}
	p.Submissions = append(p.Submissions, s)
}

// polygonTag returns the verdicts that a solution with a tag may get; false for an unknown tag,
// with a note.
func (p *reader) polygonTag(rel, tag string) (all verdict.Set, ok bool) {
	for name := range strings.SplitSeq(strings.ToLower(tag), "-or-") {
		set, known := draft.ParseResult(name)
		switch {
		case name == "main" || name == "ok":
			set = draft.Accepted
		case name == "failed":
			set = draft.Rejected
		case !known:
			p.Note(rel, 0, "no verdict is expected: unknown tag %s", quote.Name(tag))
			return 0, false
		}
		all |= set
	}
	return all, true
}

// testset returns the testset called tests, or else the first one, and takes the time and memory
// limits from it. It notes the testsets that are not used.
func (p *reader) testset(sets []set) (set, error) {
	if len(sets) == 0 {
		return set{}, p.Tree.Errorf(polygonFile, 0, "", "no testset")
	}
	at := max(0, slices.IndexFunc(sets, func(s set) bool { return s.Name == "tests" }))
	for i, s := range sets {
		if i != at {
			p.Note(polygonFile, 0, "testset %s is not used", quote.Name(s.Name))
		}
	}
	set := sets[at]
	bad := func(what, text string) error {
		return p.Tree.Errorf(polygonFile, 0, "", "the %s of testset %s is not a number above 0: %s", what, quote.Name(set.Name), quote.Name(text))
	}
	if set.Time != "" {
		ms, err := strconv.ParseInt(strings.TrimSpace(set.Time), 10, 64)
		if err != nil || ms <= 0 || ms > yamlloose.Longest.Milliseconds() {
			return set, bad("time-limit", set.Time)
		}
		p.Time.Limit, p.Time.From = time.Duration(ms)*time.Millisecond, polygonFile
	}
	if set.Memory != "" {
		size, err := strconv.ParseInt(strings.TrimSpace(set.Memory), 10, 64)
		if err != nil || size <= 0 {
			return set, bad("memory-limit", set.Memory)
		}
		if limits.Bytes(size) < limits.MiB {
			return set, p.Tree.Errorf(polygonFile, 0, "", "the memory-limit of testset %s is %v: no program starts with less than 1MiB", quote.Name(set.Name), limits.Bytes(size))
		}
		p.Limits.Memory = limits.Bytes(size)
	}
	return set, nil
}

// polygonStatements finds the statements of a Polygon package, such as
// statements/english/problem.tex.
func (p *reader) polygonStatements() error {
	const dir = "statements"
	if _, there, err := p.Tree.Kind(dir); err != nil || !there {
		return err
	}
	languages, err := p.ListSkipping(dir)
	if err != nil {
		return err
	}
	for _, l := range languages {
		if !l.Dir || strings.HasPrefix(l.Name, ".") {
			continue
		}
		list, err := p.ListSkipping(path.Join(dir, l.Name))
		if err != nil {
			return err
		}
		language := l.Name
		if language == "english" {
			language = "en"
		}
		for _, e := range list {
			if !e.Dir && slices.Contains([]string{"problem.tex", "problem.md", "problem.txt"}, e.Name) {
				p.Statements = append(p.Statements, draft.Statement{Language: language, Path: path.Join(dir, l.Name, e.Name)})
			}
		}
	}
	return nil
}
