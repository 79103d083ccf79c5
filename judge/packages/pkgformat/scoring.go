package pkgformat

import (
	"math"
	"path"

	"tribunal/judge/internal/points"
	"tribunal/judge/internal/yamlstrict"
)

// scoring returns the tree of groups whose rules make verdicts and points; nil if the problem gives
// no points and the verdict is that of the first failing case.
func (p *Package) scoring() (*points.Group, error) {
	if !p.Scoring && !p.groupVerdicts() {
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
		return nil, &yamlstrict.Error{File: p.Show(traits[p.Format].main), Msg: err.Error()}
	}
	if !p.Scoring && g.FirstFailure() {
		return nil, nil
	}
	return g, nil
}

// scoreGroup converts a group, which is depth folders below data. index holds the number of each
// case that is judged.
func (p *Package) scoreGroup(from *Group, depth int, index map[*Case]int) (*points.Group, error) {
	rule, err := p.rule(from, depth, index)
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
		if p.Format == Latest && depth >= groupDepth {
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

// groupDepth is the depth below data of the deepest groups in the format 2025-09. The cases of
// deeper folders belong to the group around them.
const groupDepth = 2

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

// rule returns how the score of a group is computed.
func (p *Package) rule(g *Group, depth int, index map[*Case]int) (points.Rule, error) {
	s := g.Settings
	rule := traits[p.Format].rule
	if rule == polygonRule {
		r := points.Polygon{Points: map[int]float64{}, Complete: s.Aggregation == "pass-fail", Whole: s.Whole, Requires: s.RequirePass}
		for i, c := range g.Cases {
			r.Points[index[c]] = c.Points
			if p.Format == DMOJ && r.Complete && i == 0 {
				r.Shared = c.Points
			}
		}
		r.Refused = p.Format == DMOJ
		return r, nil
	}
	if p.groupScores() {
		return p.groupRule(g, depth), nil
	}
	if rule == legacyRule || p.legacyPoints() {
		r := points.Legacy{Continue: s.OnReject == "continue"}
		if p.Scoring {
			r.AcceptScore, r.RejectScore, r.Range, r.Minimize = s.AcceptScore, s.RejectScore, s.Range, p.Minimize
			r.Scored = p.Validation.Score || p.Format == Draft && len(p.Validation.Programs) > 0 // the draft has no word for validators that give scores
		}
		switch {
		case s.Grading != "custom":
			if err := r.Flags(s.GraderFlags); err != nil {
				return nil, p.badPoints(g, "grader_flags", "", "%v", err)
			}
			r.IgnoreSample = r.IgnoreSample && depth == 0
		case !p.Scoring:
			return nil, p.badPoints(g, "grading", "add type: scoring to problem.yaml, or leave it out", "grading: custom, but only scoring problems can have a grader")
		case len(p.Graders) != 1:
			return nil, p.badPoints(g, "grading", "put a grader into graders/", "grading: custom needs one grader, but there are %d", len(p.Graders))
		default:
			r.Custom, r.CustomFlags = true, s.GraderFlags
		}
		return r, nil
	}
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

// badPoints returns an error about a key in the settings of a group, or in its folder if it inherits
// the key.
func (p *Package) badPoints(g *Group, key, hint, format string, args ...any) error {
	dir := path.Join("data", g.Name)
	for _, k := range p.pointKeys {
		if k.name == key && path.Dir(k.file) == dir {
			return p.files.errorf(k.file, k.line, hint, format, args...)
		}
	}
	return p.files.errorf(dir, 0, hint, format, args...)
}

// groupRule returns DOMjudge's rule of a group.
func (p *Package) groupRule(g *Group, depth int) points.DOMjudge {
	s := g.Settings
	r := points.DOMjudge{
		Counts: depth == 0 || g.Own, Continue: s.OnReject == "continue",
		AcceptScore: s.AcceptScore, Range: s.Range, Scored: len(p.Validation.Programs) > 0,
	}
	for _, flag := range s.GraderFlags {
		switch scores, known := groupFlags[flag]; {
		case known:
			r.Scores = scores
		case flag == ignoreSample:
			r.IgnoreSample = true
		}
	}
	return r
}

// groupFlags and ignoreSample are the grader flags that DOMjudge knows.
var groupFlags = map[string]points.Scores{"sum": points.ScoreSum, "avg": points.ScoreAvg, "min": points.ScoreMin, "max": points.ScoreMax}

const ignoreSample = "ignore_sample"
