// Package problem is the model of a problem: everything that commands know about one.
//
// Loaders fill it: package repo from the YAML and the folders of the repository, and package
// pkgformat from problem packages of any format. Nothing above them asks where a problem came from;
// [Problem.Need] names what a problem lacks. Begin in this file; validator.go has the programs that
// decide about outputs, expect.go the example submissions.
package problem

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/points"
	"tribunal/judge/internal/yamlstrict"
)

// Problem is immutable after loading, and safe for concurrent use.
type Problem struct {
	ID     string // short name
	Path   string // name in messages: the file of a problem of the repository, the path of a package
	Root   string // folder that holds its own programs and data
	Format string // of the package; "" for a problem of the repository
	Origin string // format of the package that a problem of the repository was imported from; "" for none

	// Dialect is the judging system whose reading of the package counts, and Because says why, as
	// words after "because". Both are "" if systems do not differ.
	Dialect, Because string
	ForeignRules     bool // points are those of the Dialect, which differ from the format's
	LenientAnswers   bool // the format of the package allows answers that are not acceptable outputs

	Title    string
	Source   string // where the problem comes from; may be empty
	UUID     string // from its authors; "" for none
	Authors  []string
	License  string // its code in packages; "" if unknown
	Keywords []string
	Notes    []string

	// Missing is nil, or says that a package has no cases but samples, so that verdicts tell little.
	Missing *yamlstrict.Error

	// Limits of one run of a submission. The machine sets those that are 0, except CPU, which is
	// derived from the submissions; see [Timing].
	Limits     limits.Limits
	Exceptions []Exception // to these limits; later ones replace earlier ones
	Time       Timing
	// InFile and OutFile are the files, where a submission starts, that it reads and writes instead of
	// standard input and output; "" for these. Interactive problems have neither.
	InFile, OutFile string
	FilesHint       string  // a hint for programs that find no input there or leave no output; "" if there are no such files
	Bounds          []Bound // of the numbers in an input, in the order of the problem's file

	// The statement of a problem of the repository, in Markdown; Rulings settle what the original
	// leaves open. Texts are further statements, in other languages or formats; a package has all
	// of its statements there.
	Language                 string // of title and statement of a problem of the repository; "" is "en"
	Statement, Input, Output string
	Rulings                  []string
	Texts                    []Text
	Samples                  []string // names group/name of the cases shown with the statement
	Open                     []string // names of the cases that submitters may see whole
	Feedback                 Feedback // for submitters to a service; "" leaves that to the service
	Numbered                 bool     // submitters see numbers instead of the names of other cases than samples
	// Shown reads the samples as the statement shows them, which may be others than the cases named in
	// Samples, such as interactions; nil if it shows those cases.
	Shown func() ([]Shown, error)
	// Beside reads a picture of the statement in the problem's file; see [Text].
	Beside func(name string, max int64) ([]byte, error)

	// Read reads the test cases without comparing them with the lock; see [Problem.Cases]. For a
	// problem of the repository, each call reads the files again.
	Read    func() (*cases.Set, error)
	Tests   func() ([]Test, error) // reads the tests of the validators; nil for none
	Compare diff.Options           // how to compare outputs; a case may have its own

	// Groups are the test groups, with the indices of their cases. Their rules make the verdict of a
	// submission and, if Scoring is true, its points. Nil means no points, and the verdict of the
	// first failing case.
	Groups  *points.Group
	Scoring bool

	// Slash paths, below Root, of the problem's own programs. The program at a path need not exist;
	// "" means that such a problem cannot have one.
	Reference string // reads an input and writes the expected output
	Generator string // makes inputs (docs/generators.md)
	Brute     string // slow solver, for a second opinion on expected outputs
	Check     string // input validator that also reports quantities of an input (docs/verify.md)
	Draw      string // draws a case as an SVG picture (docs/problem-format.md)

	InputValidators  []InputValidator // all must accept; besides Check
	AnswerValidators []InputValidator // all must accept the answers in the package
	Validator        *Validator       // output validator; nil if outputs are compared
	Grader           *Grader          // computes the points of those Groups whose rule says so; nil for none

	Submissions []Submission // example submissions, by path

	Include []Include // files added to submissions
	// Placed means that its programs cannot be built anywhere else, because they include files by paths
	// that begin at their own places, or are compiled with a main function of the package.
	Placed bool
	Terms
	Files
	Place yamlstrict.Place // positions of the keys in the problem's file
}

// Files reads the programs and submissions of a problem.
type Files interface {
	// Show returns the name, for messages, of the file or folder at a path below the problem's
	// root.
	Show(path string) string
	// Program reads one of the problem's own programs, by its path. If there is none, the error is
	// a [*yamlstrict.Error].
	Program(path string, languages map[string]build.Language) (*build.Source, error)
	// Own reads an example submission of the problem.
	Own(s *Submission, languages map[string]build.Language) (*build.Source, error)
	// Contestant reads a contestant's submission, which may be a path of an example submission. One
	// that does not meet the problem's terms is [build.Source.Refused]. A language other than ""
	// overrides detection.
	Contestant(name, language string, languages map[string]build.Language) (*build.Source, error)
	// Take does what Contestant does, for a source that has already been read.
	Take(s *build.Source, languages map[string]build.Language) (*build.Source, error)
}

// Bound is the range of one number of the input, both ends included.
type Bound struct {
	Name   string
	Lo, Hi int64
	Line   int // in the problem's file
}

// Text is a file with a statement.
type Text struct {
	Language string // "en" if unknown
	Title    string // title in that language; "" if it has none of its own
	Path     string // for messages
	Read     func() ([]byte, error)
	// Beside reads a file, such as a picture, by its slash path from the folder of the statement. It
	// does not read outside of the folder of the problem. The error is [fs.ErrNotExist] if there is
	// none, and [ErrTooLarge] if it has more than max bytes.
	Beside func(name string, max int64) ([]byte, error)
}

// ErrTooLarge means that a file has more bytes than the caller wants.
var ErrTooLarge = errors.New("it is too large")

// Shown is a sample as a statement shows it: an input with an output, or an interaction.
type Shown struct {
	Name          string // of the file of a package without its extension, such as "sample/1"
	Input, Output string
	Interaction   string // lines that begin with < are read by a submission, with > written; "" for none
}

// Text returns a statement in the given language; if that is "", in English, or in another language
// if there is no English one. Among several files it prefers plain text to formatted pages. It
// returns nil if there is no such statement.
func (p *Problem) Text(language string) *Text {
	texts := p.Texts
	if language != "" {
		texts = slices.DeleteFunc(slices.Clone(texts), func(t Text) bool { return t.Language != language })
	}
	if len(texts) == 0 {
		return nil
	}
	endings := []string{".md", ".txt", ".tex", ".html", ".pdf"}
	rank := func(t Text) int {
		n := slices.Index(endings, path.Ext(t.Path))
		if t.Language != "en" {
			n += len(endings)
		}
		return n
	}
	best := slices.MinFunc(texts, func(a, b Text) int { return rank(a) - rank(b) })
	return &best
}

// Submission returns the example submission at a path, nil for none. The reference of a package is
// one of its submissions.
func (p *Problem) Submission(path string) *Submission {
	for i := range p.Submissions {
		if p.Submissions[i].Path == path {
			return &p.Submissions[i]
		}
	}
	return nil
}

// Errorf returns an error located at a key of the problem's file, such as "limits", or at the
// package. The hint may be empty.
func (p *Problem) Errorf(key, hint, format string, args ...any) *yamlstrict.Error {
	e := p.Place.Errorf(key, hint, format, args...)
	e.File = cmp.Or(e.File, p.Path)
	return e
}

// TimeLimitFile names the only hidden file of packages that is read. It holds the time limit in seconds.
const TimeLimitFile = ".timelimit"

// Legacy is the format of older packages of Kattis, in which answers need not be acceptable outputs.
const Legacy = "legacy"

// Foreign reports whether the problem was written by the rules of others: it is a package, or was
// imported from one.
func (p *Problem) Foreign() bool { return p.Format != "" || p.Origin != "" }

// HasReference reports whether the problem has a reference that computes expected outputs. The
// reference of a package is one of its submissions, but the package itself has the expected
// outputs.
func (p *Problem) HasReference() bool {
	return p.Reference != "" && p.Submission(p.Reference) == nil
}

// Options returns how to compare outputs without a validator. show bounds how much of a difference
// is shown.
func (p *Problem) Options(show diff.Options) diff.Options {
	o := p.Compare
	o.Lines, o.Bytes = show.Lines, show.Bytes
	return o
}

// WithValidator returns the problem with another output validator; nil for none.
func (p *Problem) WithValidator(v *Validator) *Problem {
	other := *p
	other.Validator = v
	return &other
}

// Checker reports whether an output validator decides about outputs that differ from the expected
// one, and only about those.
func (p *Problem) Checker() bool { return p.Validator != nil && !p.Validator.Always }

func (p *Problem) Interactive() bool { return p.Validator != nil && p.Validator.Interactive }

// MultiPass reports whether a submission may run several times on a case.
func (p *Problem) MultiPass() bool { return p.Validator != nil && p.Validator.Passes > 1 }

// Derives reports whether the reference's output for an input is the answer. That does not hold for
// interactive and multi-pass problems, whose answers must be given.
func (p *Problem) Derives() bool { return !p.Interactive() && !p.MultiPass() }

// Cases reads the test cases and compares them with the lock. Every failure is a
// [*yamlstrict.Error].
func (p *Problem) Cases() (*cases.Set, error) {
	set, err := p.Read()
	if err != nil {
		return nil, err
	}
	return set, set.CheckLock()
}

// Role is the purpose of one of a problem's own programs.
type Role string

// The roles of programs that not every problem has.
const (
	Reference Role = "reference"
	Generator Role = "generator"
	Brute     Role = "second opinion (brute)"
	Check     Role = "input validator that reports quantities (check)"
	Draw      Role = "program that draws cases (draw)"
	// Outputs means that a program's output depends on the input alone. It is not a role of
	// a program, but commands may need it too.
	Outputs Role = "outputs that follow from an input alone"
)

// Need returns an error that names the roles for which the problem has no program; nil if it has
// all.
func (p *Problem) Need(roles ...Role) error {
	if slices.Contains(roles, Outputs) && !p.Derives() {
		kind := "multi-pass"
		if p.Interactive() {
			kind = "interactive"
		}
		return fmt.Errorf("%s: it is %s, so programs cannot be compared by their output for an input (hint: judge grade, verify and calibrate run its validator)", p.Path, kind)
	}
	paths := map[Role]string{Reference: p.Reference, Generator: p.Generator, Brute: p.Brute, Check: p.Check, Draw: p.Draw}
	var lacks []string
	for _, r := range roles {
		if r != Outputs && paths[r] == "" {
			lacks = append(lacks, "no "+string(r))
		}
	}
	if lacks == nil {
		return nil
	}
	return fmt.Errorf("%s: the package has %s (hint: judge import %s ID makes a problem of it, to which you can add what is missing)",
		p.Path, strings.Join(lacks, " and "), p.Path)
}
