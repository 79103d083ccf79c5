package problem

import (
	"os"
	"path"
	"path/filepath"
	"strings"

	"tribunal/judge/internal/verdict"
)

// Submission is an example submission of a problem, with the verdicts that it should get.
type Submission struct {
	Path       string   // a file or a folder, such as "submissions/accepted/a.cpp"
	Language   string   // the name in submissions.yaml or problem.xml; "" to detect it from the files
	Entrypoint string   // main file or class, as in submissions.yaml or problem.xml; "" to detect it
	Authors    []string // as in submissions.yaml or problem.xml
	Model      bool     // it is a model solution
	Expect     Expect
}

// Find returns the submission in the list that is the named file or folder; nil if none is. The
// paths in the list are below dir.
func Find(list []Submission, dir, name string) *Submission {
	info, err := os.Stat(name)
	if err != nil {
		return nil // the caller gets the error when it reads the file
	}
	for i, s := range list {
		if path.Base(filepath.ToSlash(s.Path)) != filepath.Base(name) {
			continue
		}
		if other, err := os.Stat(filepath.Join(dir, filepath.FromSlash(s.Path))); err == nil && os.SameFile(info, other) {
			return &list[i]
		}
	}
	return nil
}

// Main returns the one verdict that the submission should get. A class of verdicts that other
// judges do not distinguish (see [verdict.Verdict.Class]) counts as its main verdict. It returns
// None if the submission may get any of several verdicts, or part of the points. A score beside a
// verdict does not matter, although it may be a part of the points.
func (e Expect) Main() verdict.Verdict {
	if e.Partial || e.Score != nil && e.Final == 0 {
		return verdict.None
	}
	set := e.Final
	for _, r := range e.Rules {
		if r.Cases != "" {
			continue
		}
		one := r.Required
		if r.Permitted == accepted {
			one = accepted
		}
		if set != 0 && set != one {
			return verdict.None
		}
		set = one
	}
	for _, v := range set.List() {
		if set == verdict.SetOf(v) || set == v.Class() {
			return v
		}
	}
	return verdict.None
}

var accepted = verdict.AC.Class()

// Expect is the expected result of a submission. All parts of it must hold; the zero value expects
// nothing.
//
// The package formats have four verdicts. If a package names one of them, the finer verdicts of
// tribunal count as well; see [verdict.Verdict.Class].
type Expect struct {
	// Final is the set of allowed overall verdicts, by [verdict.First]; empty means any. Legacy
	// packages and tags in sources set it.
	Final verdict.Set
	// Rules constrain the verdicts of cases. The later formats set them.
	Rules []Rule
	// Partial means less than the best score, and more than none unless Final is set.
	Partial bool
	// Score is the range of the score; nil means any. It is compared after rounding to Decimals, or
	// up to rounding errors if that is 0.
	Score    *[2]float64
	Decimals int
	// Grades constrain the verdicts of groups in a problem with points.
	Grades []Grade
	// From names the place of the expectation, such as "submissions/submissions.yaml:3", "its
	// folder" or "@EXPECTED_RESULTS@ in a.cpp:1"; "" without one.
	From string
}

// Grade is an expectation about the verdict of a group with points, if it counts.
type Grade struct {
	Group    string // its name
	Verdicts verdict.Set
	From     string // as in [Expect]
}

// Rule is an expectation about all cases that match a pattern. All rules that match a case apply. A
// submission that does not compile has CE in every case.
type Rule struct {
	Cases     string      // pattern of cases and groups, see [Rule.Match]; "" for all cases
	Permitted verdict.Set // the verdict of every case is in this set
	Required  verdict.Set // the verdict of at least one case is in this set
	Message   string      // the judgemessage.txt of at least one case contains this; "" for any
	Score     *[2]float64 // range of the score of the group that Cases names
	Time      TimeUse
	From      string // as in Expect
}

// TimeUse is the effect of a rule on deriving the time limit.
type TimeUse uint8

const (
	TimeDefault TimeUse = iota // Lower if TLE is not permitted, Upper if only TLE is required
	TimeIgnore
	TimeLower // the limit must be longer than these cases take, with a margin
	TimeUpper // the limit must be too short for the slowest of these cases
)

// Bound returns the effect of the rule on deriving the time limit: TimeIgnore, TimeLower or
// TimeUpper.
func (r Rule) Bound() TimeUse {
	switch {
	case r.Time != TimeDefault:
		return r.Time
	case r.Required&^verdict.TLE.Class() == 0 && r.Required != 0:
		return TimeUpper
	case !r.Permitted.Has(verdict.TLE):
		return TimeLower
	}
	return TimeIgnore
}

// Match reports whether the rule applies to the case of that name: the pattern matches the case or
// a group that contains it. In a pattern, * matches any text without a slash and {a,b} matches a or
// b; nothing else is special.
func (r Rule) Match(name string) bool {
	return r.Cases == "" || MatchPath(r.Cases, name)
}

// String describes the expectation for messages, such as "WA" or "every case AC or WA, one WA".
func (e Expect) String() string {
	var parts []string
	if e.Final != 0 {
		parts = append(parts, oneOf(e.Final))
	}
	if e.Partial {
		parts = append(parts, "a part of the score")
	}
	for _, r := range e.Rules {
		parts = append(parts, r.String())
	}
	return strings.Join(parts, "; ")
}

// String describes the rule for messages.
func (r Rule) String() string {
	text := "every case"
	if r.Cases != "" {
		text += " of " + r.Cases
	}
	text += " " + oneOf(r.Permitted)
	if r.Required != 0 && r.Permitted&^r.Required != 0 {
		text += ", one " + oneOf(r.Required&r.Permitted)
	}
	return text
}

// oneOf lists a set of verdicts. It lists only the main verdict of a class.
func oneOf(s verdict.Set) string {
	var words []string
	rest := s
	for _, v := range verdict.BigFive() {
		if c := v.Class(); s&c == c {
			words = append(words, v.String())
			rest &^= c
		}
	}
	for _, v := range rest.List() {
		words = append(words, v.String())
	}
	if len(words) == 0 {
		return "nothing"
	}
	return strings.Join(words, " or ")
}
