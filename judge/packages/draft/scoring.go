package draft

import (
	"math"
	"strings"

	"tribunal/judge/internal/points"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/internal/yamlstrict"
)

// scoring returns the tree of groups whose rules make verdicts and points; nil if the problem gives
// no points and the verdict is that of the first failing case.
func (p *Draft) scoring() (*points.Group, error) {
	if !p.Scoring && !p.Verdicts {
		return nil, nil
	}
	index := map[*Case]int{}
	for i, c := range p.Cases {
		index[c] = i
	}
	g, err := p.scoreGroup(p.Data, 0, index)
	if err != nil {
		return nil, err
	}
	if err := g.Check(); err != nil {
		return nil, &yamlstrict.Error{File: p.Show(p.format.Main), Msg: err.Error()}
	}
	if !p.Scoring && g.FirstFailure() {
		return nil, nil
	}
	return g, nil
}

// scoreGroup converts a group, which is depth folders below data. index holds the number of each
// case that is judged.
func (p *Draft) scoreGroup(from *Group, depth int, index map[*Case]int) (*points.Group, error) {
	rule, err := p.Points(p, from, depth, index)
	if err != nil {
		return nil, err
	}
	g := &points.Group{Name: from.Name, Rule: rule}
	for _, c := range from.Cases {
		if i, judged := index[c]; judged {
			g.Cases = append(g.Cases, i)
		}
	}
	for _, inner := range from.Groups {
		if p.Deepest > 0 && depth >= p.Deepest {
			g.Cases = append(g.Cases, allCases(inner, index)...)
			continue
		}
		h, err := p.scoreGroup(inner, depth+1, index)
		if err != nil {
			return nil, err
		}
		g.Groups = append(g.Groups, h)
	}
	return g, nil
}

// allCases returns the numbers of all cases of a group, its subgroups included.
func allCases(g *Group, index map[*Case]int) []int {
	var list []int
	for _, c := range g.Cases {
		if i, judged := index[c]; judged {
			list = append(list, i)
		}
	}
	for _, inner := range g.Groups {
		list = append(list, allCases(inner, index)...)
	}
	return list
}

// ByCases is a [Format].Points of formats in which cases have points.
func ByCases(_ *Draft, g *Group, _ int, index map[*Case]int) (points.Rule, error) {
	s := g.Settings
	r := points.Polygon{Points: map[int]float64{}, Complete: s.Aggregation == "pass-fail", Whole: s.Whole, Requires: s.RequirePass}
	for _, c := range g.Cases {
		r.Points[index[c]] = c.Points
	}
	return r, nil
}

// ByGroups is a [Format].Points of formats in which groups have points, as in Kattis' format 2025-09.
func ByGroups(_ *Draft, g *Group, depth int, _ map[*Case]int) (points.Rule, error) {
	s := g.Settings
	if depth == 0 {
		return points.ICPC2023{}, nil
	}
	r := points.ICPC2023{Max: s.MaxScore, Requires: s.RequirePass, RoundUp: s.RoundUp, Places: s.Places}
	if s.Unbounded {
		most := math.Inf(1)
		r.Max = &most
	}
	switch s.Aggregation {
	case "pass-fail":
		r.Aggregation = points.PassFail
	case "sum":
		r.Aggregation = points.Sum
	case "min":
		r.Aggregation = points.Min
	}
	return r, nil
}

// Sets of verdicts that submissions promise.
var (
	Accepted = verdict.AC.Class()
	Wrong    = verdict.WA.Class()
	Slow     = verdict.TLE.Class()
	Crashed  = verdict.RTE.Class()
	Failed   = verdict.CE.Class()
	Rejected = Wrong | Slow | Crashed
	AnyCase  = verdict.OfCase()

	// Finer are the verdicts of a case that tribunal has and the formats do not.
	Finer = AnyCase &^ verdict.SetOf(verdict.BigFive()...)
)

// maxRules bounds the rules of all submissions.
const maxRules = 1 << 20

// CountRules counts rules of submissions, which the line of a file gives, and fails if there are too many.
func (p *Draft) CountRules(rel string, line, count int) error {
	if p.rules += count; p.rules > maxRules {
		return p.Tree.Errorf(rel, line, "", "more than %d rules for all submissions together", maxRules)
	}
	return nil
}

// AllowPartialScores also lets a solution that should get WA be accepted on every test, if it gets
// less than the full score: in problems with points this counts as rejected.
func (p *Draft) AllowPartialScores() {
	for i := range p.Submissions {
		e := &p.Submissions[i].Expect
		if p.Scoring && e.Final&Accepted == 0 && e.Final.Has(verdict.WA) {
			e.Final, e.Partial = e.Final|Accepted, true
		}
	}
}

// results maps the names for several verdicts at once, in upper case with dashes, to those
// verdicts.
var results = map[string]verdict.Set{"REJECTED": Rejected | Failed, "CHECK-MANUALLY": AnyCase | Failed}

// ParseResult returns the verdicts that a name means, such as wrong-answer; false if it is unknown.
// Upper and lower case are the same, and so are dashes, underscores and blanks.
func ParseResult(name string) (verdict.Set, bool) {
	if v, ok := verdict.Named(name); ok {
		return v.Class(), true
	}
	s, ok := results[strings.NewReplacer("_", "-", " ", "-").Replace(strings.ToUpper(strings.TrimSpace(name)))]
	return s, ok
}

// Closers end the comment that contains an annotation.
var Closers = []string{"*/", "-->", "*)", "-}", "#}", "|#", "=#", "]]", `"""`, "'''"}
