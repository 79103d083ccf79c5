// Package verify checks that the repository tells the truth.
//
// What a problem says is believed by contestants, and what its cases expect decides
// about them. So the checks of this package hold them against each other: statement,
// limits, cases, lock, and the problem's own programs and example submissions.
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

	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/fixture"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/quote"
	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/yamlstrict"
)

// Check is one thing that is looked at.
type Check struct {
	Name string
	Doc  string // what holds when it finds nothing, as half a sentence

	problem    func(context.Context, *subject) error // about one problem; may be nil
	repository func(*verification) error             // about what belongs to no problem; may be nil
}

// checks are all checks, in the order in which they run: what is cheap, and what
// others build on, comes first.
var checks = []Check{
	{documents, "problem and case files can be read, and mutants.yaml names what there is", rules, nil},
	{"names", "titles are unique, and no two cases of a problem have the same input", names, nil},
	{"samples", "every problem shows a sample; samples are pinned and stand in their file", samples, nil},
	{"orphans", "every file below problems, cases and reference is used", orphans, strays},
	{"lock", "the lock is fresh and complete, and has nothing that no case has", lock, nil},
	{"generators", "generators make the same inputs again in other surroundings", generators, nil},
	{"inputs", "every input passes check -input", inputs, nil},
	{"bounds", "some case reaches each bound of the statement, and none is beyond", bounds, nil},
	{"reference", "the reference is accepted on every case within half of each limit", reference, nil},
	{"brute", "the second opinion agrees where it finishes", brute, nil},
	{"examples", "every example submission gets the verdict that its folder names", examples, nil},
	{"limits", "limits are neither too tight for what is accepted nor pointless", margins, nil},
}

// documents is the check that cannot be left out: what cannot be read cannot be
// checked either.
const documents = "documents"

// Checks returns all checks, in the order in which they run.
func Checks() []Check { return slices.Clone(checks) }

// Finding is one thing that is not true.
type Finding struct {
	Check   string `json:"check"`
	Problem string `json:"problem"` // "" when it belongs to none
	File    string `json:"file"`
	Line    int    `json:"line"` // from 1; 0 when no line is to blame
	Text    string `json:"text"` // one line
	Hint    string `json:"hint"` // what to do about it; may be empty
}

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

// String returns "problem: check: text".
func (n Note) String() string { return n.Problem + ": " + n.Check + ": " + n.Text }

// Report is what became of the checks.
type Report struct {
	Checks   []string  `json:"checks"`   // that ran, in their order
	Findings []Finding `json:"findings"` // by file and line
	Notes    []Note    `json:"notes"`    // in the order in which they came up
	Problems []Summary `json:"problems"`
}

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
	Root   string
	Show   diff.Options                         // of a difference
	Limits func(*problem.Problem) limits.Limits // of one run, complete
	Judge  func(*problem.Problem) *grade.Judge  // with the fixtures of that problem
}

// Options say what is checked.
type Options struct {
	Only  []string                    // names of checks; all when empty
	Stage func(problem, check string) // told what begins, may be nil
}

// Run checks the problems named, or the whole repository when there are none. It
// goes on after a finding as far as it can. The error is about a name that does not
// exist, ctx, or the judge itself.
func Run(ctx context.Context, b *Bench, ids []string, o Options) (*Report, error) {
	known, err := repo.List(b.Root)
	if err != nil {
		return nil, err
	}
	v := &verification{bench: b, known: known, whole: len(ids) == 0, report: &Report{}, used: map[string]bool{}}
	if v.whole {
		ids = known
	}
	var chosen []Check
	for _, c := range checks {
		if len(o.Only) == 0 || slices.Contains(o.Only, c.Name) || c.Name == documents {
			chosen = append(chosen, c)
			v.report.Checks = append(v.report.Checks, c.Name)
		}
	}
	for _, id := range slices.Compact(slices.Sorted(slices.Values(ids))) {
		if err := v.problem(ctx, id, chosen, o.Stage); err != nil {
			return nil, err
		}
	}
	for _, c := range chosen {
		if v.whole && c.repository != nil {
			v.check = c.Name
			if err := v.settle(c.repository(v)); err != nil {
				return nil, err
			}
		}
	}
	slices.SortStableFunc(v.report.Findings, func(a, b Finding) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), strings.Compare(a.Text, b.Text))
	})
	return v.report, nil
}

// verification is one Run in progress.
type verification struct {
	bench  *Bench
	known  []string // ids of all problems
	whole  bool     // the whole repository is checked
	report *Report

	check string // that runs at the moment
	about string // the problem that it is about, "" when none

	used map[string]bool // files and folders below the root that own programs are made of
}

// problem runs the checks of one problem.
func (v *verification) problem(ctx context.Context, id string, chosen []Check, stage func(problem, check string)) error {
	v.check, v.about = documents, id
	defer func() { v.about = "" }()
	p, err := repo.Load(v.bench.Root, id)
	if err != nil {
		return v.settle(err)
	}
	// Without the lock: how far it is true is a check of its own.
	set, err := p.Read()
	if err != nil {
		return v.settle(err)
	}
	s := &subject{verification: v, p: p, set: set, task: grade.Task{Limits: v.bench.Limits(p)}, judge: v.bench.Judge(p)}
	s.summary = Summary{Problem: id, Cases: len(set.Cases)}
	for _, c := range chosen {
		if c.problem == nil {
			continue
		}
		if stage != nil {
			stage(id, c.Name)
		}
		v.check = c.Name
		if err := v.settle(c.problem(ctx, s)); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	v.report.Problems = append(v.report.Problems, s.summary)
	return nil
}

// settle turns an error that is the repository's fault into a finding, and one that
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
	if failed, ok := errors.AsType[*fixture.FailedError](err); ok && failed.Case == nil {
		v.at(filepath.Join(v.bench.Root, failed.Folder), "", "%s: %s", failed.Cause, quote.First(failed.Stderr))
		return nil
	}
	// A file that cannot be read, though it is there, may be as it should.
	if located, ok := errors.AsType[*yamlstrict.Error](err); ok && (located.Err == nil || errors.Is(located.Err, fs.ErrNotExist)) {
		v.find(located)
		return nil
	}
	return err
}

// find notes a finding, unless another check has found the same.
func (v *verification) find(e *yamlstrict.Error) {
	same := func(f Finding) bool { return f.File == e.File && f.Line == e.Line && f.Text == e.Msg }
	if !slices.ContainsFunc(v.report.Findings, same) {
		v.report.Findings = append(v.report.Findings, Finding{
			Check: v.check, Problem: v.about, File: e.File, Line: e.Line, Text: e.Msg, Hint: e.Hint,
		})
	}
}

// want finds what a problem lacks of what is asked of problems here. Of one that was taken
// from a package it is a note: its authors had other rules.
func (s *subject) want(e *yamlstrict.Error) {
	if s.p.Origin == "" {
		s.find(e)
		return
	}
	s.note("%s", e.Msg)
}

// at notes a finding about a file as a whole.
func (v *verification) at(file, hint, format string, args ...any) {
	v.find(&yamlstrict.Error{File: file, Msg: fmt.Sprintf(format, args...), Hint: hint})
}

func (v *verification) note(format string, args ...any) {
	n := Note{Check: v.check, Problem: v.about, Text: fmt.Sprintf(format, args...)}
	if !slices.ContainsFunc(v.report.Notes, func(o Note) bool { return o.Problem == n.Problem && o.Text == n.Text }) {
		v.report.Notes = append(v.report.Notes, n)
	}
}
