package draft

import (
	"slices"
	"time"

	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/points"
	"tribunal/judge/internal/problem"
	"tribunal/judge/packages/tree"
)

// Family is a kind of packages with one loader.
type Family struct {
	Formats []Format // the first is set before Read is called
	Origin  string   // who uses such packages
	Signs   string   // the content by which a package is recognised
	Lacks   string   // what the family has and judge does not read; "" for nothing
	// Marks are the files and folders each of which makes a folder look like such a package; nil if any folder
	// may have them.
	Marks []string
	Empty string // the hint for a package without cases; "" if Read has an error of its own for that
	// Is reports whether the folder of p, whose entries are list, is such a package.
	Is   func(p *Draft, list Listing) (bool, error)
	Read func(p *Draft) error
}

// Names returns the names of the formats.
func (f *Family) Names() (list []string) {
	for _, one := range f.Formats {
		list = append(list, one.Name)
	}
	return list
}

// Format is a format of a family, with everything that holds for all its packages. Only Fallback may be 0.
type Format struct {
	Name string // [problem.Problem].Format
	Main string // the file or folder to blame for wrong points
	// Points returns how the score of a group, which is depth folders below the root group, is computed. index
	// holds the number of each case that is judged. Compare returns how outputs for a case are compared if
	// there is no output validator.
	Points  func(p *Draft, g *Group, depth int, index map[*Case]int) (points.Rule, error)
	Compare func(p *Draft, c *Case) (diff.Options, error)
	// Inputs and Outputs are the protocols of validators, unless the package says another.
	Inputs, Outputs problem.Protocol
	Output          limits.Bytes  // of a submission, unless the package limits it
	Fallback        time.Duration // the time limit if nothing says one; 0 if the submissions decide
}

// PlainCPU is the time limit of packages in which nothing says one.
const PlainCPU = 10 * time.Second

// Begin sets the format of a package, and the values that apply if the package gives none. They are those that
// the specification of Kattis' formats calls typical of judging systems.
func (p *Draft) Begin(f *Format) {
	p.ID = p.name()
	p.Format, p.format, p.Points = f.Name, f, f.Points
	p.Names, p.Data = map[string]string{}, &Group{}
	p.Limits = limits.Limits{Memory: 2048 * limits.MiB, Output: f.Output}
	p.Validate = limits.Validator
	p.Time = problem.Timing{ACToLimit: 2, LimitToTLE: 1.5, Resolution: time.Second, Fallback: f.Fallback}
	p.InputProtocol, p.Validation.Protocol, p.Validation.Passes = f.Inputs, f.Outputs, 1
}

// AsSaid is a [Format].Compare of formats whose packages say how, in Compare.
func AsSaid(p *Draft, _ *Case) (diff.Options, error) { return p.Compare, nil }

// ByTokens is a [Format].Compare by words.
func ByTokens(*Draft, *Case) (diff.Options, error) { return diff.Options{Mode: diff.Tokens}, nil }

// Listing holds the entries of a folder.
type Listing []tree.Entry

// File reports whether one of the names is a file.
func (l Listing) File(names ...string) bool { return l.has(false, names) }

// Folder reports whether one of the names is a folder.
func (l Listing) Folder(names ...string) bool { return l.has(true, names) }

func (l Listing) has(dir bool, names []string) bool {
	return slices.ContainsFunc(l, func(e tree.Entry) bool { return e.Dir == dir && slices.Contains(names, e.Name) })
}
