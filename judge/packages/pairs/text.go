package pairs

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/yamltext"
)

// Text returns the [File] beside the cases of a problem with these names, each in the files NAME.in and NAME.ans. It has
// neither points nor what programs of the problem decide.
func Text(p *problem.Problem, names []string) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("title: %s", yamltext.Word(p.Title))
	var all []string
	limit := func(key string, set bool, value any) {
		if set {
			all = append(all, fmt.Sprintf("%s: %v", key, value))
		}
	}
	l := p.Limits
	limit("cpu", l.CPU >= time.Millisecond, l.CPU)
	limit("wall", l.Wall >= time.Millisecond, l.Wall)
	limit("memory", l.Memory >= limits.MiB, l.Memory)
	limit("output", l.Output > 0, l.Output)
	if all != nil {
		line("limits: {%s}", strings.Join(all, ", "))
	}
	if o := p.Compare; p.Validator == nil && o.Mode != "" {
		line("compare: %s", o.Mode)
		if o.Mode == diff.Float {
			number := func(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
			line("tolerance: {abs: %s, rel: %s}", number(o.Abs), number(o.Rel))
		}
		if o.FoldCase {
			line("fold_case: true")
		}
		if o.Spaces {
			line("spaces: true")
		}
	}
	var samples []string
	for _, name := range p.Samples {
		if slices.Contains(names, name) && pairName(name+".in", name+".ans") == name { // it is read again by this name
			samples = append(samples, name)
		}
	}
	if samples != nil {
		line("samples: %s", yamltext.List(samples))
	}
	return b.String()
}
