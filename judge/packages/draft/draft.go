// Package draft is what the loader of a family fills, and what becomes a problem: cases, groups, programs, validators.
//
// Begin at [Draft] and [Family] in draft.go. It only reads and describes; it runs nothing but by
// a [Maker]. [problem.Problem].Notes lists the parts of a package that tribunal does not support. If ignoring such
// a part would change what a verdict means, it is an error.
package draft

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/points"
	"tribunal/judge/internal/problem"
	"tribunal/judge/packages/tree"
)

// filled is what a loader fills.
type filled = problem.Problem

// Draft is a draft of the problem that a package describes: what its loader says of the problem, and what
// [Draft.Problem] makes the rest of. Its paths are slash paths relative to Root; [Draft.File] turns one into a path
// to open. A Draft does not change after [Draft.Load] and is
// safe for concurrent use.
type Draft struct {
	// Path is as given to Open, and as messages show it. Root is in Path, or below scratch for an archive.
	// Title is the English name, or else the first name, or else the name of the folder. Of Limits, loaders
	// never set CPU, Processes and CPUs: the time limit is in Time. If the package does not set Memory
	// or Output, they are the values that the specification calls typical.
	filled

	Names      map[string]string // by language code; a name without a language is under "en"
	OutputOnly bool              // contestants submit outputs, not programs; noted and not supported in the Kattis formats
	FilesKeys  string            // which keys name InFile and OutFile, and the values that stand for none
	Validate   limits.Limits     // CPU, Memory and Output of a validator on one case
	// Constants are the values for {{name}} in programs, see [Draft.Fill]. In the settings of
	// cases and groups they are already filled in.
	Constants map[string]string

	Validation     Validation
	InputPrograms  []string // input validators, each a file or a folder; all must accept an input
	InputProtocol  problem.Protocol
	AnswerPrograms []string
	Grader         string // program that computes the scores of groups with custom grading; "" for none
	Statements     []Statement

	// Data is the root group, named "". In the Kattis formats it holds the groups sample and secret.
	Data *Group
	// Cases are the cases that submissions are judged on, in judging order.
	Cases []*Case
	// The cases that test the validators. In the Kattis formats they are sorted by name, and each name
	// begins with that of its folder, such as "invalid_input/". Only Polygon packages have ValidInput.
	ValidInput, InvalidInput, InvalidAnswer, InvalidOutput, ValidOutput []*Case
	// ShownOutput are the cases of 2025-09 with an output that contestants see instead of the answer.
	ShownOutput []*Case

	format *Format
	// Points is [Format].Points, unless the loader knows better.
	Points         func(p *Draft, g *Group, depth int, index map[*Case]int) (points.Rule, error)
	Verdicts       bool // groups make verdicts, without points too
	Deepest        int  // depth of the deepest groups: cases of those in them belong to them; 0 for any
	LegacyPoints   bool // the settings of Kattis' legacy format make the points, so that several validators may judge an output
	LooseAnswers   bool // an answer need not be a right output
	LooseTests     bool // inputs of the tests of validators of outputs need not be valid
	ArgumentsGiven bool // the format gives arguments to each input validator
	AnswersTalk    bool // the interactor talks to the model solution, too, when that makes answers

	Inclusion *Inclusion // nil unless places of included files matter
	shown     string     // Root as messages show it
	Tree      *tree.Tree
	unpack    func(name string, f *os.File) (dir string, _ error) // extracts an archive of the package; nil after Open
	maker     func([]Step) (map[string]tree.MadeFile, error)      // nil if programs cannot be run, and after Open
	MadeFiles map[string]tree.MadeFile                            // by path; none of them is in the folder
	Windows   map[string]bool                                     // paths of test data in which CRLF ends a line
	Written   int                                                 // number of MadeFiles that no program made
	programs  map[string]*Program                                 // by path: see [Draft.Describe]
	// Submitted completes a submission, after the files to include were added; nil for nothing.
	Submitted    func(*build.Source, map[string]build.Language) (*build.Source, error)
	Notebook     tree.Notes
	AskedDialect string // "" to detect it
	AskedPairs   string // the names of inputs and answers of a plain folder; "" to recognize them
	rules        int    // number of rules of all submissions so far, at most maxRules
}

// name returns the short name of the package: the name of its folder, or of its archive without the
// extension.
func (p *Draft) name() string {
	name := p.Path
	if abs, err := filepath.Abs(name); err == nil {
		name = abs // "." is not a name
	}
	name = filepath.Base(name)
	if p.Path != p.Root {
		name = strings.TrimSuffix(name, filepath.Ext(name))
	}
	return name
}

// File returns the path with which to open a file of the package.
func (p *Draft) File(rel string) string { return filepath.Join(p.Root, filepath.FromSlash(rel)) }

// Show returns the path of a file of the package as messages show it.
func (p *Draft) Show(rel string) string {
	if rel == "." {
		return p.shown
	}
	return strings.TrimSuffix(p.shown, "/") + "/" + rel
}

// Validation says how outputs are judged. Without Programs, the Kattis formats use their default
// validator with the OutputArgs of each case, Pairs compares bytes, and most others compare tokens.
type Validation struct {
	Protocol    problem.Protocol
	Programs    []string // each a file or a folder; all must accept an output
	Interactive bool     // a validator or interactor talks to the submission
	Passes      int      // the most runs of the submission that a validator may request; 1 if it requests none
	// Interactor is a testlib interactor. It talks to the submission and writes an output. The
	// programs of Programs judge this output; if there are none, the interactor gives the verdict. ""
	// if there is no interactor.
	Interactor string
	Score      bool     // Programs report a score
	Form       []string // replaces the arguments of the protocol: see [problem.Validator]
	// Source and Measured say what the programs read about a submission: see [problem.Validator].
	Source, Measured bool
	Headers          []string // files that programs may include by base name, such as files/testlib.h
	Line             int      // line of the key validation in problem.yaml; 0 if there is none
}

// Statement is a file with the problem statement.
type Statement struct {
	Language string // "en" if the file has none
	Path     string
}

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
