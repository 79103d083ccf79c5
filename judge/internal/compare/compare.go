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
	CPU     time.Duration   `json:"cpu_ns"` // the largest of any case

	cases map[string]time.Duration // CPU time by accepted case; nil if it is not known
}

// Results are the results of a judging.
type Results struct {
	File  string
	names []Name
	by    map[Name]Result
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
	r := &Results{File: file, by: map[Name]Result{}}
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
			one := Result{Verdict: s.Verdict, First: s.First, CPU: s.CPU, cases: map[string]time.Duration{}}
			if s.Points != nil {
				one.Points = &s.Points.Points
			}
			for _, c := range s.Cases {
				if c.Verdict == verdict.AC {
					one.cases[c.Name] = c.CPU
				}
			}
			r.add(Name{x.Problem, s.Name}, one)
		}
	case account.SheetSchema:
		var s account.Sheet
		if err := json.Unmarshal(text, &s); err != nil {
			return nil, bad(file, err.Error())
		}
		for _, student := range s.Students {
			for i, c := range student.Cells {
				if c.Submission != "" && i < len(s.Problems) {
					r.add(Name{s.Problems[i].ID, student.Name}, Result{Verdict: c.Verdict, Points: new(c.Points), First: c.First, CPU: c.CPU})
				}
			}
		}
	case journal.Schema:
		return r, journal.Read(file, func(e *journal.Entry) {
			one := Result{Verdict: e.Done.Verdict, First: e.Done.First, CPU: e.Done.CPU, cases: map[string]time.Duration{}}
			if e.Done.Points != nil {
				one.Points = &e.Done.Points.Points
			}
			for _, c := range e.Cases {
				if c.Verdict == verdict.AC {
					one.cases[c.Name] = c.CPU
				}
			}
			r.add(Name{e.Problem, e.Submission}, one)
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

// Change is a submission whose results differ.
type Change struct {
	Name
	Old Result `json:"old"`
	New Result `json:"new"`
}

// Report lists what differs between two judgings, each list in the order of the newer one.
type Report struct {
	document.Head
	Verdicts []Change `json:"verdicts"` // whose verdict or points changed
	Slower   []Change `json:"slower"`   // with the same verdict, whose CPU time grew beyond noise
	Faster   []Change `json:"faster"`
	Added    []Name   `json:"added"` // only in the newer one
	Gone     []Name   `json:"gone"`  // only in the older one, in its order
	Same     int      `json:"same"`  // neither changed nor slower nor faster
}

// Compare compares the results of an older and a newer judging.
func Compare(older, newer *Results) *Report {
	r := &Report{Head: document.NewHead(Schema)}
	for _, n := range newer.names {
		was, ok := older.by[n]
		is := newer.by[n]
		change := Change{n, was, is}
		switch {
		case !ok:
			r.Added = append(r.Added, n)
		case was.Verdict != is.Verdict || !samePoints(was.Points, is.Points):
			r.Verdicts = append(r.Verdicts, change)
		case beyond(was, is):
			r.Slower = append(r.Slower, change)
		case beyond(is, was):
			r.Faster = append(r.Faster, change)
		default:
			r.Same++
		}
	}
	for _, n := range older.names {
		if _, ok := newer.by[n]; !ok {
			r.Gone = append(r.Gone, n)
		}
	}
	return r
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
		if after, ok := b.cases[name]; ok && max(before, after) >= leastTime {
			ratios = append(ratios, float64(after)/float64(max(before, time.Microsecond)))
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
