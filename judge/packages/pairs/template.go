package pairs

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/quote"
	"tribunal/judge/internal/yamltext"
	"tribunal/judge/packages/draft"
)

// mostListed bounds the samples and groups that a template names.
const mostListed = 20

// Template returns a [File] for a plain folder without one: it says what holds anyway, and in comments what else it may
// say.
func Template(p *draft.Draft) []byte {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("# How the tests in this folder are judged: %s", Found(p))
	if utf8.ValidString(p.Title) {
		line("title: %s", yamltext.Word(p.Title))
	}
	line("\n# What a program may use on a case; wall is the time from start to end.\nlimits:")
	if cpu := cmp.Or(p.Time.Limit, p.Time.Fallback); cpu%time.Millisecond == 0 && (p.Time.Limit > 0 || len(p.Submissions) == 0) {
		line("  cpu: %s", cpu)
	} else {
		line("  # cpu: 2s # by default derived from the submissions in this folder")
	}
	line("  memory: %s\n  output: %s\n  # wall: 5s", p.Limits.Memory, p.Limits.Output)
	if programs := p.Validation.Programs; len(programs) > 0 {
		line("\n# %q decides which outputs are right.", programs[0])
	} else if p.Validation.Interactor == "" {
		o, _ := byBytes(p, nil)
		line("\n# How outputs are compared: exact; lines (without blanks at their ends), tokens (words), or float:1e-6.\ncompare: %s", cmp.Or(o.Mode, diff.Exact))
	}
	if line("\n# The names of inputs and answers, if they are not recognized."); p.AskedPairs != "" {
		line("pairs: %q", p.AskedPairs)
	} else {
		line("# pairs: '{}.in:{}.gold'")
	}
	line("\n# The cases that the statement shows.")
	var samples, named, groups []string
	for _, c := range p.Cases {
		switch {
		case c.Group == "sample" || c.Group == "samples":
			samples = append(samples, yamltext.Word(c.Name))
		case len(named) < mostListed && strings.HasPrefix(strings.ToLower(path.Base(c.Name)), "sample"):
			named = append(named, yamltext.Word(c.Name))
		}
		if !slices.Contains(groups, c.Group) && len(groups) < mostListed {
			groups = append(groups, c.Group)
		}
	}
	switch {
	case len(samples) > 0 && len(samples) <= mostListed:
		line("samples: [%s]", strings.Join(samples, ", "))
	case named == nil:
		named = []string{yamltext.Word(p.Cases[0].Name)}
		fallthrough
	default:
		line("# samples: [%s]", strings.Join(named, ", "))
	}
	line("\n# Points: cases or groups, for the part of them that pass; a number for all cases; or both.\n# points: cases:10")
	line("\n# Or points by group, of which sum gives each case a part.\n# scoring:\n#   groups:")
	for _, name := range groups {
		line("#     - {name: %s, max_score: 10, score_aggregation: sum}", yamltext.Word(name))
	}
	line("\n# And files with the statement, notes on cases, and what students see.\n# statements: [{file: task.md}]\n# notes: {%s: the smallest}\n# feedback: verdict", yamltext.Word(p.Cases[0].Name))
	return []byte(b.String())
}

// Found describes the cases of a plain folder on one line: their groups, and the names of their files.
func Found(p *draft.Draft) string {
	names := map[string]int{}
	for _, c := range p.Cases {
		names[form(c, c.Input)+" with "+form(c, c.Answer)]++
	}
	forms := slices.SortedFunc(maps.Keys(names), func(a, b string) int { return cmp.Or(names[b]-names[a], strings.Compare(a, b)) })
	var groups []string
	for _, g := range p.Data.Groups {
		groups = append(groups, fmt.Sprintf("%s (%d)", yamltext.Word(g.Name), len(g.Cases)))
	}
	return several(groups) + "; " + several(forms)
}

// form returns the path of a file of a case in its group, with {} for what names the case.
func form(c *draft.Case, rel string) string {
	rel, name := strings.TrimPrefix(rel, c.Group+"/"), path.Base(c.Name)
	if at := strings.LastIndex(rel, name); at >= 0 {
		rel = rel[:at] + "{}" + rel[at+len(name):]
	}
	return quote.Name(rel)
}

// several joins the first of several words.
func several(words []string) string {
	const most = 6
	if len(words) > most {
		words = append(slices.Clone(words[:most]), "…")
	}
	return strings.Join(words, ", ")
}
