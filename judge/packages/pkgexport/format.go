package pkgexport

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"tribunal/judge/internal/points"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/yamlstrict"
)

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
		{Name: Pairs, title: "nothing but the inputs and expected outputs of the cases, as pairs of files", plan: (*plan).pairs, bare: true},
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
