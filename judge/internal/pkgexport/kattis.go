package pkgexport

import (
	"bytes"
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
limits:
  time_limit: %s
  time_multipliers: {ac_to_time_limit: 2, time_limit_to_tle: 1.5}
  memory: %d
  output: %d
`, quoted(q.Title), uuid(q), quoted(q.Source), seconds(q.Limits.CPU), mebi(q.Limits.Memory), mebi(q.Limits.Output)))
	p.text("statement/problem.en.md", markdown(q))
	p.kattisData()
	if err := p.icpcValidators("output_validator"); err != nil {
		return err
	}
	return p.kattisSubmissions()
}

// kattisData plans the data: samples as the statement shows them, and the other cases
// in a folder for each group. What validators are called with stands in each folder, as
// the format says nothing of what inherits it.
func (p *plan) kattisData() {
	samples, groups := p.arrange()
	settings := ""
	if args := p.inputArgs(); len(args) > 0 {
		settings = "input_validator_args: " + inBrackets(args) + "\n"
	}
	if args := p.compareArgs(); len(args) > 0 {
		settings += "output_validator_args: " + inBrackets(args) + "\n"
	}
	add := func(dir string, list []*cases.Case) {
		if settings != "" {
			p.text(path.Join(dir, "test_group.yaml"), settings)
		}
		for i, c := range list {
			name := path.Join(dir, number(i, len(list))+"-"+c.Short())
			p.pair(c, name+".in", name+".ans")
			if c.Note != "" {
				p.text(name+".yaml", "description: "+quoted(c.Note)+"\n")
			}
		}
	}
	if len(samples) > 0 {
		add("data/sample", samples)
	}
	add("data/secret", nil)
	for _, g := range groups {
		add("data/secret/"+g[0].Group, g)
	}
	if len(groups) == 0 {
		p.note("there are no cases but samples: the format wants secret ones")
	}
}

// compareArgs are the arguments of the output validator: of the default one those by which
// it compares as the problem does.
func (p *plan) compareArgs() []string {
	q := p.Problem
	if q.Validator != nil {
		return q.Validator.Flags
	}
	var args []string
	if !q.Compare.FoldCase {
		args = append(args, "case_sensitive")
	}
	if q.Compare.Spaces || q.Compare.Mode == diff.Exact {
		args = append(args, "space_change_sensitive")
	}
	if q.Compare.Mode == diff.Float {
		if q.Compare.Abs > 0 {
			args = append(args, "float_absolute_tolerance", float(q.Compare.Abs))
		}
		if q.Compare.Rel > 0 {
			args = append(args, "float_relative_tolerance", float(q.Compare.Rel))
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
		case s.model:
			fmt.Fprintf(&rules, "%s:\n  model_solution: true\n", s.path)
		case s.second:
			rules.WriteString("# Never wrong where it comes to an end; it may well be accepted.\n")
			fine := verdict.SetOf(verdict.AC, verdict.TLE, verdict.RTE)
			rule(bruteForce, fine, fine)
		case s.want == verdict.CE:
			// The format has no word for it.
			if !s.annotate(p.Maker.Builder.Languages(), s.want.DOMjudge()) {
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

// uuid names the problem by its id and its title, as RFC 9562 makes a UUID of a name
// (version 5). The space of names is that of the judge itself.
func uuid(q *problem.Problem) string {
	space := [16]byte{0x7e, 0x1b, 0x5a, 0x0c, 0x93, 0x2f, 0x4d, 0x68, 0x8a, 0x41, 0x36, 0xd5, 0xc0, 0x7f, 0xe2, 0x19}
	sum := sha1.Sum(append(space[:], q.ID+"\x00"+q.Title...))
	u := sum[:16]
	u[6] = u[6]&0x0f | 0x50
	u[8] = u[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:])
}
