package pkgimport

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/points"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/internal/yamltext"
)

// document holds the content of the problem's file.
type document struct {
	title, source            string
	uuid, license            string // "" if there is none
	authors, keywords        []string
	terms                    problem.Terms
	language                 string // language of the statement; "" means "en"
	texts                    []statementFile
	types                    []string // pass-fail only if there are groups
	limits                   limits.Limits
	passes                   int           // number of passes of a multi-pass problem; 0 for others
	validation               limits.Limits // CPU, Memory and Output of a validator; the judge's default for those that are 0
	compare                  diff.Options
	format                   string      // format of the package
	outputs, inputs, answers []validator // validators by kind; outputs is nil if outputs are compared
	scoring                  string      // the key scoring, in YAML
	samples                  []string    // names of the sample cases
	statement, input, output string      // texts in UTF-8
}

// text returns the content of the file of the problem with that id.
func (d *document) text(id string) []byte {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("id: %s", yamltext.Word(id))
	line("title: %s", yamltext.Word(d.title))
	line("source: %s", yamltext.Word(d.source))
	optional := func(key, text string) {
		if text != "" {
			line("%s: %s", key, yamltext.Word(text))
		}
	}
	optionalList := func(key string, words []string) {
		if len(words) > 0 {
			line("%s: %s", key, yamltext.List(words))
		}
	}
	optional("uuid", d.uuid)
	optionalList("authors", d.authors)
	optional("license", d.license)
	optionalList("keywords", d.keywords)
	optionalList("languages", d.terms.Languages)
	if d.terms.ReadOnly {
		line("read_only: true")
	}
	optional("language", d.language)
	if d.types != nil {
		line("type: %s", yamltext.List(d.types))
	}
	wall := ""
	if d.limits.Wall > 0 {
		wall = ", wall: " + duration(d.limits.Wall)
	}
	line("limits: {cpu: %s%s, memory: %s, output: %s%s}", duration(d.limits.CPU), wall, d.limits.Memory, d.limits.Output, d.otherLimits())
	if d.outputs == nil {
		line("compare: %s", d.compare.Mode)
	}
	if d.compare.Mode == diff.Float {
		number := func(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
		line("tolerance: {abs: %s, rel: %s}", number(d.compare.Abs), number(d.compare.Rel))
	}
	if d.compare.FoldCase {
		line("fold_case: true")
	}
	if d.compare.Spaces {
		line("spaces: true")
	}
	line("package: # without this key, judge verify applies all of its rules to the problem")
	line("  format: %s", yamltext.Word(d.format))
	validators := func(key string, programs []validator) {
		if len(programs) > 0 {
			line("%s:", key)
		}
		for _, v := range programs {
			keys := "name: " + yamltext.Word(v.name)
			if !v.protocol.Rules().Answer { // answer validators have only this protocol
				keys += ", protocol: " + string(v.protocol)
			}
			if len(v.args) > 0 {
				keys += ", args: " + yamltext.List(v.args)
			}
			line("  - {%s}", keys)
		}
	}
	validators("output_validators", d.outputs)
	validators("input_validators", d.inputs)
	validators("answer_validators", d.answers)
	b.WriteString(d.scoring)
	if len(d.samples) > 0 {
		line("samples: %s", yamltext.List(d.samples))
	}
	if d.texts != nil {
		line("statements:")
	}
	for _, t := range d.texts {
		title := ""
		if t.title != "" {
			title = "title: " + yamltext.Word(t.title) + ", "
		}
		line("  - {language: %s, %sfile: %s}", yamltext.Word(t.language), title, yamltext.Word(t.file))
	}
	for _, t := range []struct{ key, text string }{{"statement", d.statement}, {"input", d.input}, {"output", d.output}} {
		scalar, err := yamltext.Scalar(strings.TrimRight(t.text, "\n ")+"\n", 0)
		if err != nil { // cannot happen, because the text is UTF-8
			scalar = strconv.Quote(t.text)
		}
		line("%s: %s", t.key, scalar)
	}
	return []byte(b.String())
}

// otherLimits returns the limits of sources, compilers and validators.
func (d *document) otherLimits() string {
	var b strings.Builder
	if d.terms.Code > 0 {
		fmt.Fprintf(&b, ", code: %s", d.terms.Code)
	}
	if c := d.terms.Compile; c.CPU > 0 {
		fmt.Fprintf(&b, ", compilation_time: %s", duration(c.CPU))
	}
	if c := d.terms.Compile; c.Memory > 0 {
		fmt.Fprintf(&b, ", compilation_memory: %s", c.Memory)
	}
	if d.passes > 0 {
		fmt.Fprintf(&b, ", validation_passes: %d", max(d.passes, 2))
	}
	if v := d.validation; v.CPU > 0 {
		fmt.Fprintf(&b, ", validation_time: %s", duration(v.CPU))
	}
	if v := d.validation; v.Memory > 0 {
		fmt.Fprintf(&b, ", validation_memory: %s", v.Memory)
	}
	if v := d.validation; v.Output > 0 {
		fmt.Fprintf(&b, ", validation_output: %s", v.Output)
	}
	return b.String()
}

// duration formats a time of whole milliseconds.
func duration(d time.Duration) string {
	if d%time.Second == 0 {
		return fmt.Sprintf("%ds", d/time.Second)
	}
	return fmt.Sprintf("%dms", d/time.Millisecond)
}

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
		fmt.Fprintf(&b, "  grader: %s\n", yamltext.Word(p.grader))
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
		key("name", "%s", yamltext.Word(g.Name))
	}
	var names []string // groups of the repository with the cases of g, in order
	for _, i := range g.Cases {
		if name := p.cases[i].Group; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	key("cases", "%s", yamltext.List(names))
	requires := func(names []string) {
		if len(names) > 0 {
			key("require_pass", "%s", yamltext.List(names))
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
			key("grader_flags", "%s", yamltext.List(flags))
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
