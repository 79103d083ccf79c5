package pkgformat

import (
	"fmt"
	"math"
	"path"
	"slices"

	"tribunal/judge/internal/points"
	"tribunal/judge/internal/yamlstrict"
)

// scoring returns the tree of groups that scores are computed from; nil if the problem is
// pass-fail.
func (p *Package) scoring() (*points.Group, error) {
	if !p.Scoring {
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
		file := "data"
		switch p.Format {
		case Polygon:
			file = polygonFile
		case DMOJ:
			file = initFile
		case Rime:
			file = "."
		case CMS:
			file = cmsFile
		case Sinol:
			file = sinolFile
		case Pisek:
			file = pisekFile
		case TPS:
			file = tpsSubtasks
		case Rbx:
			file = rbxFile
		}
		return nil, &yamlstrict.Error{File: p.Show(file), Msg: err.Error()}
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
	if slices.Contains([]string{Polygon, DMOJ, Rime, TPS, Rbx}, p.Format) {
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
	located := func(text string) error {
		return &yamlstrict.Error{File: p.Show(path.Join("data", g.Name)), Msg: text}
	}
	if p.groupScores() {
		return p.groupRule(g, depth), nil
	}
	if !slices.Contains([]string{Draft, Latest, CMS, Sinol, Pisek}, p.Format) || p.legacyPoints() {
		r := points.Legacy{
			Continue: s.OnReject == "continue", AcceptScore: s.AcceptScore, RejectScore: s.RejectScore, Range: s.Range,
			Scored: p.Validation.Score || p.Format == Draft && len(p.Validation.Programs) > 0, Minimize: p.Minimize, // the draft has no word for validators that give scores
		}
		if s.Grading == "custom" {
			if len(p.Graders) != 1 {
				return nil, &yamlstrict.Error{
					File: p.Show(path.Join("data", g.Name)), Hint: "put a grader into graders/",
					Msg: fmt.Sprintf("grading: custom needs one grader, but there are %d", len(p.Graders)),
				}
			}
			r.Custom, r.CustomFlags = true, s.GraderFlags
			return r, nil
		}
		if err := r.Flags(s.GraderFlags); err != nil {
			return nil, located(err.Error())
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
