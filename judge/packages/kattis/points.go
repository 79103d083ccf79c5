package kattis

import (
	"fmt"
	"path"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/points"
	"tribunal/judge/packages/draft"
)

// rule returns how the score of a group is computed.
func (p *reader) rule(_ *draft.Draft, g *draft.Group, depth int, index map[*draft.Case]int) (points.Rule, error) {
	s := g.Settings
	if p.groupScores() {
		return p.groupRule(g, depth), nil
	}
	if p.legacyPoints() {
		r := points.Legacy{Continue: s.OnReject == "continue"}
		if p.Scoring {
			r.AcceptScore, r.RejectScore, r.Range, r.Minimize = s.AcceptScore, s.RejectScore, s.Range, p.minimize
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
		case len(p.graders) != 1:
			return nil, p.badPoints(g, "grading", "put a grader into graders/", "grading: custom needs one grader, but there are %d", len(p.graders))
		default:
			r.Custom, r.CustomFlags = true, s.GraderFlags
		}
		return r, nil
	}
	return draft.ByGroups(p.Draft, g, depth, index)
}

// badPoints returns an error about a key in the settings of a group, or in its folder if it inherits
// the key.
func (p *reader) badPoints(g *draft.Group, key, hint, format string, args ...any) error {
	dir := path.Join("data", g.Name)
	for _, k := range p.pointKeys {
		if k.name == key && path.Dir(k.file) == dir {
			return p.Tree.Errorf(k.file, k.line, hint, format, args...)
		}
	}
	return p.Tree.Errorf(dir, 0, hint, format, args...)
}

// groupRule returns DOMjudge's rule of a group.
func (p *reader) groupRule(g *draft.Group, depth int) points.DOMjudge {
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

// groupDepth is the depth below data of the deepest groups in the format 2025-09. The cases of
// deeper folders belong to the group around them.
const groupDepth = 2

// byFlags returns how outputs for a case are compared, by the arguments of the default output validator.
func byFlags(p *draft.Draft, c *draft.Case) (diff.Options, error) {
	o, err := diff.ParseFlags(c.OutputArgs)
	if err != nil {
		return o, build.Located(p.Show(c.Input), fmt.Errorf("output validator: %w", err))
	}
	return o, nil
}
