package pkgexport

import (
	_ "embed"
	"encoding/xml"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/points"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/internal/yamlstrict"
)

// polygonXML is problem.xml, without the elements that only Polygon itself uses.
type polygonXML struct {
	XMLName   xml.Name          `xml:"problem"`
	ShortName string            `xml:"short-name,attr"`
	Names     []polygonName     `xml:"names>name"`
	Judging   polygonJudging    `xml:"judging"`
	Checker   *polygonProgram   `xml:"assets>checker"`
	Interact  *polygonProgram   `xml:"assets>interactor"`
	Validator []polygonProgram  `xml:"assets>validators>validator"`
	Solutions []polygonSolution `xml:"assets>solutions>solution"`
	Tags      *polygonTags      `xml:"tags"`
}

type polygonTags struct {
	Tags []polygonTag `xml:"tag"`
}

type polygonTag struct {
	Value string `xml:"value,attr"`
}

type polygonName struct {
	Language string `xml:"language,attr"`
	Value    string `xml:"value,attr"`
}

type polygonJudging struct {
	Input  string     `xml:"input-file,attr"`
	Output string     `xml:"output-file,attr"`
	Tests  polygonSet `xml:"testset"`
}

type polygonSet struct {
	Name    string         `xml:"name,attr"`
	Time    int64          `xml:"time-limit"`
	Memory  int64          `xml:"memory-limit"`
	Count   int            `xml:"test-count"`
	Inputs  string         `xml:"input-path-pattern"`
	Answers string         `xml:"answer-path-pattern"`
	Tests   []polygonTest  `xml:"tests>test"`
	Groups  *polygonGroups `xml:"groups,omitempty"`
}

type polygonTest struct {
	Method      string `xml:"method,attr"`
	Sample      bool   `xml:"sample,attr,omitempty"`
	Description string `xml:"description,attr,omitempty"`
	Group       string `xml:"group,attr,omitempty"`
	Points      string `xml:"points,attr,omitempty"`
}

type polygonGroups struct {
	Groups []polygonGroup `xml:"group"`
}

type polygonGroup struct {
	Name         string              `xml:"name,attr"`
	Policy       string              `xml:"points-policy,attr"`
	Dependencies []polygonDependency `xml:"dependencies>dependency"`
}

type polygonDependency struct {
	Group string `xml:"group,attr"`
}

type polygonProgram struct {
	Source polygonSource `xml:"source"`
}

type polygonSource struct {
	Path string `xml:"path,attr"`
	Type string `xml:"type,attr"`
}

type polygonSolution struct {
	Tag    string        `xml:"tag,attr"`
	Note   string        `xml:"note,attr,omitempty"`
	Source polygonSource `xml:"source"`
}

// polygon plans the files of a Polygon package.
func (p *plan) polygon() error {
	p.noteLimits()
	if err := p.checkCases(); err != nil {
		return err
	}
	q := p.Problem
	p.note("left out: the output limit of %v", q.Limits.Output)
	samples, _ := p.splitSamples()
	doc := polygonXML{
		ShortName: q.ID, Names: []polygonName{{polygonLanguage(p.language()), q.Title}},
		Judging: polygonJudging{Tests: p.polygonTests()},
	}
	for _, word := range q.Keywords {
		if doc.Tags == nil {
			doc.Tags = &polygonTags{}
		}
		doc.Tags.Tags = append(doc.Tags.Tags, polygonTag{word})
	}
	for _, t := range q.Texts {
		if name := (polygonName{polygonLanguage(t.Language), t.Title}); t.Title != "" && !slices.Contains(doc.Names, name) {
			doc.Names = append(doc.Names, name)
		}
	}
	own := polygonLanguage(p.language())
	if p.ownStatement() {
		rich, err := p.rich()
		if err != nil {
			return err
		}
		if rich {
			p.addFile("statements/.html/"+own+"/problem.html", p.html(samples))
		}
		p.addFile("statements/"+own+"/problem.txt", p.plainText(samples))
	}
	p.noteUnknown(true)
	if err := p.statements("statements", own, func(t *problem.Text) string {
		return path.Join(polygonLanguage(t.Language), "problem"+path.Ext(t.Path))
	}); err != nil {
		return err
	}
	if err := p.polygonPrograms(&doc); err != nil {
		return err
	}
	if err := p.polygonSolutions(&doc); err != nil {
		return err
	}
	text, err := xml.MarshalIndent(doc, "", "  ")
	p.addText("problem.xml", xml.Header+string(text)+"\n")
	return err
}

// noteUnknown adds notes about the parts of the problem that formats besides those of Kattis lack.
// keywords says whether the format has keywords.
func (p *plan) noteUnknown(keywords bool) {
	q := p.Problem
	for _, part := range []struct {
		exists bool
		name   string
	}{{len(q.Authors) > 0, "the authors"}, {q.License != "", "the license"}, {len(q.Keywords) > 0 && !keywords, "the keywords"}, {len(q.Languages) > 0, "the allowed languages"}, {len(q.Include) > 0, "the files to include in submissions"}, {q.Code > 0, "the source size limit"},
		{q.Compile != limits.Limits{}, "the limits of compilers"}, {q.UUID != "", "the uuid"}} {
		if part.exists {
			p.note("left out: %s", part.name)
		}
	}
}

// polygonLanguage returns Polygon's name for the language with the given code.
func polygonLanguage(code string) string {
	if code == "en" {
		return "english"
	}
	return code
}

// polygonTests plans the tests, the samples first.
func (p *plan) polygonTests() polygonSet {
	list, groups := p.splitSamples()
	samples := len(list)
	for _, g := range groups {
		list = append(list, g...)
	}
	set := polygonSet{
		Name: "tests", Time: p.Problem.Limits.CPU.Milliseconds(), Memory: int64(p.Problem.Limits.Memory), Count: len(list),
	}
	width := number(0, len(list))
	set.Inputs = "tests/%0" + string(rune('0'+len(width))) + "d"
	set.Answers = set.Inputs + ".a"
	for i, c := range list {
		name := path.Join("tests", number(i, len(list)))
		p.addCase(c, name, name+".a")
		test := polygonTest{Method: "manual", Sample: i < samples, Description: strings.TrimSuffix(c.Name+": "+c.Note, ": ")}
		p.polygonPoints(c, &test)
		set.Tests = append(set.Tests, test)
	}
	if p.Problem.Scoring {
		set.Groups = &polygonGroups{}
		for _, g := range p.pointed() {
			r := g.Rule.(points.Polygon)
			own := polygonGroup{Name: g.Name, Policy: "each-test"}
			if r.Complete {
				own.Policy = "complete-group"
			}
			for _, name := range r.Requires {
				own.Dependencies = append(own.Dependencies, polygonDependency{name})
			}
			set.Groups.Groups = append(set.Groups.Groups, own)
		}
	}
	return set
}

// pointed returns the groups of a scoring problem. Points for all cases together are those of a single group.
func (p *plan) pointed() []*points.Group {
	root := p.Problem.Groups
	if r, is := root.Rule.(points.Polygon); is && r.Complete && len(root.Groups) == 0 {
		return []*points.Group{{Name: "tests", Rule: r, Cases: root.Cases}}
	}
	return root.Groups
}

// polygonPoints sets the points of a test in a scoring problem, and its group if it is in a named
// one.
func (p *plan) polygonPoints(c *cases.Case, test *polygonTest) {
	if !p.Problem.Scoring {
		return
	}
	test.Points = float(c.Points)
	for _, g := range p.pointed() {
		if slices.ContainsFunc(g.Cases, func(i int) bool { return p.Cases[i].Name == c.Name }) {
			test.Group = g.Name
		}
	}
}

//go:embed polygon/compare.go.txt
var compareSource string

//go:embed polygon/checker.go.txt
var checkerFront string

//go:embed polygon/validator.go.txt
var validatorFront string

// polygonPrograms plans the checker and the validators, which follow testlib's protocol.
func (p *plan) polygonPrograms(doc *polygonXML) error {
	if err := p.polygonValidators(doc); err != nil {
		return err
	}
	if !p.hasCheck() {
		return p.polygonChecker(doc)
	}
	check, err := p.ownProgram(p.CaseData.Problem.Check)
	if err != nil {
		return err
	}
	front := func(dir, text, script string, args ...string) (polygonSource, error) {
		if check.language != "go" {
			p.addValidator(dir, p.asTestlib(script, check, args))
			return polygonSource{dir, build.Scripts}, nil
		}
		v, err := check.withMain(text)
		if err != nil {
			return polygonSource{}, &yamlstrict.Error{File: filepath.Join(p.CaseData.Problem.Root, p.CaseData.Problem.Check), Msg: err.Error()}
		}
		p.addValidator(dir, v)
		return polygonSource{dir, "go"}, nil
	}
	source, err := front("files/validator", validatorFront, validatorScript, "-input")
	if err != nil {
		return err
	}
	doc.Validator = append(doc.Validator, polygonProgram{source})
	if !p.Problem.Checker() {
		return p.polygonChecker(doc)
	}
	if source, err = front("files/check", checkerFront, checkerScript); err != nil {
		return err
	}
	doc.Checker = &polygonProgram{source}
	return nil
}

// polygonValidators plans the problem's input validators besides its own check.
func (p *plan) polygonValidators(doc *polygonXML) error {
	if len(p.Problem.InputValidators) == 0 && !p.hasCheck() {
		p.note("there is no input validator")
	}
	if len(p.Problem.AnswerValidators) > 0 {
		p.note("left out: the answer validators: this format has none")
	}
	for _, v := range p.Problem.InputValidators {
		own, err := p.ownProgram(v.Program)
		if err != nil {
			return err
		}
		if own.language == build.Checktestdata {
			p.note("left out: the input validator %s: this format cannot run Checktestdata", v.Name)
			continue
		}
		own = p.asTestlib(carried[v.Protocol].testlib.validator, own, v.Flags)
		dir := path.Join("files", "validators", v.Name)
		p.addValidator(dir, own)
		doc.Validator = append(doc.Validator, polygonProgram{polygonSource{dir, own.language}})
	}
	return nil
}

// polygonChecker plans the interactor and the checker of a problem whose own check does not judge
// outputs: its output validators, or else a program that compares outputs as the problem does.
func (p *plan) polygonChecker(doc *polygonXML) error {
	q := p.Problem
	list := p.outputValidators()
	if q.MultiPass() {
		return q.Errorf("type", p.exportHint(Kattis), "this format has no multi-pass problems")
	}
	for _, v := range list {
		if carried[v.Protocol].testlib.checker == "" && len(v.Flags) > 0 {
			return q.Errorf("output_validators", "build them into the program", "this format has no arguments for checkers and interactors")
		}
	}
	if q.Interactive() {
		v, err := p.ownProgram(list[0].Program)
		if err != nil {
			return err
		}
		v = p.asTestlib(carried[list[0].Protocol].testlib.interactor, v, list[0].Flags)
		p.addValidator("files/interactor", v)
		doc.Interact = &polygonProgram{polygonSource{"files/interactor", v.language}}
		if list = list[1:]; len(list) == 0 {
			p.note("problem.xml names no checker: the interactor alone decides")
			return nil
		}
	}
	switch {
	case len(list) > 1:
		return q.Errorf("output_validators", p.exportHint(Legacy), "this format has only one output validator")
	case len(list) == 1:
		v, err := p.ownProgram(list[0].Program)
		if err != nil {
			return err
		}
		v = p.asTestlib(carried[list[0].Protocol].testlib.checker, v, list[0].Flags)
		p.addValidator("files/check", v)
		doc.Checker = &polygonProgram{polygonSource{"files/check", v.language}}
		return nil
	case q.Compare.Spaces && (q.Compare.FoldCase || q.Compare.Mode == diff.Float):
		return q.Errorf("spaces", "use another format", "this format has no checker that compares white space but not every byte")
	}
	doc.Checker = &polygonProgram{polygonSource{"check.go", "go"}}
	p.addText("check.go", p.compareChecker())
	return nil
}

// compareChecker returns the source of a checker that compares outputs as the problem does.
func (p *plan) compareChecker() string {
	q := p.Problem
	return strings.NewReplacer(
		"{{exact}}", fmt.Sprint(q.Compare.Mode == diff.Exact || q.Compare.Spaces), "{{fold}}", fmt.Sprint(q.Compare.FoldCase),
		"{{absolute}}", float(q.Compare.Abs), "{{relative}}", float(q.Compare.Rel),
	).Replace(compareSource)
}

// tags holds Polygon's tags for verdicts.
var tags = map[verdict.Verdict]string{
	verdict.AC: "accepted", verdict.WA: "wrong-answer", verdict.PE: "presentation-error",
	verdict.TLE: "time-limit-exceeded", verdict.MLE: "memory-limit-exceeded",
}

// tag returns Polygon's tag for a verdict, and the name of the verdict as a note if the tag is less
// precise. A verdict without a tag becomes "rejected". If a checker decides, every kind of wrong
// output becomes "wrong-answer", because a checker distinguishes no others.
func tag(v verdict.Verdict, checker bool) (tag, note string) {
	if checker && v.Is(verdict.WrongOutput) && v != verdict.WA {
		return tags[verdict.WA], v.Title()
	}
	if tag, ok := tags[v]; ok {
		return tag, ""
	}
	return "rejected", v.Title()
}

func (p *plan) polygonSolutions(doc *polygonXML) error {
	list, err := p.submissions()
	if err != nil {
		return err
	}
	for _, s := range list {
		if s.bruteForce {
			p.note("left out: the brute-force solver, because it may exceed the limits")
			continue
		}
		tag, note := tag(s.want, p.hasOutputValidator())
		if s.partial {
			tag, note = "rejected", "a part of the points"
		}
		if s.model {
			tag = "main"
		}
		doc.Solutions = append(doc.Solutions, polygonSolution{tag, note, polygonSource{path.Join("solutions", s.path), s.language}})
		p.addSubmission("solutions", s)
	}
	return nil
}
