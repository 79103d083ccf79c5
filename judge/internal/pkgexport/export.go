// Package pkgexport writes a problem as a package that other tools accept.
//
// A package is planned as a whole before anything of it is written, and appears at
// its place when all of it is there. The same problem makes the same bytes
// everywhere: files are in the order of their names, and have no times.
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

// Format names a kind of package.
type Format string

// The formats that are written.
const (
	Kattis   Format = "kattis"        // ICPC/Kattis problem package, version 2025-09
	Legacy   Format = "kattis-legacy" // the same in its legacy version
	DOMjudge Format = "domjudge"      // that with what DOMjudge adds
	Polygon  Format = "polygon-files" // the files of a Polygon package, with problem.xml
)

var formats = []Format{Kattis, Legacy, DOMjudge, Polygon}

// Formats returns the names of the formats, for messages.
func Formats() string {
	var names []string
	for _, f := range formats {
		names = append(names, string(f))
	}
	return strings.Join(names, ", ")
}

// ParseFormat returns the format of that name. The error has a hint.
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

// Job is a problem to be written.
type Job struct {
	Problem  *problem.Problem
	Cases    []cases.Case       // in case order
	CaseData *casedata.Provider // for which the cases are prepared
	Format   Format
	LeftOut  []cases.Group // optional groups whose cases are not among Cases
}

// Summary is what a package has.
type Summary struct {
	Cases, Submissions int
	Notes              []string // what of the problem the package does not say, a sentence each
}

// Write writes the package to target: an archive if its name ends so, see [IsArchive],
// and a folder otherwise. What is there already must be empty. When it fails, or ctx
// ends, nothing is left. That the target is of no use is a [*TargetError]; whatever is
// wrong with the problem is located in it.
func (j *Job) Write(ctx context.Context, target string) (*Summary, error) {
	if err := CheckTarget(target); err != nil {
		return nil, err
	}
	p := &plan{Job: j}
	if err := p.all(); err != nil {
		return nil, err
	}
	slices.SortFunc(p.files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return &p.summary, deliver(ctx, target, j.Format, p.files)
}

// plan collects the files of a package.
type plan struct {
	*Job
	files   []file
	summary Summary
	last    casedata.Data // the case that was made last: its files follow each other
}

// file is one file of a package, by its slash path.
type file struct {
	name       string
	executable bool
	content    func(context.Context) ([]byte, error) // called once, when it is written
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

// optional returns the names of the optional groups that are written.
func (p *plan) optional() []string {
	var names []string
	for _, c := range p.Cases {
		if c.Optional && !slices.Contains(names, c.Group) {
			names = append(names, c.Group)
		}
	}
	return names
}

// note tells of something that the package lacks, once.
func (p *plan) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(p.summary.Notes, text) {
		p.summary.Notes = append(p.summary.Notes, text)
	}
}

// text adds a file.
func (p *plan) text(name, text string) { p.bytes(name, []byte(text)) }

func (p *plan) bytes(name string, text []byte) {
	p.made(name, func(context.Context) ([]byte, error) { return text, nil })
}

// made adds a file that is made when it is written.
func (p *plan) made(name string, content func(context.Context) ([]byte, error)) {
	p.files = append(p.files, file{name: name, content: content})
}

// load returns the bytes of a case.
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

// pair adds the input and the expected output of a case.
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
