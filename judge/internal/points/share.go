package points

import (
	"cmp"
	"fmt"
	"math"
	"path"
	"strconv"
	"strings"
)

// Share says how a problem gives points whose cases have none of their own. The zero Share gives one point to a
// submission that is accepted.
type Share struct {
	By   Portion
	Best float64 // the points of a submission that passes all cases; 0 stands for 1
}

// A Portion says which part of its points a problem gives to a submission that does not pass all cases.
type Portion string

// The portions.
const (
	NoPortion Portion = ""
	OfCases   Portion = "cases"  // that of the cases that it passes
	OfGroups  Portion = "groups" // that of the groups of which it passes all cases
)

// ParseShare reads cases, groups, a number of points, or both as in cases:10. Its error has a hint.
func ParseShare(text string) (s Share, err error) {
	word, number, both := strings.Cut(text, ":")
	switch Portion(word) {
	case OfCases, OfGroups:
		if s.By = Portion(word); !both {
			return s, nil
		}
	default:
		number = text
	}
	if s.Best, err = Amount(number); err != nil {
		return s, fmt.Errorf("%.40q says no points (hint: write cases, groups or a number, or both as in cases:10)", text)
	}
	return s, nil
}

// UnmarshalText reads what [ParseShare] does.
func (s *Share) UnmarshalText(text []byte) (err error) {
	*s, err = ParseShare(string(text))
	return err
}

// Amount reads a number of points that can be reached, from 0.01 to a million.
func Amount(text string) (float64, error) {
	n, err := strconv.ParseFloat(text, 64)
	if err == nil && !(n >= 0.01 && n <= 1e6) {
		err = strconv.ErrRange
	}
	return n, err
}

// Over returns the root of the groups that give these points for cases with the given names, in case order. A group
// has the cases of a folder.
func (s Share) Over(names []string) *Group {
	best := cmp.Or(s.Best, 1)
	root := &Group{}
	groups := map[string]*Group{}
	for i, name := range names {
		dir := path.Dir(name)
		if s.By == NoPortion {
			groups[dir] = root
		} else if groups[dir] == nil {
			groups[dir] = &Group{Name: dir}
			root.Groups = append(root.Groups, groups[dir])
		}
		groups[dir].Cases = append(groups[dir].Cases, i)
	}
	for _, g := range root.Groups {
		if g.Rule = EachCase(g.Cases, best*float64(len(g.Cases))/float64(len(names))); s.By == OfGroups {
			g.Rule = AllCases(g.Cases, best/float64(len(root.Groups)))
		}
	}
	r := EachCase(nil, 0)
	if s.By == NoPortion {
		r = AllCases(root.Cases, best)
	}
	r.Hundredths = true
	root.Rule = r
	return root
}

// EachCase is the rule of a group that gives an equal part of its points for each of its cases.
func EachCase(cases []int, best float64) Polygon {
	r := Polygon{Points: map[int]float64{}}
	for _, i := range cases {
		r.Points[i] = best / float64(len(cases))
	}
	return r
}

// AllCases is the rule of a group that gives its points for all of its cases together.
func AllCases(cases []int, best float64) Polygon {
	r := EachCase(cases, 0)
	r.Complete, r.Whole = true, best
	return r
}

// hundredths rounds all points of a score.
func (s *Score) hundredths() {
	round := func(n *float64) { *n = math.Round(*n*100) / 100 }
	round(&s.Points)
	round((*float64)(&s.Best))
	for i := range s.Groups {
		round(&s.Groups[i].Points)
		round((*float64)(&s.Groups[i].Best))
	}
}
