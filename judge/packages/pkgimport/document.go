package pkgimport

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
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
	line("id: %s", word(id))
	line("title: %s", word(d.title))
	line("source: %s", word(d.source))
	optional := func(key, text string) {
		if text != "" {
			line("%s: %s", key, word(text))
		}
	}
	optionalList := func(key string, words []string) {
		if len(words) > 0 {
			line("%s: %s", key, list(words))
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
		line("type: %s", list(d.types))
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
	line("  format: %s", word(d.format))
	validators := func(key string, programs []validator) {
		if len(programs) > 0 {
			line("%s:", key)
		}
		for _, v := range programs {
			keys := "name: " + word(v.name)
			if !v.protocol.Rules().Answer { // answer validators have only this protocol
				keys += ", protocol: " + string(v.protocol)
			}
			if len(v.args) > 0 {
				keys += ", args: " + list(v.args)
			}
			line("  - {%s}", keys)
		}
	}
	validators("output_validators", d.outputs)
	validators("input_validators", d.inputs)
	validators("answer_validators", d.answers)
	b.WriteString(d.scoring)
	if len(d.samples) > 0 {
		line("samples: %s", list(d.samples))
	}
	if d.texts != nil {
		line("statements:")
	}
	for _, t := range d.texts {
		title := ""
		if t.title != "" {
			title = "title: " + word(t.title) + ", "
		}
		line("  - {language: %s, %sfile: %s}", word(t.language), title, word(t.file))
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

// plainScalar matches texts that need no quotes in YAML, not even within brackets.
var plainScalar = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9 ./_-]*[A-Za-z0-9.])?$`) })

// word formats a text of one line as a YAML scalar. The quotes of Go are valid in YAML.
func word(text string) string {
	if plainScalar().MatchString(text) && !strings.EqualFold(text, "null") {
		return text
	}
	return strconv.Quote(text)
}

// list formats words as a YAML list in brackets.
func list(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = word(w)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}
