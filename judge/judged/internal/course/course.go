// Package course has the rules of courses: what a course.yaml may say, who may do what and when, and standings.
//
// Everything here is computed from states of the ledger and a time, without effects. Begin with [Phase];
// standings.go counts, write.go writes what [Read] reads, contest.go reads contests of other systems, and export.go
// writes results for them. Who sees which page is in package pages.
package course

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"tribunal/judge/internal/yamlstrict"
	"tribunal/judge/judged/internal/ledger"
)

// The bounds of a course.
const (
	MaxProblems = 100
	maxText     = 200
	maxAbout    = 10_000
)

// Read reads a course.yaml, or the contest.yaml or contest.json of another contest system; see contest.go. An error is
// a [*yamlstrict.Error]. The contest is nil for a course.yaml. Its problems may be in a second document or in further
// files, as problems.yaml or problemset.yaml.
func Read(file string, data []byte, problems ...File) (c ledger.Course, contest *Contest, err error) {
	if contest, err = readContest(&c, append([]File{{file, data}}, problems...)); contest == nil && err == nil {
		err = yamlstrict.Decode(file, data, &c)
	}
	if err == nil {
		if wrong := Check(&c); wrong != nil {
			err = &yamlstrict.Error{File: file, Msg: wrong.Error()}
		}
	}
	return c, contest, err
}

// Check returns the first thing that is wrong with a course, in one line with a hint.
func Check(c *ledger.Course) error {
	switch {
	case !line(c.Title):
		return fmt.Errorf("title: want 1 to %d characters in a line", maxText)
	case len(c.About) > maxAbout || !utf8.ValidString(c.About):
		return fmt.Errorf("about: want at most %d bytes of text", maxAbout)
	case len(c.Problems) > MaxProblems:
		return fmt.Errorf("problems: want at most %d", MaxProblems)
	case c.Scoring != "" && !slices.Contains([]ledger.Scoring{ledger.Points, ledger.ICPC, ledger.Practice}, c.Scoring):
		return fmt.Errorf("scoring %q: want points, icpc or practice", c.Scoring)
	case c.Standings != "" && !slices.Contains([]ledger.Audience{ledger.Public, ledger.Members, ledger.Jury}, c.Standings):
		return fmt.Errorf("standings %q: want public, members or jury", c.Standings)
	case c.Feedback != "" && !slices.Contains([]string{"none", "verdict", "samples", "first", "all"}, c.Feedback):
		return fmt.Errorf("feedback %q: want none, verdict, samples, first or all", c.Feedback)
	case c.Penalty < 0 || c.Penalty > 24*time.Hour:
		return errors.New("penalty: want a time up to 24h")
	case !(c.LatePenalty >= 0 && c.LatePenalty <= 100):
		return errors.New("late_penalty: want a percentage from 0 to 100")
	case c.Rate < 0, c.MaxSource < 0:
		return errors.New("rate and max_source: want positive numbers")
	case c.Register != "" && !line(c.Register):
		return fmt.Errorf("register: want a word of at most %d characters", maxText)
	}
	if err := checkProblems(c.Problems); err != nil {
		return err
	}
	return checkTimes(c)
}

func checkProblems(problems []ledger.CourseProblem) error {
	labels, ids := map[string]bool{}, map[string]bool{}
	for i, p := range problems {
		switch {
		case !line(p.Label) || utf8.RuneCountInString(p.Label) > 8:
			return fmt.Errorf("problem %d: label %q: want 1 to 8 characters, such as A", i+1, p.Label)
		case p.Problem == "":
			return fmt.Errorf("problem %s: the id of the problem is missing", p.Label)
		case labels[p.Label]:
			return fmt.Errorf("problem %s: two problems have this label", p.Label)
		case ids[p.Problem]:
			return fmt.Errorf("problem %s: %s is there twice", p.Label, p.Problem)
		case !(p.Points >= 0 && p.Points <= 1e6):
			return fmt.Errorf("problem %s: points: want a number from 0 to a million", p.Label)
		case p.Colour != "" && !colour(p.Colour):
			return fmt.Errorf("problem %s: colour %q: want one such as #e03131", p.Label, p.Colour)
		}
		labels[p.Label], ids[p.Problem] = true, true
	}
	return nil
}

func checkTimes(c *ledger.Course) error {
	groups := []string{""}
	for name := range c.Groups {
		if !line(name) {
			return fmt.Errorf("groups: the name %q: want 1 to %d characters in a line", name, maxText)
		}
		groups = append(groups, name)
	}
	slices.Sort(groups)
	for _, g := range groups {
		t, of := c.Times(g), ""
		if g != "" {
			of = " of group " + g
		}
		for _, at := range []time.Time{t.Open, t.Due, t.Late, c.Freeze, c.Thaw} {
			if y := at.UTC().Year(); y > 9000 { // neither JSON nor the ledger can hold all of these
				return fmt.Errorf("the year %d%s is too far away", y, of)
			}
		}
		switch {
		case !t.Open.IsZero() && !t.Due.IsZero() && !t.Open.Before(t.Due):
			return fmt.Errorf("due%s: %s is not after open, %s", of, stamp(t.Due), stamp(t.Open))
		case !c.Late.IsZero() && c.Due.IsZero(), !c.Groups[g].Late.IsZero() && t.Due.IsZero():
			return fmt.Errorf("late%s: without due nothing is late", of)
		case !c.Late.IsZero() && c.Late.Before(c.Due), !c.Groups[g].Late.IsZero() && c.Groups[g].Late.Before(t.Due):
			return fmt.Errorf("late%s: it is before due, %s", of, stamp(t.Due))
		}
	}
	switch {
	case !c.Thaw.IsZero() && !c.Freeze.Before(c.Thaw), !c.Thaw.IsZero() && c.Freeze.IsZero():
		return errors.New("thaw: it comes after freeze")
	case !c.Freeze.IsZero() && c.Freeze.Before(c.Open):
		return fmt.Errorf("freeze: it is before open, %s", stamp(c.Open))
	case c.Scoring == ledger.ICPC && c.Open.IsZero():
		return errors.New("open: icpc counts minutes from it, so it must be there")
	}
	return nil
}

func stamp(t time.Time) string { return t.Format(time.RFC3339) }

// line reports whether a text is a name that fits into a line.
func line(s string) bool {
	return strings.TrimSpace(s) != "" && utf8.RuneCountInString(s) <= maxText && utf8.ValidString(s) &&
		!strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) })
}

func colour(s string) bool {
	return len(s) == 7 && s[0] == '#' && !strings.ContainsFunc(s[1:], func(r rune) bool { return !strings.ContainsRune("0123456789abcdefABCDEF", r) })
}

// Phase is where a course is in its time, for a group.
type Phase string

// The phases, in order.
const (
	Before Phase = "before" // participants see neither problems nor standings
	During Phase = "during"
	Frozen Phase = "frozen" // as During, but participants see the standings as they were
	Late   Phase = "late"   // submissions are taken, and are late
	After  Phase = "after"  // no submissions are taken
)

// PhaseOf returns the phase of a course for the members of a group.
func PhaseOf(c *ledger.Course, group string, now time.Time) Phase {
	t := c.Times(group)
	switch {
	case now.Before(t.Open):
		return Before
	case !t.Due.IsZero() && !now.Before(t.Late):
		return After
	case !t.Due.IsZero() && !now.Before(t.Due):
		return Late
	case frozen(c, now):
		return Frozen
	}
	return During
}

// frozen reports whether the standings of participants stand still.
func frozen(c *ledger.Course, now time.Time) bool {
	return !c.Freeze.IsZero() && !now.Before(c.Freeze) && (c.Thaw.IsZero() || now.Before(c.Thaw))
}

// Refusal is why a submission is not taken, in words for the person who hands it in.
type Refusal string

func (r Refusal) Error() string { return string(r) }

func refusal(format string, args ...any) error { return Refusal(fmt.Sprintf(format, args...)) }

// Admit returns a [Refusal] unless a member may hand in a source. lately is how many the member has handed in in the
// last minute.
func Admit(c *ledger.CourseState, m *ledger.PersonState, problem, language string, size, lately int, now time.Time) error {
	if c.Problem(problem) == nil {
		return refusal("the course has no problem %s", problem)
	}
	if m.Role == ledger.Teacher {
		return nil
	}
	t := c.Times(m.Group)
	switch phase := PhaseOf(&c.Course, m.Group, now); {
	case m.Role == ledger.Observer:
		return refusal("observers hand in nothing")
	case c.Archived:
		return refusal("the course is over")
	case phase == Before:
		return refusal("the course begins at %s", stamp(t.Open))
	case phase == After:
		return refusal("the course has ended at %s", stamp(t.Late))
	case len(c.Languages) > 0 && language != "" && !slices.Contains(c.Languages, language):
		return refusal("%s is not among the languages of the course: %s", language, strings.Join(c.Languages, ", "))
	case c.MaxSource > 0 && int64(size) > c.MaxSource:
		return refusal("the source has %d bytes, and the course allows %d", size, c.MaxSource)
	case c.Rate > 0 && lately >= c.Rate:
		return refusal("%d submissions in a minute are the most that the course allows (hint: wait a minute)", c.Rate)
	}
	return nil
}

// IsLate reports whether something was handed in late.
func IsLate(c *ledger.Course, group string, at time.Time) bool {
	t := c.Times(group)
	return !t.Due.IsZero() && !at.Before(t.Due)
}

// PointsOf returns the points of an outcome at a problem of a course, and how many there are at most; 0 if that is
// unknown.
func PointsOf(c *ledger.Course, p *ledger.CourseProblem, o *ledger.Summary, late bool) (points, most float64) {
	most = cmp.Or(p.Points, 1)
	switch {
	case o.Points != nil:
		points, most = *o.Points, p.Points
	case o.Verdict == accepted:
		points = most
	case p.Partial && o.Total > 0:
		points = most * float64(o.Passed) / float64(o.Total)
	}
	if late {
		points *= 1 - c.LatePenalty/100
	}
	return math.Round(points*100) / 100, most
}
