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
	"tribunal/judge/internal/problem"
)

// dataFolder is a folder of the data, with the cases directly in it.
type dataFolder struct {
	dir      string // such as data/secret/small
	cases    []*cases.Case
	names    []string          // names of the cases' files, without extensions
	group    *points.Group     // the group with its rules; nil if there are none
	scoring  bool              // they make points
	renaming map[string]string // names of groups to their paths below data, for all folders
}

// dataFolders returns the data folders: one for the samples, in the order of the statement, and one
// for each other group. If groups have rules that the format has too, they are the problem's groups.
func (p *plan) dataFolders() ([]dataFolder, error) {
	if p.Problem.Groups == nil || !p.Problem.Scoring && !p.verdicts {
		samples, groups := p.splitSamples()
		list := []dataFolder{{dir: "data/sample", cases: samples}}
		for _, g := range groups {
			list = append(list, dataFolder{dir: "data/secret/" + g[0].Group, cases: g})
		}
		for n := range list {
			var names []string
			for _, c := range list[n].cases {
				names = append(names, c.Short())
			}
			list[n].names = numbered(names)
		}
		return list, nil
	}
	root := p.Problem.Groups
	for _, g := range root.Groups {
		if g.Name != "sample" && g.Name != "secret" {
			return nil, p.Problem.Errorf("scoring", "rename it to secret/"+g.Name, "the group %s is outside of sample and secret, but this format has cases only there", g.Name)
		}
	}
	if len(root.Cases) > 0 {
		return nil, p.Problem.Errorf("scoring", "put them into secret", "this format has no cases in the outermost group")
	}
	renaming := map[string]string{}
	return p.groupFolders("data", root, renaming), nil
}

// groupFolders returns the folders of a group and of its subgroups. If the names of cases and
// subgroups would not sort in case order, it puts numbers before them.
func (p *plan) groupFolders(dir string, g *points.Group, renaming map[string]string) []dataFolder {
	own := dataFolder{dir: dir, group: g, scoring: p.Problem.Scoring, renaming: renaming}
	renaming[g.Name] = strings.TrimPrefix(strings.TrimPrefix(dir, "data"), "/")
	type item struct {
		first int
		name  string
		group *points.Group
	}
	var items []item
	for _, i := range g.Cases {
		items = append(items, item{i, p.Cases[i].Short(), nil})
	}
	for _, inner := range g.Groups {
		items = append(items, item{firstOf(inner), path.Base(inner.Name), inner})
	}
	slices.SortStableFunc(items, func(a, b item) int { return cmp.Compare(a.first, b.first) })
	var names []string
	for _, it := range items {
		names = append(names, it.name)
	}
	if dir != "data" {
		names = numbered(names)
	}
	var below []dataFolder
	for i, it := range items {
		if it.group != nil {
			below = append(below, p.groupFolders(path.Join(dir, names[i]), it.group, renaming)...)
			continue
		}
		own.cases, own.names = append(own.cases, &p.Cases[it.first]), append(own.names, names[i])
	}
	return append([]dataFolder{own}, below...)
}

// firstOf returns the index of the first case of a group.
func firstOf(g *points.Group) int {
	first := math.MaxInt
	for _, i := range g.Cases {
		first = min(first, i)
	}
	for _, inner := range g.Groups {
		first = min(first, firstOf(inner))
	}
	return first
}

// LostRules returns a note if an export in the format leaves out the rules of groups of a problem
// without points, and "" otherwise. Without these rules the verdict is that of the first failing case.
// Rules that may accept a submission which fails on a case are never left out: without them, the export
// is refused.
func (f Format) LostRules(p *problem.Problem) string {
	if l := f.layout(); l.verdicts || l.bare || p.Groups == nil || p.Scoring || !p.Groups.NeedsAll() {
		return ""
	}
	return "left out: on_reject and grader_flags of groups; a submission that fails in several ways gets the verdict of the first failing case"
}

// checkScoring returns an error if the format does not have the rules of the problem's groups.
func (p *plan) checkScoring() error {
	root := p.Problem.Groups
	if root == nil || p.bare {
		return nil
	}
	if !p.Problem.Scoring {
		if lost := p.Format.LostRules(p.Problem); lost != "" {
			p.note("%s", lost)
		} else if !p.verdicts {
			return p.Problem.Errorf("scoring", p.exportHint(Legacy), "this format has no grader_flags, by which a submission may be accepted that fails on a case")
		}
		return nil
	}
	if !p.has(root.Rule) {
		hint := ""
		if i := slices.IndexFunc(layouts(), func(l layout) bool { return l.has(root.Rule) }); i >= 0 {
			hint = p.exportHint(layouts()[i].Name)
		}
		return p.Problem.Errorf("scoring", hint, "this format does not have these scoring rules")
	}
	if _, is := root.Rule.(points.ICPC2023); is {
		for _, g := range root.Groups {
			for _, inner := range g.Groups {
				if len(inner.Groups) > 0 {
					return p.Problem.Errorf("scoring", "", "this format has no groups within %s", inner.Name)
				}
			}
		}
	}
	return nil
}

// scoreSettings returns the rules of the folder's group as settings; "" if there are none.
func (f dataFolder) scoreSettings() string {
	if f.group == nil {
		return ""
	}
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	switch r := f.group.Rule.(type) {
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
			names = append(names, cmp.Or(f.renaming[name], name))
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
		line("on_reject: %s\ngrading: %s\ngrader_flags: %s", onReject, grading, flagsLine(r.Words()))
		if !f.scoring {
			break
		}
		line("accept_score: %s\nreject_score: %s\nrange: %s %s", score(accept), score(reject), score(bounds[0]), score(bounds[1]))
	}
	return b.String()
}

// flagsLine formats grader flags as the text that the format wants, or as a list if a flag holds blanks.
func flagsLine(flags []string) string {
	text := strings.Join(flags, " ")
	switch {
	case !slices.Equal(strings.Fields(text), flags):
		return inBrackets(flags)
	case plainLine().MatchString(text):
		return text
	}
	return quoted(text)
}

// score formats a score, which may be infinite.
func score(f float64) string {
	return strings.ToLower(strings.TrimPrefix(strconv.FormatFloat(f, 'g', -1, 64), "+"))
}

// grading returns the lines of problem.yaml about scoring in the legacy version, and plans the
// grader if there is one.
func (p *plan) grading() (string, error) {
	root := p.Problem.Groups
	if !p.Problem.Scoring {
		return "", nil
	}
	text := "type: scoring\n"
	if r, legacy := root.Rule.(points.Legacy); legacy && r.Minimize {
		text += "grading:\n  objective: min\n"
	}
	if g := p.Problem.Grader; g != nil {
		own, err := p.ownProgram(g.Program)
		if err != nil {
			return "", err
		}
		p.addValidator(path.Join("graders", path.Base(g.Program)), own)
	}
	return text, nil
}

// splitSamples splits the cases into the samples, in the order of the statement, and the others, by
// group in case order.
func (p *plan) splitSamples() (samples []*cases.Case, groups [][]*cases.Case) {
	for _, name := range p.Problem.Samples {
		if i := slices.IndexFunc(p.Cases, func(c cases.Case) bool { return c.Name == name }); i >= 0 {
			samples = append(samples, &p.Cases[i])
		}
	}
	for i := range p.Cases {
		c := &p.Cases[i]
		if slices.Contains(samples, c) {
			continue
		}
		if n := len(groups); n == 0 || groups[n-1][0].Group != c.Group {
			groups = append(groups, nil)
		}
		n := len(groups) - 1
		groups[n] = append(groups[n], c)
	}
	return samples, groups
}

// number formats the index i, below count, as a number from 1. It adds leading zeros so that all
// count names sort like numbers.
func number(i, count int) string {
	width := max(2, len(fmt.Sprint(count)))
	return fmt.Sprintf("%0*d", width, i+1)
}

// numbered returns the names of cases and folders as they are if that is their order in a package, and
// else with numbers before them. So names that have numbers from an earlier export get no more.
func numbered(names []string) []string {
	sorted := true
	for i := 1; i < len(names); i++ { // tools sort the names with and without .in
		sorted = sorted && names[i-1] < names[i] && names[i-1]+".in" < names[i]+".in"
	}
	if sorted {
		return names
	}
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = number(i, len(names)) + "-" + name
	}
	return list
}
