package hydro

import (
	"cmp"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"tribunal/judge/internal/problem"
	"tribunal/judge/packages/draft"
)

// maxExceptions bounds the subtasks and cases with limits of their own.
const maxExceptions = 1000

// group makes a group of each subtask, with its points.
func (r *reader) group() error {
	slices.SortStableFunc(r.subtasks, func(a, b *subtask) int { return cmp.Compare(a.id, b.id) })
	var scores []*float64
	for _, s := range r.subtasks {
		scores = append(scores, &s.score)
	}
	share(100, scores)
	r.Scoring = true
	names := map[string]string{}
	for i, s := range r.subtasks {
		name := fmt.Sprintf("subtask%d", s.id)
		if len(s.cases) == 0 {
			return r.Tree.Errorf(config, s.place.Line(), "list them under cases", "subtask %d has no cases", s.id)
		}
		if i > 0 && r.subtasks[i-1].id == s.id {
			return r.Tree.Errorf(config, s.place.Line(), "give it another id", "a second subtask %d", s.id)
		}
		g := &draft.Group{Name: name}
		for _, id := range s.requires {
			if names[id] == "" {
				return r.Tree.Errorf(config, s.place.Line(), "it names a subtask before this one", "subtask %d requires the unknown subtask %s", s.id, id)
			}
			g.Settings.RequirePass = append(g.Settings.RequirePass, names[id])
		}
		names[fmt.Sprint(s.id)] = name
		r.except(s.limits, name)
		var worth []*float64
		for i := range s.cases {
			worth = append(worth, &s.cases[i].score)
		}
		if s.kind == "sum" {
			share(s.score, worth)
		} else {
			g.Settings.Aggregation, g.Settings.Whole = "pass-fail", s.score
		}
		for _, t := range s.cases {
			if t.output == "" && r.Validation.Interactor == "" {
				return r.Tree.Errorf(config, s.place.Line(), "write output: 1.out", "the case of %s has no output", t.input)
			}
			base := path.Base(t.input)
			c := &draft.Case{Name: name + "/" + strings.TrimSuffix(base, path.Ext(base)), Group: name, Input: t.input, Answer: t.output}
			if s.kind == "sum" {
				c.Points = t.score
			}
			r.except(t.limits, c.Name)
			g.Cases, r.Cases = append(g.Cases, c), append(r.Cases, c)
		}
		r.Data.Groups = append(r.Data.Groups, g)
	}
	if len(r.Exceptions) > maxExceptions {
		return r.Tree.Errorf(config, 0, "give limits of subtasks instead of cases", "more than %d subtasks and cases with limits of their own", maxExceptions)
	}
	return nil
}

// except adds the limits of a subtask or case.
func (r *reader) except(e problem.Exception, name string) {
	e.Cases = name
	r.AddException(e)
}

// share divides what is left of the total among the scores that are not given, in whole points, the last ones
// getting what remains.
func share(total float64, scores []*float64) {
	var open []*float64
	for _, s := range scores {
		if total -= *s; *s == 0 {
			open = append(open, s)
		}
	}
	if total = max(total, 0); len(open) == 0 {
		return
	}
	base := math.Floor(total / float64(len(open)))
	extra := int(total - base*float64(len(open)))
	for i, s := range open {
		if *s = base; i >= len(open)-extra {
			*s++
		}
	}
}
