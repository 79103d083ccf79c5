// Package compare tells which results of two judgings differ.
package compare

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"tribunal/judge/internal/account"
	"tribunal/judge/internal/document"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/journal"
	"tribunal/judge/internal/regular"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/internal/yamlstrict"
)

// Schema names the JSON form of a [Report]. It changes as [account.Schema] does.
const Schema = "tribunal/compare/1"

// Result is the result of a submission in one of the judgings.
type Result struct {
	Verdict verdict.Verdict `json:"verdict"`
	Points  *float64        `json:"points"` // nil if the problem gives none
	First   string          `json:"first_failure"`
	Passed  int             `json:"passed"` // accepted cases
	Total   int             `json:"total"`
	CPU     time.Duration   `json:"cpu_ns"` // the largest of any case
	Wrong   string          `json:"wrong"`  // why it was not judged, else ""

	cases map[string]ofCase // by case; nil if they are not known
}

// ofCase is the result of a submission on a case.
type ofCase struct {
	verdict verdict.Verdict
	cpu     time.Duration
}

// resultOf returns the result of a submission, with those of its cases.
func resultOf(d *grade.Done, cases []*grade.Case) Result {
	r := Result{Verdict: d.Verdict, First: d.First, Passed: d.Passed, Total: d.Total, CPU: d.CPU, cases: map[string]ofCase{}}
	if d.Points != nil {
		r.Points = &d.Points.Points
	}
	for _, c := range cases {
		r.cases[c.Name] = ofCase{c.Verdict, c.CPU}
	}
	return r
}

// Results are the results of a judging.
type Results struct {
	File  string
	names []Name
	by    map[Name]Result
	field map[Name][]string // of students, in the roster
	path  map[Name]string   // of submissions of students; others have it in their name
}

// Name names a submission in both judgings.
type Name struct {
	Problem    string `json:"problem"`
	Submission string `json:"submission"`
}

// Read reads the results of a judging: a document of judge grade, of one problem or of a sheet, or its
// journal. The error is a [*yamlstrict.Error].
func Read(file string) (*Results, error) {
	text, err := regular.ReadAny(file)
	if err != nil {
		return nil, bad(file, yamlstrict.FileError(file, err).Msg)
	}
	r := &Results{File: file, by: map[Name]Result{}, field: map[Name][]string{}, path: map[Name]string{}}
	var head document.Head
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(&head); err != nil {
		return nil, bad(file, "not JSON")
	}
	switch head.Schema {
	case account.Schema:
		var x account.Execution
		if err := json.Unmarshal(text, &x); err != nil {
			return nil, bad(file, err.Error())
		}
		for _, s := range x.Submissions {
			if s == nil {
				return nil, bad(file, "a submission is null")
			}
			var cases []*grade.Case
			for i := range s.Cases {
				cases = append(cases, &s.Cases[i].Case)
			}
			r.add(Name{x.Problem, s.Name}, resultOf(&s.Done, cases))
		}
	case account.SheetSchema:
		var s account.Sheet
		if err := json.Unmarshal(text, &s); err != nil {
			return nil, bad(file, err.Error())
		}
		for _, student := range s.Students {
			for i, c := range student.Cells {
				if c.Submission != "" && i < len(s.Problems) {
					n := Name{s.Problems[i].ID, student.Name}
					r.add(n, Result{Verdict: c.Verdict, Points: new(c.Points), First: c.First, Passed: c.Passed, Total: c.Total, CPU: c.CPU, Wrong: c.Wrong})
					r.field[n], r.path[n] = student.Columns, c.Submission
				}
			}
		}
	case journal.Schema:
		return r, journal.Read(file, func(e *journal.Entry) {
			var cases []*grade.Case
			for i := range e.Cases {
				cases = append(cases, &e.Cases[i].Case)
			}
			r.add(Name{e.Problem, e.Submission}, resultOf(&e.Done, cases))
		})
	case "":
		return nil, bad(file, "not a document of the judge")
	default:
		return nil, bad(file, "a document of another kind, "+head.Schema)
	}
	return r, nil
}

func bad(file, text string) error {
	return &yamlstrict.Error{File: file, Msg: text, Hint: "compare what judge grade --json or --journal wrote"}
}

func (r *Results) add(n Name, one Result) {
	if _, known := r.by[n]; !known {
		r.names = append(r.names, n)
	}
	r.by[n] = one
}

// Two returns the two submissions of a judging as two judgings. The error is a [*yamlstrict.Error] unless it
// has two, for the same problem.
func (r *Results) Two() (a, b *Results, err error) {
	if len(r.names) != 2 || r.names[0].Problem != r.names[1].Problem {
		return nil, nil, &yamlstrict.Error{File: r.File, Msg: fmt.Sprintf("holds %d results, not two for one problem", len(r.names)), Hint: "name another document, to compare with this one"}
	}
	of := func(n Name) *Results {
		return &Results{File: r.File, names: []Name{n}, by: map[Name]Result{n: r.by[n]}}
	}
	return of(r.names[0]), of(r.names[1]), nil
}

// Change is a submission whose results differ.
type Change struct {
	Name
	Was   string       `json:"was"` // its name in the older judging, if that is another; else ""
	Old   Result       `json:"old"`
	New   Result       `json:"new"`
	Cases []CaseChange `json:"cases"` // sorted by name
}

// CaseChange is a case that was judged both times and has another verdict.
type CaseChange struct {
	Case string          `json:"case"`
	Old  verdict.Verdict `json:"old"`
	New  verdict.Verdict `json:"new"`
}

// Report lists what differs between two judgings, each list in the order of the newer one.
type Report struct {
	document.Head
	Verdicts []Change `json:"verdicts"` // whose verdict or points changed
	Cases    []Change `json:"cases"`    // with the same verdict and points, but other accepted cases
	Slower   []Change `json:"slower"`   // with the same results, whose CPU time grew beyond noise
	Faster   []Change `json:"faster"`
	Added    []Name   `json:"added"`   // only in the newer one
	Gone     []Name   `json:"gone"`    // only in the older one, in its order
	Same     int      `json:"same"`    // neither changed nor slower nor faster
	Renamed  int      `json:"renamed"` // of all but the added and gone, those with other names

	whole map[string]bool // problems that only one of the judgings has
}

// Compare compares the results of an older and a newer judging. If each has one submission, both for the
// same problem, it compares them even if their names differ.
func Compare(older, newer *Results) *Report {
	r := &Report{Head: document.NewHead(Schema)}
	renamed := older.renamed(newer)
	if len(older.names) == 1 && len(newer.names) == 1 && older.names[0].Problem == newer.names[0].Problem && older.names[0] != newer.names[0] {
		renamed[newer.names[0]] = older.names[0]
	}
	r.Renamed, r.whole = len(renamed), map[string]bool{}
	for _, names := range [][]Name{older.names, newer.names} {
		here := map[string]bool{}
		for _, n := range names {
			here[n.Problem] = true
		}
		for problem := range here {
			_, both := r.whole[problem]
			r.whole[problem] = !both
		}
	}
	met := map[Name]bool{}
	for _, n := range newer.names {
		before, other := renamed[n]
		if !other {
			before = n
		}
		was, ok := older.by[before]
		is := newer.by[n]
		met[before] = true
		change := Change{Name: n, Old: was, New: is, Cases: changed(was, is)}
		if other {
			change.Was = before.Submission
		}
		switch {
		case !ok:
			r.Added = append(r.Added, n)
		case was.Verdict != is.Verdict || !samePoints(was.Points, is.Points):
			r.Verdicts = append(r.Verdicts, change)
		case was.Passed != is.Passed || was.First != is.First || len(change.Cases) > 0:
			r.Cases = append(r.Cases, change)
		case beyond(was, is):
			r.Slower = append(r.Slower, change)
		case beyond(is, was):
			r.Faster = append(r.Faster, change)
		default:
			r.Same++
		}
	}
	for _, n := range older.names {
		if !met[n] {
			r.Gone = append(r.Gone, n)
		}
	}
	return r
}

// changed returns the cases that were judged both times and have other verdicts.
func changed(was, is Result) []CaseChange {
	list := []CaseChange{}
	for name, before := range was.cases {
		if after, both := is.cases[name]; both && before.verdict != after.verdict {
			list = append(list, CaseChange{name, before.verdict, after.verdict})
		}
	}
	slices.SortFunc(list, func(a, b CaseChange) int { return strings.Compare(a.Case, b.Case) })
	return list
}

func samePoints(a, b *float64) bool {
	return a == nil || b == nil || *a == *b
}

// What counts as noise. The CPU time of a run varies by a tenth on a quiet machine, and by a third
// beside other programs, but then the cases of a submission do not all vary in the same direction.
const (
	leastRatio  = 1.25                  // of the largest times of a submission
	leastMedian = 1.15                  // of the ratios of its cases
	leastTime   = 20 * time.Millisecond // below this, times are those of starting a program
)

// beyond reports whether a submission takes longer in the results b than in a, beyond noise.
func beyond(a, b Result) bool {
	if b.CPU < leastTime || float64(b.CPU) < leastRatio*float64(a.CPU) {
		return false
	}
	var ratios []float64
	for name, before := range a.cases {
		after, both := b.cases[name]
		if both && before.verdict == verdict.AC && after.verdict == verdict.AC && max(before.cpu, after.cpu) >= leastTime {
			ratios = append(ratios, float64(after.cpu)/float64(max(before.cpu, time.Microsecond)))
		}
	}
	if len(ratios) == 0 {
		return true
	}
	slices.Sort(ratios)
	return ratios[len(ratios)/2] >= leastMedian
}

// String returns both names for messages, or the submission if there is no problem.
func (n Name) String() string {
	return strings.TrimPrefix(fmt.Sprintf("%s, %s", n.Problem, n.Submission), ", ")
}

// Factor returns how many times longer the newer run of a change took.
func (c Change) Factor() float64 {
	return float64(c.New.CPU) / float64(cmp.Or(c.Old.CPU, time.Microsecond))
}
