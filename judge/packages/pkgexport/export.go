// Package pkgexport writes a problem as a package that other tools accept.
//
// It plans all files before it writes the first one, and moves the package to its target when it is
// complete. The same problem gives the same bytes on every machine: files are sorted by name and
// have a fixed time.
//
// Begin with Job.Write in this file, and layouts, which has everything about each format in one row. kattis.go,
// legacy.go, polygon.go, dmoj.go and cms.go plan formats; the other files plan the parts that formats share.
package pkgexport

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/points"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/yamlstrict"
	"tribunal/judge/packages/pairs"
)

// Job is a problem to export and the format to export it in.
type Job struct {
	Problem  *problem.Problem
	Cases    []cases.Case       // in case order
	CaseData *casedata.Provider // inputs and outputs; the caller has prepared the cases
	Format   Format
	LeftOut  []cases.Group // optional groups whose cases are not among Cases
}

// Summary describes a written package.
type Summary struct {
	Cases, Submissions int
	Notes              []string // one sentence for each part of the problem that the package lacks
}

// Write writes the package to target: an archive if [IsArchive] holds for the name, otherwise a
// folder. A file or folder that already exists there must be empty. If Write fails or ctx ends, it
// leaves nothing behind. It returns a [*TargetError] if it cannot write to the target; errors in
// the problem name the file at fault.
func (j *Job) Write(ctx context.Context, target string) (*Summary, error) {
	if err := CheckTarget(target); err != nil {
		return nil, err
	}
	p := &plan{Job: j, layout: j.Format.layout()}
	if err := p.planFiles(); err != nil {
		return nil, err
	}
	slices.SortFunc(p.files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return &p.summary, writeTo(ctx, target, p.latest, p.files)
}

// plan collects the files of a package.
type plan struct {
	*Job
	layout
	files   []file
	summary Summary
	last    casedata.Data // data of the case loaded last, kept because its input and output are separate files
}

// file is one file of a package; name is its slash path within the package.
type file struct {
	name       string
	executable bool
	content    func(context.Context) ([]byte, error) // called once, when the file is written
}

// planFiles plans the files of the package.
func (p *plan) planFiles() error {
	for _, c := range p.Cases {
		if c.Output == nil && c.Lock.Output == "" {
			return c.Errorf("", "run judge regen "+p.Problem.ID, "no expected output")
		}
	}
	for _, g := range p.optional() {
		p.note("the optional cases of %s become ordinary cases in the package (hint: --required leaves them out)", g)
	}
	if p.Problem.Validator == nil && p.Problem.Compare.Mode == diff.Lines && !p.bare {
		p.note("outputs are compared by words: the format has no comparison by lines")
	}
	if err := p.checkScoring(); err != nil {
		return err
	}
	if err := p.checkProtocols(); err != nil {
		return err
	}
	return p.plan(p)
}

// optional returns the names of the optional groups that are exported.
func (p *plan) optional() []string {
	var names []string
	for _, c := range p.Cases {
		if c.Optional && !slices.Contains(names, c.Group) {
			names = append(names, c.Group)
		}
	}
	return names
}

// note adds a note to the summary unless it is there already.
func (p *plan) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(p.summary.Notes, text) {
		p.summary.Notes = append(p.summary.Notes, text)
	}
}

// addText plans a file with the given content.
func (p *plan) addText(name, text string) { p.addBytes(name, []byte(text)) }

func (p *plan) addBytes(name string, text []byte) {
	p.addFile(name, func(context.Context) ([]byte, error) { return text, nil })
}

// addFile plans a file whose content is computed when the file is written.
func (p *plan) addFile(name string, content func(context.Context) ([]byte, error)) {
	p.files = append(p.files, file{name: name, content: content})
}

// load returns the data of a case.
func (p *plan) load(ctx context.Context, c *cases.Case) (casedata.Data, error) {
	if p.last.Name == c.Name {
		return p.last, nil
	}
	f, err := p.CaseData.Load(ctx, c)
	if err == nil {
		p.last = f
	}
	return f, err
}

// addCase plans the files for the input and the expected output of a case, under the given names.
func (p *plan) addCase(c *cases.Case, input, output string) {
	p.summary.Cases++
	p.addFile(input, func(ctx context.Context) ([]byte, error) {
		f, err := p.load(ctx, c)
		if err != nil {
			return nil, err
		}
		return f.Input.Bytes()
	})
	p.addFile(output, func(ctx context.Context) ([]byte, error) {
		f, err := p.load(ctx, c)
		if err != nil {
			return nil, err
		}
		return f.Want.Bytes()
	})
}

// pairs plans the cases, an input NAME.in and an expected output NAME.ans each, in the folders of their groups, and
// tribunal.yaml, as package pkgformat reads them again.
func (p *plan) pairs() error {
	var names []string
	for i := range p.Cases {
		c := &p.Cases[i]
		p.addCase(c, c.Name+".in", c.Name+".ans")
		names = append(names, c.Name)
		if len(c.Args) > 0 || len(c.Files) > 0 || c.Given != nil && c.Given.Files != nil {
			p.note("arguments and further files of cases are left out")
		}
	}
	if p.Problem.Scoring {
		p.note("points are left out")
	} else if p.Problem.Groups != nil {
		p.note("on_reject and grader_flags of groups are left out")
	}
	if p.Problem.Validator != nil {
		p.note("the output validator is left out: outputs are compared with the expected ones")
	}
	p.addText(pairs.File, pairs.Text(p.Problem, names))
	return nil
}

// Format is the name of a package format.
type Format string

// The formats that can be written.
const (
	Kattis   Format = "kattis"
	Legacy   Format = "kattis-legacy"
	DOMjudge Format = "domjudge"
	Polygon  Format = "polygon-files"
	DMOJ     Format = "dmoj"
	CMS      Format = "cms"
	Pairs    Format = "pairs"
)

// layout has everything that distinguishes a format.
type layout struct {
	Name  Format
	title string
	plan  func(*plan) error
	rules []points.Rule // zero values of the rules of points that it has
	bare  bool          // it has cases alone: what else is lost does not matter
	// The others are for the formats of Kattis.
	latest     bool              // version 2025-09: an archive has one folder, and problem.yaml other keys than before
	verdicts   bool              // groups have rules without points, too
	validators string            // folder of an output validator, in which * becomes its name
	several    bool              // it has several output validators
	flat       bool              // DOMjudge reads it, which takes no folders within programs
	results    map[string]string // folders by DOMjudge's results, if they are not those of the other formats
}

// layouts returns all formats, the most common first.
func layouts() []layout {
	latest, polygon, both := []points.Rule{points.ICPC2023{}}, []points.Rule{points.Polygon{}}, []points.Rule{points.ICPC2023{}, points.Polygon{}}
	return []layout{
		{Name: Kattis, title: "ICPC/Kattis problem package, version 2025-09", plan: (*plan).kattis, rules: latest, latest: true, validators: "output_validator"},
		{Name: Legacy, title: "ICPC/Kattis problem package, legacy version", plan: (*plan).legacy, rules: []points.Rule{points.Legacy{}}, verdicts: true, validators: "output_validators/*", several: true},
		{Name: DOMjudge, title: "the legacy version with the files that DOMjudge adds", plan: (*plan).domjudge, validators: "output_validators/*", flat: true, results: domjudgeFolders},
		{Name: Polygon, title: "the files of a Polygon package, with problem.xml", plan: (*plan).polygon, rules: polygon},
		{Name: DMOJ, title: "a problem of DMOJ, with init.yml", plan: (*plan).dmoj, rules: both},
		{Name: CMS, title: "a task of CMS in the Italian layout, with task.yaml", plan: (*plan).cms, rules: both},
		{Name: Pairs, title: "the inputs and expected outputs of the cases, as pairs of files, and tribunal.yaml", plan: (*plan).pairs, bare: true},
	}
}

// layout returns the row of the format.
func (f Format) layout() layout {
	for _, l := range layouts() {
		if l.Name == f {
			return l
		}
	}
	panic(fmt.Sprintf("pkgexport: no format is called %q", string(f)))
}

// has reports whether the format has rules of that type.
func (l *layout) has(rule points.Rule) bool {
	return slices.ContainsFunc(l.rules, func(r points.Rule) bool { return reflect.TypeOf(r) == reflect.TypeOf(rule) })
}

// All returns all formats, the most common first.
func All() (all []Format) {
	for _, l := range layouts() {
		all = append(all, l.Name)
	}
	return all
}

// Title describes the format in a few words.
func (f Format) Title() string { return f.layout().title }

// Formats returns the names of all formats, separated by commas, for messages.
func Formats() string {
	var names []string
	for _, f := range All() {
		names = append(names, string(f))
	}
	return strings.Join(names, ", ")
}

// ParseFormat returns the format with the given name. Its error has a hint.
func ParseFormat(name string) (Format, error) {
	if slices.Contains(All(), Format(name)) {
		return Format(name), nil
	}
	hint := "the formats are " + Formats()
	if near := yamlstrict.Nearest(name, strings.Split(Formats(), ", ")); near != "" {
		hint = "did you mean " + near + "? " + hint
	}
	return "", fmt.Errorf("unknown format %q (hint: %s)", name, hint)
}

// scripts are what makes of a program one of another protocol: a checker, an interactor, an input
// validator. "" means that it has that protocol already.
type scripts struct{ checker, interactor, validator string }

// carried says how the programs of each protocol that our problems have get into packages: as programs of
// testlib's protocol, of that of the ICPC formats, and as a comparator of CMS.
var carried = map[problem.Protocol]struct{ testlib, icpc, cms scripts }{
	problem.ICPC: {
		testlib: scripts{checkerScript, interactorScript, validatorScript},
		cms:     scripts{checker: cmsChecker},
	},
	problem.Testlib: {
		icpc: scripts{testlibChecker, testlibInteractor, testlibValidator},
		cms:  scripts{checker: cmsTestlib},
	},
}

// checkProtocols returns an error if the format cannot carry a validator.
func (p *plan) checkProtocols() error {
	var protocols []problem.Protocol
	for v := p.Problem.Validator; v != nil; v = v.Then {
		protocols = append(protocols, v.Protocol)
	}
	for _, v := range p.Problem.InputValidators {
		protocols = append(protocols, v.Protocol)
	}
	for _, one := range protocols {
		if _, is := carried[one]; !is && !p.bare {
			return p.Problem.Errorf("", p.exportHint(Pairs), "validators of the protocol %s are not exported to this format", one)
		}
	}
	return nil
}
