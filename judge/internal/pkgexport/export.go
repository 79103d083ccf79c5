// Package pkgexport writes a problem as a package that other tools accept.
//
// It plans all files before it writes the first one, and moves the package to its target when it is
// complete. The same problem gives the same bytes on every machine: files are sorted by name and
// carry no times.
package pkgexport

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/yamlstrict"
)

// Format is the name of a package format.
type Format string

// The formats that can be written.
const (
	Kattis   Format = "kattis"        // ICPC/Kattis problem package, version 2025-09
	Legacy   Format = "kattis-legacy" // its legacy version
	DOMjudge Format = "domjudge"      // the legacy version with the files that DOMjudge adds
	Polygon  Format = "polygon-files" // the files of a Polygon package, with problem.xml
)

var formats = []Format{Kattis, Legacy, DOMjudge, Polygon}

// Formats returns the names of all formats, separated by commas, for messages.
func Formats() string {
	var names []string
	for _, f := range formats {
		names = append(names, string(f))
	}
	return strings.Join(names, ", ")
}

// ParseFormat returns the format with the given name. Its error has a hint.
func ParseFormat(name string) (Format, error) {
	if slices.Contains(formats, Format(name)) {
		return Format(name), nil
	}
	hint := "they are " + Formats()
	if near := yamlstrict.Nearest(name, strings.Split(Formats(), ", ")); near != "" {
		hint = "did you mean " + near + "? " + hint
	}
	return "", fmt.Errorf("unknown format %q (hint: %s)", name, hint)
}

// Job is a problem to export and the format to export it in.
type Job struct {
	Problem  *problem.Problem
	Cases    []cases.Case       // in case order
	CaseData *casedata.Provider // with the cases already prepared
	Format   Format
	LeftOut  []cases.Group // optional groups whose cases are not among Cases
}

// Summary describes a written package.
type Summary struct {
	Cases, Submissions int
	Notes              []string // what the package cannot express of the problem, one sentence each
}

// Write writes the package to target: an archive if [IsArchive] holds for the name, otherwise a
// folder. A file or folder that exists there must be empty. If Write fails or ctx ends, it leaves
// nothing behind. It returns a [*TargetError] if it cannot write to the target; errors in the
// problem name the file at fault.
func (j *Job) Write(ctx context.Context, target string) (*Summary, error) {
	if err := CheckTarget(target); err != nil {
		return nil, err
	}
	p := &plan{Job: j}
	if err := p.all(); err != nil {
		return nil, err
	}
	slices.SortFunc(p.files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return &p.summary, writeTo(ctx, target, j.Format, p.files)
}

// plan collects the files of a package.
type plan struct {
	*Job
	files   []file
	summary Summary
	last    casedata.Data // the case loaded last, because its input and output are written one after the other
}

// file is one file of a package; name is its slash path within the package.
type file struct {
	name       string
	executable bool
	content    func(context.Context) ([]byte, error) // called once, when the file is written
}

func (p *plan) all() error {
	for _, c := range p.Cases {
		if c.Output == nil && c.Lock.Output == "" {
			return c.Errorf("", "run judge regen "+p.Problem.ID, "no expected output")
		}
	}
	for _, g := range p.optional() {
		p.note("the cases of %s count in the package as any others, and are optional here (hint: --required)", g)
	}
	if err := p.scores(); err != nil {
		return err
	}
	switch p.Format {
	case Kattis:
		return p.kattis()
	case Legacy:
		return p.legacy()
	case DOMjudge:
		return p.domjudge()
	case Polygon:
		return p.polygon()
	}
	return fmt.Errorf("unknown format %q (hint: they are %s)", p.Format, Formats())
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

// text adds a file with the given content.
func (p *plan) text(name, text string) { p.bytes(name, []byte(text)) }

func (p *plan) bytes(name string, text []byte) {
	p.made(name, func(context.Context) ([]byte, error) { return text, nil })
}

// made adds a file whose content is computed when the file is written.
func (p *plan) made(name string, content func(context.Context) ([]byte, error)) {
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

// pair adds the files for the input and the expected output of a case, under the given names.
func (p *plan) pair(c *cases.Case, input, output string) {
	p.summary.Cases++
	p.made(input, func(ctx context.Context) ([]byte, error) {
		f, err := p.load(ctx, c)
		if err != nil {
			return nil, err
		}
		return f.Input.Bytes()
	})
	p.made(output, func(ctx context.Context) ([]byte, error) {
		f, err := p.load(ctx, c)
		if err != nil {
			return nil, err
		}
		return f.Want.Bytes()
	})
}
