package pkgimport

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/points"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/verdict"
)

// scoring returns the key scoring of the problem's file, in YAML; "" if its groups have no rules.
// Cases must already have their names.
func (p *plan) scoring() string {
	root := p.Problem.Groups
	if root == nil {
		return ""
	}
	var b strings.Builder
	b.WriteString("scoring:\n")
	switch r := root.Rule.(type) {
	case points.Legacy:
		b.WriteString("  rules: legacy\n")
		if r.Minimize {
			b.WriteString("  objective: min\n")
		}
		if r.Scored {
			b.WriteString("  custom_scoring: true\n")
		}
	case points.Polygon:
		b.WriteString("  rules: polygon\n")
	default:
		b.WriteString("  rules: 2025-09\n")
	}
	if p.Problem.Grader != nil {
		fmt.Fprintf(&b, "  grader: %s\n", word(p.grader))
	}
	b.WriteString("  groups:\n")
	p.groups(&b, root)
	return b.String()
}

// groups writes a group and the groups within it.
func (p *plan) groups(b *strings.Builder, g *points.Group) {
	var keys []string
	key := func(name, format string, args ...any) { keys = append(keys, name+": "+fmt.Sprintf(format, args...)) }
	if g.Name != "" {
		key("name", "%s", word(g.Name))
	}
	var names []string // groups of the repository with the cases of g, in order
	for _, i := range g.Cases {
		if name := p.cases[i].Group; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	key("cases", "%s", list(names))
	requires := func(names []string) {
		if len(names) > 0 {
			key("require_pass", "%s", list(names))
		}
	}
	number := func(name string, f *float64) {
		if f != nil {
			key(name, "%s", amount(*f))
		}
	}
	switch r := g.Rule.(type) {
	case points.ICPC2023:
		number("max_score", r.Max)
		if r.Aggregation != points.Default {
			key("score_aggregation", "%s", r.Aggregation)
		}
		requires(r.Requires)
	case points.Polygon:
		if r.Complete {
			key("score_aggregation", "pass-fail")
		}
		requires(r.Requires)
	case points.Legacy:
		if r.Continue {
			key("on_reject", "continue")
		}
		if r.Custom {
			key("grading", "custom")
		}
		if flags := r.Words(); len(flags) > 0 {
			key("grader_flags", "%s", list(flags))
		}
		number("accept_score", r.AcceptScore)
		number("reject_score", r.RejectScore)
		if r.Range != nil {
			key("range", "[%s, %s]", amount(r.Range[0]), amount(r.Range[1]))
		}
	}
	fmt.Fprintf(b, "    - {%s}\n", strings.Join(keys, ", "))
	for _, inner := range g.Groups {
		p.groups(b, inner)
	}
}

// amount formats a number of points.
func amount(f float64) string {
	return strings.TrimPrefix(strings.ToLower(strconv.FormatFloat(f, 'g', -1, 64)), "+")
}

// graders writes the grader.
func (p *plan) graders() error {
	grader := p.Problem.Grader
	if grader == nil {
		return nil
	}
	source, err := p.Package.Program(grader.Program, p.Judging.Languages)
	if err != nil {
		return err
	}
	p.grader = programName(grader.Program, map[string]bool{})
	return p.program(filepath.Join(repo.Graders(p.ID), p.grader), source)
}

// folderOf returns the folder of submissions/ for the result of a submission; "" if there is none.
func folderOf(e problem.Expect, done *grade.Done) string {
	if t := done.Points; t != nil && (e.Partial || done.Verdict == verdict.AC) && t.Points != float64(t.Best) {
		if t.Points == 0 && done.Verdict == verdict.AC {
			return ""
		}
		if t.Points != 0 {
			return repo.Partially
		}
	}
	return done.Verdict.Folder()
}
