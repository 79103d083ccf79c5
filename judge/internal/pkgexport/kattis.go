package pkgexport

import (
	"bytes"
	"cmp"
	"crypto/sha1"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/verdict"
)

// kattis plans an ICPC/Kattis package of the version 2025-09.
func (p *plan) kattis() error {
	p.wanting()
	q := p.Problem
	p.text("problem.yaml", fmt.Sprintf(`problem_format_version: 2025-09
name: %s
uuid: %s
source: %s
%s%slimits:
  time_limit: %s
  time_multipliers: {ac_to_time_limit: 2, time_limit_to_tle: 1.5}
  memory: %d
  output: %d
%s`, p.names(), uuid(q), quoted(q.Source), p.provenance(), p.kinds(), seconds(q.Limits.CPU), mebi(q.Limits.Memory), mebi(q.Limits.Output), p.otherLimits()))
	if p.ownStatement() {
		p.text("statement/problem."+p.language()+".md", markdown(q))
	}
	if err := p.statements("statement", localized); err != nil {
		return err
	}
	if err := p.kattisData(); err != nil {
		return err
	}
	if err := p.icpcValidators("output_validator"); err != nil {
		return err
	}
	if err := p.includes(); err != nil {
		return err
	}
	return p.kattisSubmissions()
}

// kinds says of what type the problem is, "" if it is of none in particular.
func (p *plan) kinds() string {
	var list []string
	if p.Problem.Interactive() {
		list = append(list, "interactive")
	}
	if p.Problem.MultiPass() {
		list = append(list, "multi-pass")
	}
	if p.Problem.Scoring != nil {
		list = append(list, "scoring")
	}
	if list == nil {
		return ""
	}
	return "type: " + inBrackets(list) + "\n"
}

// otherLimits are those of sources, compilers, validators and graders, as far as the problem
// gives them.
func (p *plan) otherLimits() string {
	var l limits.Limits
	text := ""
	if t := p.Problem.Terms; t.Code > 0 {
		text += fmt.Sprintf("  code: %d\n", (t.Code+limits.KiB-1)/limits.KiB)
	}
	if c := p.Problem.Compile; c.CPU > 0 {
		text += fmt.Sprintf("  compilation_time: %s\n", seconds(c.CPU))
	}
	if c := p.Problem.Compile; c.Memory > 0 {
		text += fmt.Sprintf("  compilation_memory: %d\n", mebi(c.Memory))
	}
	if v := p.Problem.Validator; v != nil {
		l = v.Limits
		if v.Passes > 1 {
			text += fmt.Sprintf("  validation_passes: %d\n", v.Passes)
		}
	}
	for _, v := range slices.Concat(p.Problem.InputValidators, p.Problem.AnswerValidators) {
		l = cmp.Or(l, v.Limits)
	}
	if g := p.Problem.Grader; g != nil {
		l = cmp.Or(l, g.Limits)
	}
	if l != (limits.Limits{}) && l != limits.Validator {
		text += fmt.Sprintf("  validation_time: %s\n  validation_memory: %d\n  validation_output: %d\n", seconds(l.CPU), mebi(l.Memory), mebi(l.Output))
	}
	return text
}

// kattisData plans the data. What validators are called with stands in each folder, as
// the format says nothing of what inherits it, and beside the cases that have their own.
func (p *plan) kattisData() error {
	list, err := p.places()
	if err != nil {
		return err
	}
	inputs := p.inputValidators()
	settings := inputSettings("input_validator_args", inputs, nil) + inputSettings("answer_validator_args", p.Problem.AnswerValidators, nil)
	if args := p.outputArgs(nil); len(args) > 0 {
		settings += "output_validator_args: " + inBrackets(args) + "\n"
	}
	secret := 0
	for _, in := range list {
		inSecret := in.dir == "data/secret" || strings.HasPrefix(in.dir, "data/secret/")
		if inSecret {
			secret += len(in.cases)
		}
		if text := settings + in.scoreSettings(); text != "" && in.dir != "data" && (len(in.cases) > 0 || in.group != nil) {
			p.text(path.Join(in.dir, "test_group.yaml"), text)
		}
		for i, c := range in.cases {
			p.kattisCase(path.Join(in.dir, in.names[i]), c, inputs)
		}
	}
	if settings != "" && p.Problem.Scoring == nil {
		p.text("data/secret/test_group.yaml", settings)
	}
	if secret == 0 {
		p.note("there are no cases but samples: the format wants secret ones")
	}
	return nil
}

// kattisCase plans a case, with what it has of its own.
func (p *plan) kattisCase(name string, c *cases.Case, inputs []problem.InputValidator) {
	p.pair(c, name+".in", name+".ans")
	var own strings.Builder
	if c.Note != "" {
		own.WriteString("description: " + quoted(c.Note) + "\n")
	}
	if c.Args != nil {
		own.WriteString("args: " + inBrackets(c.Args) + "\n")
	}
	if c.InputArgs != nil {
		own.WriteString(inputSettings("input_validator_args", inputs, c))
	}
	if c.AnswerArgs != nil {
		own.WriteString(inputSettings("answer_validator_args", p.Problem.AnswerValidators, c))
	}
	if c.Flags != nil {
		own.WriteString("output_validator_args: " + inBrackets(p.outputArgs(c)) + "\n")
	}
	if own.Len() > 0 {
		p.text(name+".yaml", own.String())
	}
	p.beside(c, name+".files")
}

// beside adds the files that a submission finds where it starts on a case.
func (p *plan) beside(c *cases.Case, dir string) {
	for name, text := range c.Files {
		p.bytes(path.Join(dir, name), text)
	}
}

// inputSettings returns the setting by which validators of inputs or answers are called on a case,
// on all if c is nil: alike, or each by its name.
func inputSettings(key string, list []problem.InputValidator, c *cases.Case) string {
	if len(list) == 0 {
		return ""
	}
	first, alike := inputArgs(list[0], c), true
	var each []string
	for _, v := range list {
		args := inputArgs(v, c)
		alike = alike && slices.Equal(args, first)
		each = append(each, quoted(v.Name)+": "+inBrackets(args))
	}
	switch {
	case !alike:
		return key + ": {" + strings.Join(each, ", ") + "}\n"
	case len(first) == 0 && c == nil:
		return ""
	}
	return key + ": " + inBrackets(first) + "\n"
}

// compareArgs are the arguments by which the default output validator compares so.
func compareArgs(o diff.Options) []string {
	var args []string
	if !o.FoldCase {
		args = append(args, "case_sensitive")
	}
	if o.Spaces || o.Mode == diff.Exact {
		args = append(args, "space_change_sensitive")
	}
	if o.Mode == diff.Float {
		if o.Abs > 0 || o.Rel == 0 {
			args = append(args, "float_absolute_tolerance", float(o.Abs))
		}
		if o.Rel > 0 {
			args = append(args, "float_relative_tolerance", float(o.Rel))
		}
	}
	return args
}

// The verdicts that the format has for a case.
var anything = verdict.OfCase() & verdict.SetOf(verdict.BigFive()...)

// rulesHead explains what stands in submissions.yaml.
const rulesHead = `# What a submission is named for is what it gets for the first case that it fails.
# What becomes of it on later cases is open.
`

// kattisSubmissions plans the submissions, with what the names of their folders say too
// much or not at all in submissions.yaml: the problem promises the verdict of the first
// case that is not accepted, where the format's folders are about all cases.
func (p *plan) kattisSubmissions() error {
	list, err := p.submissions()
	if err != nil {
		return err
	}
	var rules strings.Builder
	rules.WriteString(rulesHead)
	rule := func(pattern string, permitted, required verdict.Set) {
		fmt.Fprintf(&rules, "%s:\n  permitted: [%s]\n  required: [%s]\n", pattern, permitted, required)
	}
	for _, v := range (anything &^ verdict.SetOf(verdict.AC)).List() {
		if slices.ContainsFunc(list, func(s submission) bool { return s.want == v }) {
			rule(v.Folder(), anything, verdict.SetOf(v))
		}
	}
	for _, s := range list {
		switch {
		case s.partial: // as its folder says
		case s.model:
			fmt.Fprintf(&rules, "%s:\n  model_solution: true\n", s.path)
		case s.second:
			rules.WriteString("# Never wrong where it comes to an end; it may well be accepted.\n")
			fine := verdict.SetOf(verdict.AC, verdict.TLE, verdict.RTE)
			rule(bruteForce, fine, fine)
		case s.want == verdict.CE:
			// The format has no word for it.
			if !s.annotate(p.CaseData.Builder.Languages(), s.want.DOMjudge()) {
				p.note("%s is left out: the format cannot say that it does not compile", s.path)
				continue
			}
		case folder(s.want) == rejected:
			fmt.Fprintf(&rules, "# %s\n", s.want.Folder())
			rule(s.path, anything, verdict.SetOf(s.want.ICPC()))
		}
		p.submit("submissions", s)
	}
	p.text("submissions/submissions.yaml", rules.String())
	return nil
}

// wanting notes what of the problem's limits no format has a word for.
func (p *plan) wanting() {
	l := p.Problem.Limits
	if l.Wall > 0 {
		p.note("the package does not say that a run may take %v from start to end", l.Wall)
	}
	if l.CPUs > 1 {
		p.note("the package does not say that a run has %d CPUs", l.CPUs)
	}
}

// quoted returns a text as a scalar of YAML, which all of JSON is.
func quoted(text string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a string can be encoded
	return strings.TrimSpace(b.String())
}

func float(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) }

// mebi rounds up to MiB.
func mebi(b limits.Bytes) int64 { return int64((b + limits.MiB - 1) / limits.MiB) }

// uuid names the problem, if it has no UUID of its own by its id and its title, as RFC 9562 makes a UUID of a name
// (version 5). The space of names is that of the judge itself.
func uuid(q *problem.Problem) string {
	if q.UUID != "" {
		return q.UUID
	}
	space := [16]byte{0x7e, 0x1b, 0x5a, 0x0c, 0x93, 0x2f, 0x4d, 0x68, 0x8a, 0x41, 0x36, 0xd5, 0xc0, 0x7f, 0xe2, 0x19}
	sum := sha1.Sum(append(space[:], q.ID+"\x00"+q.Title...))
	u := sum[:16]
	u[6] = u[6]&0x0f | 0x50
	u[8] = u[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:])
}
