// Package pkgformat reads ICPC/Kattis problem packages and their like.
//
// It only reads and describes; it runs nothing. What a package says and tribunal
// has no word for is told in [Package.Notes], and what would change the meaning of
// a verdict if it were passed over is an error. Nothing outside the package is
// read, whatever its links say, and nothing is written but below the folder given
// to [Open].
package pkgformat

import (
	"os"
	"path/filepath"
	"strings"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
)

// The formats that [Open] tells apart. Versions of the specification that differ in
// name only are one.
const (
	Legacy  = "legacy"  // no problem_format_version, legacy or legacy-icpc
	Draft   = "2023-07" // 2023-07 and 2023-07-draft
	Latest  = "2025-09" // 2025-09, its draft, and draft
	Pairs   = "pairs"   // a folder of x.in with x.ans or x.out
	Polygon = "polygon" // tests/01 with tests/01.a, with or without problem.xml
)

// TimeLimitFile is the one hidden file that a package may have: a time limit in seconds.
const TimeLimitFile = ".timelimit"

// Package is a problem package as it was when it was opened. Paths in it are
// relative to Dir with slashes; [Package.File] makes them paths that can be opened.
// It is not changed after Open, and safe for concurrent use.
type Package struct {
	Path   string // as given to Open, and as messages call it
	Dir    string // the folder that has the files: Path, or below scratch for an archive
	Format string // one of the constants

	// Name is the English name, or else the first one, or else that of the folder.
	Name     string
	Names    map[string]string // by language code; what has no language is under "en"
	UUID     string
	Source   string // where the problem comes from; may be empty
	License  string
	Authors  []string
	Keywords []string

	Scoring      bool // type: scoring; otherwise pass-fail
	Minimize     bool // the least score is the best; legacy scoring only
	Interactive  bool // the validator talks to the submission
	MultiPass    bool // the validator may ask for another run, up to Passes in all
	SubmitAnswer bool // submissions are answers, not programs; named in Notes, not supported
	// NamedFiles are what submissions read and write in the place of standard input and
	// output, of Polygon's only.
	NamedFiles []string
	Passes     int // 1 unless MultiPass

	// Limits of one run of a submission. CPU is 0 when the package leaves the time
	// limit to be derived, see Time; Wall, Processes and CPUs are always 0. Memory and
	// Output are what the specification calls typical when the package does not say.
	Limits     limits.Limits
	Time       problem.Timing
	Validate   limits.Limits // CPU, Memory and Output of a validator, for one case
	WriteFiles bool          // submissions may write files

	problem.Terms // of submissions
	// Constants are the values for {{name}} in programs, see [Package.Fill]. They are
	// already in place in the settings of cases and groups.
	Constants map[string]string

	Validation       Validation
	InputValidators  []string // each a file or a folder; all must accept
	InputProtocol    problem.Protocol
	AnswerValidators []string
	Graders          []string // programs that make points, where groups say so
	Include          []Include
	Statements       []Statement

	// Data is the group of all data, whose name is "". Its groups are sample and
	// secret, in formats that have them.
	Data *Group
	// Cases are those that submissions are judged on, in case order.
	Cases []*Case
	// Data that tests the validators, in order of their names, which begin with the
	// name of their folder.
	// ValidInput is Polygon's.
	ValidInput, InvalidInput, InvalidAnswer, InvalidOutput, ValidOutput []*Case

	Submissions []problem.Submission // in the order of their paths

	// Notes name everything in the package that is not known or not supported, one
	// sentence each, located where that helps: "hello/problem.yaml:7: …".
	Notes []string

	shown    string // what messages put before paths
	files    *tree
	notes    notes
	promises int // of all submissions together, while they are read
	filled   int // bytes of arguments with constants, likewise
	byName   map[string]*Case
}

// ID returns what the package is called where its path would say too much: the name
// of its folder or archive, without the archive's extension.
func (p *Package) ID() string {
	name := p.Path
	if abs, err := filepath.Abs(name); err == nil {
		name = abs // "." has no name
	}
	name = filepath.Base(name)
	if p.Path != p.Dir {
		name = strings.TrimSuffix(name, filepath.Ext(name))
	}
	return name
}

// File returns the path at which a file of the package can be opened.
func (p *Package) File(rel string) string { return filepath.Join(p.Dir, filepath.FromSlash(rel)) }

// Root returns the folder that has the files, out of which no link leads. It stays open
// until [Package.Close].
func (p *Package) Root() *os.Root { return p.files.root }

// Show returns what messages call a file of the package.
func (p *Package) Show(rel string) string {
	if rel == "." {
		return p.shown
	}
	return strings.TrimSuffix(p.shown, "/") + "/" + rel
}

// Validation is how outputs are judged. Without Programs it is the default
// validator of the Kattis formats, or a comparison by tokens for Pairs and Polygon,
// whose arguments have each case's OutputArgs.
type Validation struct {
	Protocol problem.Protocol
	Programs []string // each a file or a folder; all must accept
	// Interactor is a program of testlib's that talks to the submission and writes the
	// output that Programs are asked about; without these it decides itself. "" for none.
	Interactor string
	Score      bool     // they tell a score
	Headers    []string // files that they may include by name, such as files/testlib.h
	Line       int      // where problem.yaml asks for it; 0 when it does not
}

// Include is a folder of files to add to the submissions of a language.
type Include struct {
	Language string // as the package calls it, or "default" for all that have none of their own
	Path     string
	Files    []string // in it and in folders in it, by slash paths below Path
}

// Statement is a file of the problem's text.
type Statement struct {
	Language string // "en" where none is given
	Path     string
}
