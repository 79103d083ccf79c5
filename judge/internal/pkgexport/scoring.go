package pkgexport

import (
	"cmp"
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/points"
)

// place is a folder of the data, with the cases directly in it.
type place struct {
	dir      string // such as data/secret/small
	cases    []*cases.Case
	names    []string          // of their files, without extensions
	group    *points.Group     // scores the folder; nil if nothing does
	renaming map[string]string // names of groups to their paths below data, for all places
}

// places returns the data folders: one for the samples, in the order of the statement, and one for
// each other group. For a scoring problem they are the groups that are scored.
func (p *plan) places() ([]place, error) {
	if p.Problem.Scoring == nil {
		samples, groups := p.arrange()
		list := []place{{dir: "data/sample", cases: samples}}
		for _, g := range groups {
			list = append(list, place{dir: "data/secret/" + g[0].Group, cases: g})
		}
		for n := range list {
			for i, c := range list[n].cases {
				list[n].names = append(list[n].names, number(i, len(list[n].cases))+"-"+c.Short())
			}
		}
		return list, nil
	}
	root := p.Problem.Scoring
	for _, g := range root.Groups {
		if g.Name != "sample" && g.Name != "secret" {
			return nil, p.Problem.Errorf("scoring", "call it secret/"+g.Name, "the group %s is in none of sample and secret, which alone hold cases in this format", g.Name)
		}
	}
	if len(root.Cases) > 0 {
		return nil, p.Problem.Errorf("scoring", "put them into secret", "cases in the group of all, where this format has none")
	}
	renaming := map[string]string{}
	return p.groupPlaces("data", root, renaming), nil
}

// groupPlaces returns the places of a group and of its subgroups. If the names of cases and
// subgroups would not sort in case order, it puts numbers before them.
func (p *plan) groupPlaces(dir string, g *points.Group, renaming map[string]string) []place {
	own := place{dir: dir, group: g, renaming: renaming}
	renaming[g.Name] = strings.TrimPrefix(strings.TrimPrefix(dir, "data"), "/")
	type item struct {
		first int
		name  string
		group *points.Group
	}
	var items []item
	for n, i := range g.Cases {
		items = append(items, item{i, number(n, len(g.Cases)) + "-" + p.Cases[i].Short(), nil})
	}
	for _, in := range g.Groups {
		items = append(items, item{firstOf(in), path.Base(in.Name), in})
	}
	slices.SortStableFunc(items, func(a, b item) int { return cmp.Compare(a.first, b.first) })
	if dir != "data" && !slices.IsSortedFunc(items, func(a, b item) int { return strings.Compare(a.name, b.name) }) {
		for n := range items {
			items[n].name = number(n, len(items)) + "-" + items[n].name
		}
	}
	var below []place
	for _, it := range items {
		if it.group != nil {
			below = append(below, p.groupPlaces(path.Join(dir, it.name), it.group, renaming)...)
			continue
		}
		own.cases, own.names = append(own.cases, &p.Cases[it.first]), append(own.names, it.name)
	}
	return append([]place{own}, below...)
}

// firstOf returns the index of the first case of a group.
func firstOf(g *points.Group) int {
	first := math.MaxInt
	for _, i := range g.Cases {
		first = min(first, i)
	}
	for _, in := range g.Groups {
		first = min(first, firstOf(in))
	}
	return first
}

// scores returns an error if the format does not have the problem's scoring rules.
func (p *plan) scores() error {
	root := p.Problem.Scoring
	if root == nil {
		return nil
	}
	bad := func(f Format) error {
		return p.Problem.Errorf("scoring", p.instead(f), "points by rules that this format does not know")
	}
	switch root.Rule.(type) {
	case points.ICPC2023:
		if p.Format != Kattis {
			return bad(Kattis)
		}
		for _, g := range root.Groups {
			for _, in := range g.Groups {
				if len(in.Groups) > 0 {
					return p.Problem.Errorf("scoring", "", "groups in %s, where this format has none", in.Name)
				}
			}
		}
	case points.Legacy:
		if p.Format != Legacy {
			return bad(Legacy)
		}
	case points.Polygon:
		if p.Format != Polygon {
			return bad(Polygon)
		}
	}
	return nil
}

// scoreSettings returns the settings that say how the group of a place is scored.
func (l place) scoreSettings() string {
	if l.group == nil {
		return ""
	}
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	switch r := l.group.Rule.(type) {
	case points.ICPC2023:
		if r.Max != nil && math.IsInf(*r.Max, 1) {
			line("max_score: unbounded")
		} else if r.Max != nil {
			line("max_score: %s", score(*r.Max))
		}
		if r.Aggregation != points.Default {
			line("score_aggregation: %s", r.Aggregation)
		}
		var names []string
		for _, name := range r.Requires {
			names = append(names, cmp.Or(l.renaming[name], name))
		}
		if names != nil {
			line("require_pass: [%s]", strings.Join(names, ", "))
		}
	case points.Legacy:
		onReject, grading := "break", "default"
		if r.Continue {
			onReject = "continue"
		}
		if r.Custom {
			grading = "custom"
		}
		accept, reject, bounds := 1.0, 0.0, [2]float64{math.Inf(-1), math.Inf(1)}
		if r.AcceptScore != nil {
			accept = *r.AcceptScore
		}
		if r.RejectScore != nil {
			reject = *r.RejectScore
		}
		if r.Range != nil {
			bounds = *r.Range
		}
		line("on_reject: %s\ngrading: %s\ngrader_flags: %s", onReject, grading, inBrackets(r.Words()))
		line("accept_score: %s\nreject_score: %s\nrange: %s %s", score(accept), score(reject), score(bounds[0]), score(bounds[1]))
	}
	return b.String()
}

// score formats a score, which may be infinite.
func score(f float64) string {
	return strings.ToLower(strings.TrimPrefix(strconv.FormatFloat(f, 'g', -1, 64), "+"))
}

// grading returns the lines of problem.yaml about scoring in the legacy version, and plans the
// grader if there is one.
func (p *plan) grading() (string, error) {
	root := p.Problem.Scoring
	if root == nil {
		return "", nil
	}
	text := "type: scoring\n"
	if r, legacy := root.Rule.(points.Legacy); legacy && r.Minimize {
		text += "grading:\n  objective: min\n"
	}
	if of := p.Problem.Grader; of != nil {
		own, err := p.own(of.Program)
		if err != nil {
			return "", err
		}
		p.validator(path.Join("graders", path.Base(of.Program)), own)
	}
	return text, nil
}
