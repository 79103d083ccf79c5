package problem

import (
	"os"
	"path"
	"path/filepath"
	"strings"

	"tribunal/judge/internal/verdict"
)

// Submission is an example program with what it promises.
type Submission struct {
	Path       string   // a file or a folder, such as "submissions/accepted/a.cpp"
	Language   string   // as submissions.yaml or problem.xml calls it; "" when the files must tell
	Entrypoint string   // likewise
	Authors    []string // likewise
	Model      bool     // a solution to show
	Expect     Expect
}

// Find returns the one of some submissions, whose paths are below dir, that a file or folder
// is, nil if it is none.
func Find(list []Submission, dir, name string) *Submission {
	info, err := os.Stat(name)
	if err != nil {
		return nil // which reading it will tell
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

// Main returns the one verdict that a submission gets if it is what it promises to be, of
// those that a judge knows that only knows AC, WA, TLE, RTE and CE, or that its folder
// names; None where several will do.
func (e Expect) Main() verdict.Verdict {
	if e.Partial || e.Score != nil {
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

// Expect is what a submission promises. All of it must hold; the zero value
// promises nothing.
//
// The formats know four verdicts. Where a package names one of them, the finer ones
// of tribunal count as well: see [verdict.Verdict.Class].
type Expect struct {
	// Final has the verdicts of which the whole submission gets one, as
	// [verdict.First] tells it: what legacy packages and tags promise. Empty, it
	// promises nothing.
	Final verdict.Set
	// Rules are about the verdicts of cases: what the later formats promise.
	Rules []Rule
	// Partial: less than the best score, and some of it unless Final tells the verdict.
	Partial bool
	// Score is the range of the score; nil promises nothing.
	Score *[2]float64
	// From says where the promise stands, such as "submissions/submissions.yaml:3",
	// "its folder" or "@EXPECTED_RESULTS@ in a.cpp:1"; "" without one.
	From string
}

// Rule is a promise about all cases that match a pattern. Rules do not replace but
// add to each other. A submission that does not compile has CE in every case.
type Rule struct {
	Cases     string      // a pattern for cases and groups, see [Rule.Match]; "" for all cases
	Permitted verdict.Set // every case's verdict is one of these
	Required  verdict.Set // and at least one case's is one of these
	Message   string      // and stands in at least one case's judgemessage.txt, unless ""
	Score     *[2]float64 // of the group, which Cases names
	Time      TimeUse
	From      string // as in Expect
}

// TimeUse says what a rule means for deriving the time limit.
type TimeUse uint8

const (
	TimeDefault TimeUse = iota // Lower if TLE is not permitted, Upper if only TLE is required
	TimeIgnore
	TimeLower // the limit must leave room for what these cases take
	TimeUpper // the limit must be too short for the slowest of these cases
)

// Bound returns what the rule means for deriving the time limit: TimeIgnore,
// TimeLower or TimeUpper.
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

// Match reports whether the rule is about the case of that name: the pattern matches
// it or a group that it is in. In a pattern * stands for any letters but a slash and
// {a,b} for a or b; nothing else is special.
func (r Rule) Match(name string) bool {
	return r.Cases == "" || MatchPath(r.Cases, name)
}

// String says in words what is promised, such as "WA" or "every case AC or WA, one
// WA", for messages.
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

// String says in words what is promised.
func (r Rule) String() string {
	text := "every case"
	if r.Cases != "" {
		text += " of " + r.Cases
	}
	text += " " + oneOf(r.Permitted)
	if r.Permitted&^r.Required != 0 {
		text += ", one " + oneOf(r.Required&r.Permitted)
	}
	return text
}

// oneOf lists a set without the finer verdicts of a class that is in it.
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
