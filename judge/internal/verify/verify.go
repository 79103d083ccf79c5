// Package verify checks that problems tell the truth.
//
// What a problem says is believed by contestants, and what its cases expect decides
// about them. So the checks of this package hold them against each other: statement,
// limits, cases, lock or given answers, validators, and the problem's own programs and
// example submissions. Which of them have something to look at in a problem follows from
// what it has, wherever it comes from.
package verify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/document"
	"tribunal/judge/internal/event"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/quote"
	"tribunal/judge/internal/yamlstrict"
)

// Check is one thing that is looked at.
type Check struct {
	Name string
	Doc  string // what holds when it finds nothing, as half a sentence

	problem    func(context.Context, *subject) error // checks one problem
	lacks      func(*subject) string                 // says why there is nothing to check in a problem, or ""; nil is always ""
	repository func(*verification) error             // checks what belongs to no problem; may be nil
}

// checks are all checks, in the order in which they run: what is cheap, and what
// others build on, comes first.
var checks = []Check{
	{documents, "problem and case files can be read, and mutants.yaml names what there is", read, nil, nil},
	{"names", "titles are unique, and no two cases of a problem have the same input", names, nil, nil},
	{"samples", "every problem shows a sample; samples are pinned and stand in their file", samples, (*subject).noStatement, nil},
	{"orphans", "every file below problems, cases and reference is used", orphans, (*subject).noFolders, strays},
	{"lock", "the lock is fresh and complete, and has nothing that no case has", lock, (*subject).noLock, nil},
	{"generators", "generators make the same inputs again in other surroundings", generators, (*subject).noGenerator, nil},
	{"inputs", "input validators accept every input, and refuse what is given as invalid", inputs, nil, nil},
	{"bounds", "some case reaches each bound of the statement, and none is beyond", bounds, (*subject).noBounds, nil},
	{"outputs", "validators accept the answers that are given, and refuse what is given as wrong", outputs, (*subject).noAnswers, nil},
	{"reference", "the reference is accepted on every case within half of each limit", reference, (*subject).noReference, nil},
	{"brute", "the second opinion agrees where it finishes", brute, (*subject).noBrute, nil},
	{"examples", "every example submission keeps what its folder, or the package, promises", examples, nil, nil},
	{"limits", "limits are neither too tight for what is accepted nor pointless", margins, nil, nil},
}

// documents is the check that cannot be left out: what cannot be read cannot be
// checked either.
const documents = "documents"

// Checks returns all checks, in the order in which they run.
func Checks() []Check { return slices.Clone(checks) }

// The names of the JSON forms of a [Report], and of the events before it; see docs/verify.md.
const (
	Schema       = "tribunal/verify/1"
	EventsSchema = "tribunal/verify-events/1"
)

// Begun tells of a check that begins.
type Begun struct {
	Problem string `json:"problem"` // its id, or the path of a package; "" for what belongs to none
	Check   string `json:"check"`
	event.Stage
}

// Kind is "check".
func (*Begun) Kind() string { return "check" }

// Finding is one thing that is not true.
type Finding struct {
	Check   string `json:"check"`
	Problem string `json:"problem"` // "" when it belongs to none
	File    string `json:"file"`
	Line    int    `json:"line"` // from 1; 0 when no line is to blame
	Text    string `json:"text"` // one line
	Hint    string `json:"hint"` // what to do about it; may be empty
}

// Kind is "finding".
func (*Finding) Kind() string { return "finding" }

// String returns "file:line: check: text (hint: hint)".
func (f Finding) String() string {
	return (&yamlstrict.Error{File: f.File, Line: f.Line, Msg: f.Check + ": " + f.Text, Hint: f.Hint}).Error()
}

// Note is something that could not be looked at here, or is worth knowing, and is no
// finding.
type Note struct {
	Check   string `json:"check"`
	Problem string `json:"problem"`
	Text    string `json:"text"` // one line
}

// Kind is "note".
func (*Note) Kind() string { return "note" }

// String returns "problem: check: text".
func (n Note) String() string { return n.Problem + ": " + n.Check + ": " + n.Text }

// Report is what became of the checks.
type Report struct {
	document.Head
	Checks   []string  `json:"checks"`   // that ran, in their order
	Findings []Finding `json:"findings"` // by file and line
	Notes    []Note    `json:"notes"`    // in the order in which they came up
	Problems []Summary `json:"problems"`
}

// Kind is [event.End].
func (*Report) Kind() string { return event.End }

// Summary is what was looked at of one problem. Numbers of checks that did not run
// are zero.
type Summary struct {
	Problem   string   `json:"problem"`
	Cases     int      `json:"cases"`
	Examples  int      `json:"examples"`  // judged
	Unchecked int      `json:"unchecked"` // examples that could not be judged here
	Brute     Reach    `json:"brute"`
	Margins   []Margin `json:"margins"` // in the order cpu, wall, memory, output
}

// Kind is "problem".
func (*Summary) Kind() string { return "problem" }

// Reach is how far the second opinion got. Cases where it disagrees are findings.
type Reach struct {
	Agrees   int `json:"agrees"`
	Beyond   int `json:"beyond"`   // cases on which it went over a limit
	Declined int `json:"declined"` // cases on which it ended with status 3
}

// Margin is how much room a limit leaves to the accepted programs.
type Margin struct {
	Limit string `json:"limit"`   // cpu, wall, memory or output
	Have  int64  `json:"have"`    // the limit
	Need  int64  `json:"need"`    // the most that any of them used
	Unit  string `json:"unit"`    // of both: ns or B
	By    string `json:"program"` // the program that did
	Case  string `json:"case"`    // and where
}

// Bench is what the checks work with.
type Bench struct {
	Root  string       // of the repository; "" if there is none
	Known []string     // ids of all problems there, sorted
	Show  diff.Options // of a difference

	// Load reads a problem, by its id or the path of a package. It can be worked with until it
	// is closed.
	Load func(ctx context.Context, name string) (p *problem.Problem, close func() error, err error)
	// Judge returns a judge with the case data of a problem.
	Judge func(*problem.Problem) *grade.Judge
	// Limits returns the limits of one run, complete, for a task without submissions, and where
	// that of time comes from unless the problem gives it. That nothing tells is
	// [calibrate.ErrNoLimit].
	Limits func(context.Context, *grade.Judge, grade.Task) (l limits.Limits, from string, err error)
}

// Options say what is checked.
type Options struct {
	Only []string   // names of checks; all when empty
	Emit event.Emit // told each [*Begun], [*Finding], [*Note] and [*Summary], and at last the [*Report]
}

// Run checks the problems named, by id or by the path of a package, or the whole repository
// when there are none. It goes on after a finding as far as it can. The error is about ctx, or
// the judge itself.
func Run(ctx context.Context, b *Bench, names []string, o Options) (*Report, error) {
	v := &verification{bench: b, whole: len(names) == 0, only: len(o.Only) > 0, emit: o.Emit, report: &Report{Head: document.NewHead(Schema)}, used: map[string]bool{}}
	if v.whole {
		names = b.Known
	}
	ran := map[string]bool{}
	var chosen []Check
	for _, c := range checks {
		if !v.only || slices.Contains(o.Only, c.Name) || c.Name == documents {
			chosen = append(chosen, c)
		}
	}
	for _, name := range slices.Compact(slices.Sorted(slices.Values(names))) {
		if err := v.problem(ctx, name, chosen, func(check string) {
			ran[check] = true
			v.begins(name, name, check)
		}); err != nil {
			return nil, err
		}
	}
	for _, c := range chosen {
		if v.whole && c.repository != nil {
			v.check, ran[c.Name] = c.Name, true
			v.begins("", "the repository", c.Name)
			if err := v.settle(c.repository(v)); err != nil {
				return nil, err
			}
		}
		if ran[c.Name] {
			v.report.Checks = append(v.report.Checks, c.Name)
		}
	}
	slices.SortStableFunc(v.report.Findings, func(a, b Finding) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), strings.Compare(a.Text, b.Text))
	})
	v.emit.Tell(v.report)
	return v.report, nil
}

// verification is one Run in progress.
type verification struct {
	bench  *Bench
	whole  bool // the whole repository is checked
	only   bool // some checks were asked for by name
	emit   event.Emit
	report *Report

	check string           // that runs at the moment
	about string           // the id of the problem that it is about, "" when none
	p     *problem.Problem // which that is, nil when none or not read yet

	noted int // notes of the problems before

	used map[string]bool // files and folders below the root that own programs are made of
}

// begins tells of a check of a problem that begins, or of what people call so.
func (v *verification) begins(problem, about, check string) {
	v.emit.Tell(&Begun{problem, check, event.Stage{What: fmt.Sprintf("checking the %s of %s", check, about)}})
}

// problem runs the checks of one problem, and tells each that begins.
func (v *verification) problem(ctx context.Context, name string, chosen []Check, begins func(check string)) (err error) {
	v.check, v.about, v.noted = documents, name, len(v.report.Notes)
	defer func() { v.about, v.p = "", nil }()
	begins(documents)
	p, closeIt, err := v.bench.Load(ctx, name)
	if err != nil {
		return cmp.Or(ctx.Err(), v.settle(err))
	}
	defer func() { err = errors.Join(err, closeIt()) }()
	v.about, v.p = p.ID, p
	// Without the lock: how far it is true is a check of its own.
	set, err := p.Read()
	if err != nil {
		return v.settle(err)
	}
	s := &subject{verification: v, set: set, judge: v.bench.Judge(p)}
	s.summary = Summary{Problem: p.ID, Cases: len(set.Cases)}
	for _, c := range chosen {
		v.check = c.Name
		if c.lacks != nil {
			if what := c.lacks(s); what != "" {
				if v.only {
					s.note("not checked: %s", what)
				}
				continue
			}
		}
		begins(c.Name)
		if err := v.settle(c.problem(ctx, s)); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	v.report.Problems = append(v.report.Problems, s.summary)
	v.emit.Tell(&s.summary)
	return nil
}

// settle turns an error that is the problem's fault into a finding, and one that
// is this machine's lack into a note. It returns any other.
func (v *verification) settle(err error) error {
	var several interface{ Unwrap() []error }
	if errors.As(err, &several) {
		var left []error
		for _, err := range several.Unwrap() {
			left = append(left, v.settle(err))
		}
		return errors.Join(left...)
	}
	if failed, ok := errors.AsType[*casedata.ProgramError](err); ok && failed.Case == nil {
		text := quote.First(failed.Stderr)
		if compile, ok := errors.AsType[*build.CompileError](err); ok {
			text = compile.Cause()
		}
		v.at(v.path(failed.Folder), "", "%s: %s", failed.Cause, text)
		return nil
	}
	if missing, ok := errors.AsType[*build.MissingError](err); ok && v.p != nil && v.p.Foreign() {
		v.note("not checked: %v", missing)
		return nil
	}
	// A file that cannot be read, though it is there, may be as it should.
	if located, ok := errors.AsType[*yamlstrict.Error](err); ok && (located.Err == nil || errors.Is(located.Err, fs.ErrNotExist)) {
		v.find(located)
		return nil
	}
	return err
}

// path returns what messages call a path below the root of the problem, or of the repository.
func (v *verification) path(below ...string) string {
	rel := filepath.Join(below...)
	if v.p == nil {
		return filepath.Join(v.bench.Root, rel)
	}
	return v.p.Show(rel)
}

// find notes a finding, unless another check has found the same.
func (v *verification) find(e *yamlstrict.Error) {
	same := func(f Finding) bool { return f.File == e.File && f.Line == e.Line && f.Text == e.Msg }
	if !slices.ContainsFunc(v.report.Findings, same) {
		f := Finding{Check: v.check, Problem: v.about, File: e.File, Line: e.Line, Text: e.Msg, Hint: e.Hint}
		v.report.Findings = append(v.report.Findings, f)
		v.emit.Tell(&f)
	}
}

// want finds what a problem lacks of what is asked of problems here. Of a foreign one it is a
// note: its authors had other rules.
func (s *subject) want(e *yamlstrict.Error) {
	switch {
	case !s.p.Foreign():
		s.find(e)
	case e.File == s.p.Path:
		s.note("%s", e.Msg)
	default:
		s.note("%v", &yamlstrict.Error{File: e.File, Line: e.Line, Msg: e.Msg})
	}
}

// at notes a finding about a file as a whole.
func (v *verification) at(file, hint, format string, args ...any) {
	v.find(&yamlstrict.Error{File: file, Msg: fmt.Sprintf(format, args...), Hint: hint})
}

func (v *verification) note(format string, args ...any) {
	n := Note{Check: v.check, Problem: v.about, Text: fmt.Sprintf(format, args...)}
	if !slices.ContainsFunc(v.report.Notes[v.noted:], func(o Note) bool { return o.Text == n.Text }) {
		v.report.Notes = append(v.report.Notes, n)
		v.emit.Tell(&n)
	}
}
