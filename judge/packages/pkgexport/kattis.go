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

// kattis plans an ICPC/Kattis package, version 2025-09.
func (p *plan) kattis() error {
	p.noteLimits()
	q := p.Problem
	p.addText("problem.yaml", fmt.Sprintf(`problem_format_version: 2025-09
name: %s
uuid: %s
source: %s
%s%slimits:
  time_limit: %s
  time_multipliers: {ac_to_time_limit: 2, time_limit_to_tle: 1.5}
  memory: %d
  output: %d
%s`, p.names(), uuid(q), quoted(q.Source), p.provenance(), p.typeLine(), seconds(q.Limits.CPU), mebi(q.Limits.Memory), mebi(q.Limits.Output), p.otherLimits()))
	if p.ownStatement() {
		p.addText("statement/problem."+p.language()+".md", markdown(q))
	}
	if err := p.statements("statement", ".", localized); err != nil {
		return err
	}
	if err := p.kattisData(); err != nil {
		return err
	}
	if err := p.icpcValidators(); err != nil {
		return err
	}
	if err := p.includes(); err != nil {
		return err
	}
	return p.kattisSubmissions()
}

// typeLine returns the type line of problem.yaml; "" for an ordinary pass-fail problem.
func (p *plan) typeLine() string {
	var list []string
	if p.Problem.Interactive() {
		list = append(list, "interactive")
	}
	if p.Problem.MultiPass() {
		list = append(list, "multi-pass")
	}
	if p.Problem.Scoring {
		list = append(list, "scoring")
	}
	if list == nil {
		return ""
	}
	return "type: " + inBrackets(list) + "\n"
}

// otherLimits returns the lines of problem.yaml for those limits of sources, compilers, validators
// and graders that the problem sets.
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

// kattisData plans the data folder. Each folder gets the validators' arguments, because the format
// does not define whether a folder inherits them. A case with its own arguments gets a file for
// them.
func (p *plan) kattisData() error {
	list, err := p.dataFolders()
	if err != nil {
		return err
	}
	inputs := p.inputValidators()
	settings := inputSettings("input_validator_args", inputs, nil) + inputSettings("answer_validator_args", p.Problem.AnswerValidators, nil)
	if args := p.outputArgs(nil); len(args) > 0 {
		settings += "output_validator_args: " + inBrackets(args) + "\n"
	}
	secret := 0
	for _, f := range list {
		inSecret := f.dir == "data/secret" || strings.HasPrefix(f.dir, "data/secret/")
		if inSecret {
			secret += len(f.cases)
		}
		if text := settings + f.scoreSettings(); text != "" && f.dir != "data" && (len(f.cases) > 0 || f.group != nil) {
			p.addText(path.Join(f.dir, "test_group.yaml"), text)
		}
		for i, c := range f.cases {
			p.kattisCase(path.Join(f.dir, f.names[i]), c, inputs)
		}
	}
	if settings != "" && !p.Problem.Scoring {
		p.addText("data/secret/test_group.yaml", settings)
	}
	if secret == 0 {
		p.note("all cases are samples, but the format requires secret cases")
	}
	return nil
}

// kattisCase plans a case, with a file for the settings that only this case has.
func (p *plan) kattisCase(name string, c *cases.Case, inputs []problem.InputValidator) {
	p.addCase(c, name+".in", name+".ans")
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
		p.addText(name+".yaml", own.String())
	}
	p.caseFiles(c, name+".files")
}

// caseFiles plans the files that are copied into a submission's working folder for a case.
func (p *plan) caseFiles(c *cases.Case, dir string) {
	for name, text := range c.Files {
		p.addBytes(path.Join(dir, name), text)
	}
}

// inputSettings returns a line of YAML: the given key with the arguments of the input or answer
// validators for a case, or for all cases if c is nil. They are one list if all validators get the
// same arguments, and otherwise a list for each validator.
func inputSettings(key string, list []problem.InputValidator, c *cases.Case) string {
	if len(list) == 0 {
		return ""
	}
	first, same := inputArgs(list[0], c), true
	var each []string
	for _, v := range list {
		args := inputArgs(v, c)
		same = same && slices.Equal(args, first)
		each = append(each, quoted(v.Name)+": "+inBrackets(args))
	}
	switch {
	case !same:
		return key + ": {" + strings.Join(each, ", ") + "}\n"
	case len(first) == 0 && c == nil:
		return ""
	}
	return key + ": " + inBrackets(first) + "\n"
}

// compareArgs returns the arguments that make the default output validator compare as o says.
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

// anyVerdict is the set of all verdicts that the format has for a case.
var anyVerdict = verdict.OfCase() & verdict.SetOf(verdict.BigFive()...)

// rulesHead is the comment at the top of submissions.yaml.
const rulesHead = `# A folder is named for the verdict that its submissions get on the first case that they fail.
# On later cases they may get any verdict.
`

// kattisSubmissions plans the submissions. In the format a folder promises the verdicts of all
// cases, but the problem only knows the verdict of the first case that is not accepted. So
// submissions.yaml holds rules for folders that promise too much or nothing.
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
	for _, v := range (anyVerdict &^ verdict.SetOf(verdict.AC)).List() {
		if slices.ContainsFunc(list, func(s submission) bool { return s.want == v }) {
			rule(v.Folder(), anyVerdict, verdict.SetOf(v))
		}
	}
	for _, s := range list {
		switch {
		case s.partial: // the folder partially_accepted needs no rule
		case s.model:
			fmt.Fprintf(&rules, "%s:\n  model_solution: true\n", s.path)
		case s.bruteForce:
			rules.WriteString("# Never wrong if it finishes; it may be accepted.\n")
			fine := verdict.SetOf(verdict.AC, verdict.TLE, verdict.RTE)
			rule(bruteForce, fine, fine)
		case s.want == verdict.CE:
			// The format has no name for this verdict, but DOMjudge has.
			if !s.annotate(p.CaseData.Builder.Languages(), s.want.DOMjudge()) {
				p.note("left out: %s: the format cannot express that it must not compile", s.path)
				continue
			}
		case folder(s.want) == rejected:
			fmt.Fprintf(&rules, "# %s\n", s.want.Folder())
			rule(s.path, anyVerdict, verdict.SetOf(s.want.ICPC()))
		}
		p.addSubmission("submissions", s)
	}
	p.addText("submissions/submissions.yaml", rules.String())
	return nil
}

// noteLimits adds notes about the limits of the problem that no format can express.
func (p *plan) noteLimits() {
	l := p.Problem.Limits
	if l.Wall > 0 {
		p.note("left out: the wall time limit of %v", l.Wall)
	}
	if l.CPUs > 1 {
		p.note("left out: the number of CPUs of a run, %d", l.CPUs)
	}
	if p.Problem.ReadOnly && !p.latest {
		p.note("left out: submissions may not write files")
	}
}

// quoted returns a text as a YAML scalar. It is a JSON string, because YAML includes JSON.
func quoted(text string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // cannot fail for a string
	return strings.TrimSpace(b.String())
}

func float(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) }

// mebi returns a size in MiB, rounded up.
func mebi(b limits.Bytes) int64 { return int64((b + limits.MiB - 1) / limits.MiB) }

// uuid returns the UUID of the problem. If the problem has none, uuid derives a name-based one (RFC
// 9562, version 5) from its id and title. The namespace is an arbitrary constant.
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
