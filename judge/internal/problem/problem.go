// Package problem is the model of a problem: all that commands know of one.
//
// Loaders fill it: package repo from the YAML and the folders of the repository, and
// package pkgformat from problem packages of any format. Nothing above them asks where a
// problem came from; what one lacks, [Problem.Need] says by name.
package problem

import (
	"cmp"
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

// Problem is a problem. It is not changed after it was loaded, and safe for concurrent use.
type Problem struct {
	ID     string // what people call it
	Path   string // what messages call it: the file of a problem of the repository, the path of a package
	Root   string // folder below which its own programs and data stand
	Format string // of the package that it is; "" for a problem of the repository
	Origin string // of a problem of the repository: the format of the package that it was made of; "" for none

	Title    string
	Source   string // where the problem comes from; may be empty
	UUID     string // given by its authors; "" for none
	Authors  []string
	License  string // as packages call it; "" for none that is known
	Keywords []string
	Notes    []string

	// Limits of one run of a submission. What is 0 is left to the machine, but for CPU: that
	// follows from the submissions, see [Timing].
	Limits limits.Limits
	Time   Timing
	Bounds []Bound // of the numbers of an input, in the order of the file

	// The statement in Markdown, of a problem of the repository; Rulings are what the original
	// leaves open. Texts are files with more statements, in other languages or forms, or all of
	// a package.
	Language                 string // of title and statement of a problem of the repository; "" is "en"
	Statement, Input, Output string
	Rulings                  []string
	Texts                    []Text
	Samples                  []string // names group/name of the cases shown with the statement

	// Read reads the test cases, those of the repository anew and without a look at the lock,
	// see [Problem.Cases].
	Read    func() (*cases.Set, error)
	Tests   func() ([]Test, error) // reads what tests the validators; nil for nothing
	Compare diff.Options           // how outputs are compared; a case may have its own
	Scoring *points.Group          // the groups of the cases, by their indices; nil if there are no points

	// The problem's own programs, by their slash paths below Root. A path that is there may
	// still have no program; "" is a program that such a problem cannot have.
	Reference string // reads an input and writes the expected output
	Generator string // makes inputs (docs/generators.md)
	Brute     string // a slow second opinion
	Check     string // an input validator that tells of quantities (docs/verify.md)

	InputValidators  []InputValidator // all must accept; besides Check
	AnswerValidators []InputValidator // likewise, answers that are given
	Validator        *Validator       // decides about outputs; nil where they are compared
	Grader           *Grader          // makes points of those of cases, where Scoring asks for it; nil for none

	Submissions []Submission // that come with it, by their paths

	Include []Include // what submissions get
	Terms
	Files
	Place yamlstrict.Place // of the keys of the problem's file
}

// Files reads programs for a problem.
type Files interface {
	// Show returns what messages call the file or folder at a path below the problem's root.
	Show(path string) string
	// Program reads one of the problem's own programs, by its path. That there is none is a
	// [*yamlstrict.Error].
	Program(path string, languages map[string]build.Language) (*build.Source, error)
	// Own reads a submission that comes with the problem.
	Own(s *Submission, languages map[string]build.Language) (*build.Source, error)
	// Contestant reads a submission of somebody else, or one that turns out to be the
	// problem's own. One that the problem does not take becomes no program, see
	// [build.Source.Refused]. language, unless it is "", is its own.
	Contestant(name, language string, languages map[string]build.Language) (*build.Source, error)
	// Take is Contestant for a source that was read elsewhere.
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
	Language string // "en" where none is given
	Title    string // in that language; "" for none of its own
	Path     string // as messages call it
	Read     func() ([]byte, error)
}

// Text returns the file of the statement that is best to read: in that language, or if it is ""
// in English, or else in the first language; and a text rather than a page. It returns nil if
// there is none.
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

// Submission returns the submission that comes with the problem at a path, nil for none. The
// reference of a package is one of its submissions.
func (p *Problem) Submission(path string) *Submission {
	for i := range p.Submissions {
		if p.Submissions[i].Path == path {
			return &p.Submissions[i]
		}
	}
	return nil
}

// Errorf returns an error located at a key of the problem's file, such as "limits", or about
// all of a package. The hint may be empty.
func (p *Problem) Errorf(key, hint, format string, args ...any) *yamlstrict.Error {
	e := p.Place.Errorf(key, hint, format, args...)
	e.File = cmp.Or(e.File, p.Path)
	return e
}

// Foreign reports whether the problem's authors had other rules than this repository: it is a
// package, or was made of one.
func (p *Problem) Foreign() bool { return p.Format != "" || p.Origin != "" }

// HasReference reports whether the problem has a reference besides its submissions, which computes
// expected outputs. The reference of a package is a submission, and the answers are given.
func (p *Problem) HasReference() bool {
	return p.Reference != "" && p.Submission(p.Reference) == nil
}

// Options returns how outputs are compared where no program decides; how much of a
// difference is shown is as in show.
func (p *Problem) Options(show diff.Options) diff.Options {
	o := p.Compare
	o.Lines, o.Bytes = show.Lines, show.Bytes
	return o
}

// JudgedBy returns the problem with another program, or none, to decide about outputs.
func (p *Problem) JudgedBy(v *Validator) *Problem {
	other := *p
	other.Validator = v
	return &other
}

// Checker reports whether a program decides about those outputs that differ from the
// expected one.
func (p *Problem) Checker() bool { return p.Validator != nil && !p.Validator.Always }

// Interactive reports whether a program talks to the submission.
func (p *Problem) Interactive() bool { return p.Validator != nil && p.Validator.Interactive }

// MultiPass reports whether a case may take several runs of a submission.
func (p *Problem) MultiPass() bool { return p.Validator != nil && p.Validator.Passes > 1 }

// Derives reports whether what the reference prints for an input alone is an answer. It is
// none where a program talks to submissions or has them run again: answers are given then.
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

// Role is what one of a problem's own programs is for.
type Role string

// The roles that not every problem has a program for.
const (
	Reference Role = "reference"
	Generator Role = "generator"
	Brute     Role = "second opinion (brute)"
	Check     Role = "input validator that tells of quantities (check)"
	// Outputs is what a program prints for an input alone: no role of a program, but as much
	// to be asked for.
	Outputs Role = "outputs that follow from an input alone"
)

// Need returns an error that names what of these the problem cannot have, nil if it has all.
func (p *Problem) Need(roles ...Role) error {
	if slices.Contains(roles, Outputs) && !p.Derives() {
		kind := "multi-pass"
		if p.Interactive() {
			kind = "interactive"
		}
		return fmt.Errorf("%s: it is %s, so that programs cannot be compared by what they print for an input (hint: judge grade, verify and calibrate ask its validator)", p.Path, kind)
	}
	paths := map[Role]string{Reference: p.Reference, Generator: p.Generator, Brute: p.Brute, Check: p.Check}
	var lacks []string
	for _, r := range roles {
		if r != Outputs && paths[r] == "" {
			lacks = append(lacks, "no "+string(r))
		}
	}
	if lacks == nil {
		return nil
	}
	return fmt.Errorf("%s: the package has %s (hint: judge import %s ID makes a problem of it, to which one can be added)",
		p.Path, strings.Join(lacks, " and "), p.Path)
}
