// Package verify checks that the parts of a problem agree with each other.
//
// Contestants rely on the statement of a problem, and its cases decide their verdicts. The
// checks compare statement, limits, cases, lock or given answers, validators, the problem's own
// programs and its example submissions. A problem comes from the repository or from a package; a
// check is skipped if the problem lacks the parts that the check compares.
//
// Begin with verify.go, which lists the checks and runs them, and subject.go, which holds the
// results that the checks of one problem share. Each check has a file of its name; the check
// outputs has answers.go too.
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

// Check looks for one kind of mistake.
type Check struct {
	Name string
	Doc  string // the rule that it checks, as a clause

	problem    func(context.Context, *subject) error // checks one problem
	skip       func(*subject) string                 // returns why the problem has nothing to check, or ""; nil: never skipped
	repository func(*verification) error             // checks files that belong to no problem; may be nil
}

// checks lists all checks in the order in which they run. Cheap checks, and those whose results
// others use, come first.
var checks = []Check{
	{documents, "problem and case files can be read, and mutants.yaml names only what exists", checkDocuments, nil, nil},
	{"names", "titles are unique, and no two cases of a problem have the same input", checkNames, nil, nil},
	{"text", "inputs and answers are plain text: LF line ends, no byte order mark, no blanks that one does not see", checkText, nil, nil},
	{"samples", "every statement shows a sample; samples are pinned, and written out in the case file", checkSamples, (*subject).noStatement, nil},
	{"statements", "statements can be shown: their images exist, and their formulas can be read", checkStatements, (*subject).noStatement, nil},
	{"orphans", "every file below problems, cases and reference is used", checkOrphans, (*subject).noFolders, checkStrays},
	{"lock", "the lock is fresh and complete, and lists only cases that exist", checkLock, (*subject).noLock, nil},
	{"generators", "generators make the same inputs again in another environment", checkGenerators, (*subject).noGenerator, nil},
	{"inputs", "input validators accept every input, and refuse the invalid inputs of a package", checkInputs, nil, nil},
	{"bounds", "some case reaches each bound of the statement, and none exceeds it", checkBounds, (*subject).noBounds, nil},
	{"outputs", "validators accept the answers, and refuse the wrong outputs and answers of a package", checkOutputs, (*subject).noAnswers, nil},
	{"reference", "the reference is accepted on every case within half of each limit", checkReference, (*subject).noReference, nil},
	{"drawings", "the draw program draws the samples", checkDrawings, (*subject).noDrawings, nil},
	{"brute", "the brute agrees with every expected output that it can compute within its limits", checkBrute, (*subject).noBrute, nil},
	{"examples", "every example submission gets the verdicts that its folder, or the package, promises", checkExamples, nil, nil},
	{"limits", "limits are neither too tight for accepted programs nor pointless", checkLimits, nil, nil},
}

// documents is the name of the check that always runs, because a problem that cannot be read
// cannot be checked.
const documents = "documents"

// Checks returns all checks, in the order in which they run.
func Checks() []Check { return slices.Clone(checks) }

// The schema names of a [Report] in JSON, and of the events before it; see docs/verify.md.
const (
	Schema       = "tribunal/verify/1"
	EventsSchema = "tribunal/verify-events/1"
)

// Begun reports that a check begins.
type Begun struct {
	Problem string `json:"problem"` // id, or path of a package; "" for files that belong to no problem
	Check   string `json:"check"`
	event.Stage
}

func (*Begun) Kind() string { return "check" }

// Progress counts the runs of a check that may take long.
type Progress struct {
	Problem string `json:"problem"`
	Check   string `json:"check"`
	Done    int    `json:"done"`  // runs that have ended, or turned out not to be needed
	Total   int    `json:"total"` // 0 if the check does not count its runs
}

func (*Progress) Kind() string { return "progress" }

func (p *Progress) Counts() (done, total int) { return p.Done, p.Total }

// Finding is one mistake in a problem.
type Finding struct {
	Check   string `json:"check"`
	Problem string `json:"problem"` // "" if the file belongs to no problem
	File    string `json:"file"`
	Line    int    `json:"line"` // from 1; 0 if the finding concerns the whole file
	Text    string `json:"text"` // one line
	Hint    string `json:"hint"` // how to correct it; may be empty
}

func (*Finding) Kind() string { return "finding" }

// String returns "file:line: check: text (hint: hint)".
func (f Finding) String() string {
	return (&yamlstrict.Error{File: f.File, Line: f.Line, Msg: f.Check + ": " + f.Text, Hint: f.Hint}).Error()
}

// Note reports a rule that could not be checked on this machine, or a remark that is not a mistake.
type Note struct {
	Check   string `json:"check"`
	Problem string `json:"problem"`
	Text    string `json:"text"` // one line
}

func (*Note) Kind() string { return "note" }

// String returns "problem: check: text".
func (n Note) String() string { return n.Problem + ": " + n.Check + ": " + n.Text }

// Report is the result of all checks.
type Report struct {
	document.Head
	Checks   []string  `json:"checks"`   // names of the checks that ran, in the order of [Checks]
	Findings []Finding `json:"findings"` // sorted by file and line
	Notes    []Note    `json:"notes"`    // in the order in which the checks made them
	Problems []Summary `json:"problems"` // those whose checks have all ended
	Stopped  *Progress `json:"stopped"`  // how far the work came if ctx ended; nil if it is complete
}

func (*Report) Kind() string { return event.End }

// Summary holds the counts and measurements of one problem. Those of a check that did not run are
// zero.
type Summary struct {
	Problem   string   `json:"problem"`
	Cases     int      `json:"cases"`
	Examples  int      `json:"examples"`  // example submissions that were judged
	Unchecked int      `json:"unchecked"` // example submissions that could not be judged on this machine
	Brute     Reach    `json:"brute"`
	Margins   []Margin `json:"margins"`         // in the order cpu, wall, memory, output
	Dialect   string   `json:"dialect"`         // the judging system whose reading of the package counts; "" if systems do not differ
	Because   string   `json:"dialect_because"` // why, as words after "because"
}

func (*Summary) Kind() string { return "problem" }

// Reach counts cases by the brute's result. Cases on which it disagrees are findings instead.
type Reach struct {
	Agrees   int `json:"agrees"`
	Beyond   int `json:"beyond"`   // cases on which the brute exceeded a limit
	Declined int `json:"declined"` // cases on which the brute exited with status 3
}

// Margin compares a limit with the largest amount that any accepted program used on a case.
type Margin struct {
	Limit string `json:"limit"`   // cpu, wall, memory or output
	Have  int64  `json:"have"`    // the limit
	Need  int64  `json:"need"`    // the largest amount used
	Unit  string `json:"unit"`    // unit of have and need: ns or B
	By    string `json:"program"` // the program that used this amount
	Case  string `json:"case"`    // the case on which By used this amount
}

// Environment gives the checks access to problems and judges.
type Environment struct {
	Root  string       // folder of the repository; "" if there is none
	Known []string     // ids of all problems of the repository, sorted
	Show  diff.Options // how to show the difference between two outputs

	// Load reads a problem by its id or the path of a package. The problem can be used until
	// close is called.
	Load func(ctx context.Context, name string) (p *problem.Problem, close func() error, err error)
	// Judge returns a judge whose CaseData is that of the problem.
	Judge func(*problem.Problem) *grade.Judge
	// Limits returns the complete limits of one run for a task without submissions. from says
	// where the time limit comes from, and is "" if the problem gives it. The error is
	// [calibrate.ErrNoLimit] if nothing determines a time limit.
	Limits func(context.Context, *grade.Judge, grade.Task) (l limits.Limits, from string, err error)
}

// Options selects the checks, and the cases and example submissions on which they run.
type Options struct {
	Only []string // names of the checks to run; all if empty
	// Cases and Submissions are patterns for the cases, as in [cases.Match], and for the ends of
	// the names of example submissions or their folders, in the syntax of [path.Match]; all if
	// empty. Each must match something in one of the problems, or else Run returns an
	// [*UnmatchedError].
	Cases       []string
	Submissions []string
	Emit        event.Emit // receives each [*Begun], [*Finding], [*Note] and [*Summary], and at last the [*Report]
}

// Run checks the problems with these names, each an id or the path of a package, or the whole
// repository if names is empty. After a finding it continues as far as it can. An error means that
// ctx ended or that the judge itself failed. If ctx ended, Run has sent the report on what is known
// until then.
func Run(ctx context.Context, b *Environment, names []string, o Options) (*Report, error) {
	v := &verification{env: b, whole: len(names) == 0, only: len(o.Only) > 0, emit: o.Emit, report: &Report{Head: document.NewHead(Schema)}, used: map[string]bool{}}
	v.choice = choice{o.Cases, o.Submissions, map[string]error{}}
	if v.whole {
		names = b.Known
	}
	err := v.run(ctx, slices.Compact(slices.Sorted(slices.Values(names))), o.Only)
	if ctx.Err() != nil {
		v.report.Stopped = &v.progress
	} else if err != nil {
		return nil, err
	}
	slices.SortStableFunc(v.report.Findings, func(a, b Finding) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), strings.Compare(a.Text, b.Text))
	})
	v.emit.Send(v.report)
	return v.report, err
}

// run runs the checks named in only, or all if it is empty, on the problems, and then on the files
// of the repository that belong to no problem.
func (v *verification) run(ctx context.Context, names, only []string) error {
	ran := map[string]bool{}
	var chosen []Check
	for _, c := range checks {
		if !v.only || slices.Contains(only, c.Name) || c.Name == documents {
			chosen = append(chosen, c)
		}
	}
	defer func() {
		for _, c := range chosen {
			if ran[c.Name] {
				v.report.Checks = append(v.report.Checks, c.Name)
			}
		}
	}()
	v.single = len(names) == 1
	for _, name := range names {
		if err := v.problem(ctx, name, chosen, func(check string) {
			ran[check] = true
			v.begins(name, name, check)
		}); err != nil {
			return err
		}
	}
	if err := v.choice.err(); err != nil {
		return err
	}
	for _, c := range chosen {
		if v.whole && c.repository != nil {
			v.check, ran[c.Name] = c.Name, true
			v.begins("", "the repository", c.Name)
			if err := cmp.Or(v.settle(c.repository(v)), ctx.Err()); err != nil {
				return err
			}
		}
	}
	return nil
}

// verification is one Run in progress.
type verification struct {
	env      *Environment
	whole    bool // check the whole repository
	single   bool // check only one problem
	only     bool // some checks were selected by name
	choice   choice
	emit     event.Emit
	report   *Report
	progress Progress // of the check that is running

	check string           // name of the running check
	about string           // id of the problem being checked; "" if none
	p     *problem.Problem // the problem being checked; nil if none, or if it has not been read yet

	notesBefore int // the number of notes about earlier problems

	used map[string]bool // sources of the problems' programs and the folders around them, as paths below the root
}

// begins reports that a check begins. title names the problem, or "the repository", in the progress
// message.
func (v *verification) begins(problem, title, check string) {
	v.progress = Progress{Problem: problem, Check: check}
	v.emit.Send(&Begun{problem, check, event.Stage{What: fmt.Sprintf("checking the %s of %s", check, title)}})
}

// advances reports how many runs of the present check have ended.
func (v *verification) advances(done, total int) {
	v.progress.Done, v.progress.Total = done, total
	p := v.progress
	v.emit.Send(&p)
}

// problem runs the chosen checks on one problem, and calls begins before each.
func (v *verification) problem(ctx context.Context, name string, chosen []Check, begins func(check string)) (err error) {
	v.check, v.about, v.notesBefore = documents, name, len(v.report.Notes)
	defer func() { v.about, v.p = "", nil }()
	begins(documents)
	p, closeIt, err := v.env.Load(ctx, name)
	if err != nil {
		return cmp.Or(ctx.Err(), v.settle(err))
	}
	defer func() { err = errors.Join(err, closeIt()) }()
	v.about, v.p = p.ID, p
	// Read does not compare the cases with the lock: the check lock does.
	set, err := p.Read()
	if err != nil {
		return v.settle(err)
	}
	list := v.choice.ofCases(set.Cases)
	submissions := v.choice.ofSubmissions(p, list)
	if err := v.choice.err(); v.single && err != nil {
		return err
	}
	s := &subject{verification: v, set: set, cases: list, submissions: submissions, judge: v.env.Judge(p)}
	if p.ForeignRules { // otherwise hardly anything differs
		v.note("read as %s, because %s", p.Dialect, p.Because)
	}
	s.summary = Summary{Problem: p.ID, Dialect: p.Dialect, Because: p.Because, Cases: len(list)}
	for _, c := range chosen {
		v.check = c.Name
		if c.skip != nil {
			if why := c.skip(s); why != "" {
				if v.only {
					s.note("not checked: %s", why)
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
	v.emit.Send(&s.summary)
	return nil
}

// settle reports an error that is the problem's fault as a finding, and a missing compiler of a
// foreign problem as a note. It returns any other error.
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
		text := quote.Complaint(failed.Stderr)
		if compile, ok := errors.AsType[*build.CompileError](err); ok {
			text = compile.Cause()
		}
		v.findAt(v.path(failed.Folder), "", "%s: %s", failed.Cause, text)
		return nil
	}
	if missing, ok := errors.AsType[*build.MissingError](err); ok && v.p != nil && v.p.Foreign() {
		v.note("not checked: %v", missing)
		return nil
	}
	// A file that exists but cannot be read is not the problem's fault.
	located, ok := errors.AsType[*yamlstrict.Error](err)
	_, noLanguage := errors.AsType[*build.ExtensionError](err)
	if ok && (located.Err == nil || noLanguage || errors.Is(located.Err, fs.ErrNotExist)) {
		v.find(located)
		return nil
	}
	return err
}

// path joins elements of a path below the problem's root, and returns the path as messages show it.
// The path is below the repository's root if no problem is being checked.
func (v *verification) path(below ...string) string {
	rel := filepath.Join(below...)
	if v.p == nil {
		return filepath.Join(v.env.Root, rel)
	}
	return v.p.Show(rel)
}

// find reports a finding, unless another check has already reported it.
func (v *verification) find(e *yamlstrict.Error) {
	same := func(f Finding) bool { return f.File == e.File && f.Line == e.Line && f.Text == e.Msg }
	if !slices.ContainsFunc(v.report.Findings, same) {
		f := Finding{Check: v.check, Problem: v.about, File: e.File, Line: e.Line, Text: e.Msg, Hint: e.Hint}
		v.report.Findings = append(v.report.Findings, f)
		v.emit.Send(&f)
	}
}

// findOrNote reports that a problem breaks a rule of this repository. It is a finding, or a note if
// the problem is foreign, because the rule did not bind its authors.
func (s *subject) findOrNote(e *yamlstrict.Error) {
	switch {
	case !s.p.Foreign():
		s.find(e)
	case e.File == s.p.Path:
		s.note("%s", e.Msg)
	default:
		s.note("%v", &yamlstrict.Error{File: e.File, Line: e.Line, Msg: e.Msg})
	}
}

// findAt reports a finding about a whole file.
func (v *verification) findAt(file, hint, format string, args ...any) {
	v.find(&yamlstrict.Error{File: file, Msg: fmt.Sprintf(format, args...), Hint: hint})
}

// note reports a note, unless this problem already has one with the same text.
func (v *verification) note(format string, args ...any) {
	n := Note{Check: v.check, Problem: v.about, Text: fmt.Sprintf(format, args...)}
	if !slices.ContainsFunc(v.report.Notes[v.notesBefore:], func(o Note) bool { return o.Text == n.Text }) {
		v.report.Notes = append(v.report.Notes, n)
		v.emit.Send(&n)
	}
}
