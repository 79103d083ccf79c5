package cms

import (
	"fmt"
	"math"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/quote"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/tree"
)

// points arranges the cases into groups with points: a group for each subtask, or all tests in one
// if there are none. A first subtask without points holds samples.
func (r *reader) points() error {
	total := 0.0
	for _, part := range r.parts {
		total += part.points
	}
	if math.Abs(total-100) > 1e-6 && r.kind == "" && r.parts != nil {
		r.Note(r.listed, 0, "the points of all subtasks are %v, but CMS wants 100", total)
	}
	if r.parts == nil {
		total = r.total
	}
	aggregation := "min"
	if r.whole {
		aggregation = "sum"
	}
	secret := &draft.Group{Name: "secret", Settings: draft.Settings{Aggregation: "sum", MaxScore: &total}}
	for i := range r.parts {
		part := &r.parts[i]
		g := &draft.Group{Name: r.group(i), Settings: draft.Settings{Aggregation: aggregation, MaxScore: &part.points}}
		if g.Name == "sample" {
			g.Settings = draft.Settings{}
			r.Data.Groups = append(r.Data.Groups, g)
		} else {
			secret.Groups = append(secret.Groups, g)
		}
		r.add(g, part.tests)
	}
	if r.parts == nil {
		all := make([]int, len(r.tests))
		for i := range all {
			all[i] = i
		}
		r.add(secret, all)
	}
	r.Data.Groups = append(r.Data.Groups, secret)
	r.Scoring = total > 0
	return nil
}

// group returns the name of the group of a subtask, by its index.
func (r *reader) group(i int) string {
	if i == 0 && r.parts[i].points == 0 && len(r.parts) > 1 {
		return "sample"
	}
	return fmt.Sprintf("secret/%d", i+1)
}

// inherit adds to each subtask the tests of those that it depends on.
func (r *reader) inherit() error {
	on := make([][]int, len(r.parts))
	given := false
	for i, part := range r.parts {
		for _, name := range part.on {
			j := slices.IndexFunc(r.parts, func(p cmsPart) bool { return p.name == name && name != "*" })
			switch {
			case name == "*":
				for j := range r.parts {
					on[i] = append(on[i], j)
				}
			case j < 0:
				return r.Tree.Errorf(r.listed, part.line, "a subtask gets its name by STNAME", "depends on %s, but no subtask has this name", quote.Name(name))
			default:
				on[i] = append(on[i], j)
			}
		}
		given = given || on[i] != nil
	}
	if !given {
		return nil
	}
	total := 0
	all := make([][]int, len(r.parts))
	for i := range r.parts {
		seen := map[int]bool{}
		var visit func(i int)
		visit = func(at int) {
			if !seen[at] {
				seen[at] = true
				all[i] = append(all[i], r.parts[at].tests...)
				for _, next := range on[at] {
					visit(next)
				}
			}
		}
		visit(i)
		slices.Sort(all[i])
		if all[i] == nil {
			return r.Tree.Errorf(r.listed, r.parts[i].line, "", "subtask %d has no tests", i+1)
		}
		if total += len(all[i]); total > 10*draft.MaxListed {
			return r.Tree.Errorf(r.listed, r.parts[i].line, "", "more than %d tests of all subtasks together", 10*draft.MaxListed)
		}
	}
	for i := range r.parts {
		r.parts[i].tests = all[i]
	}
	return nil
}

// add adds the tests with these numbers to a group. A test that is in several subtasks is a case in
// each.
func (r *reader) add(g *draft.Group, numbers []int) {
	for _, i := range numbers {
		c := &draft.Case{
			Name: fmt.Sprintf("%s/%03d", g.Name, i), Group: g.Name,
			Input: fmt.Sprintf("input/input%d.txt", i), Answer: fmt.Sprintf("output/output%d.txt", i),
		}
		if r.manager != "" {
			c.Answer = ""
			if r.io == "fifo_io" {
				c.Args = []string{"/dev/stdin", "/dev/stdout"}
			}
		}
		if r.OutputOnly {
			c.Submitted = fmt.Sprintf("output_%03d.txt", i)
		}
		c.InputArgs = r.validation(r.tests[i])
		g.Cases = append(g.Cases, c)
		r.Cases = append(r.Cases, c)
	}
}

// validation returns the arguments of the validators for a test.
func (r *reader) validation(t test) draft.InputArgs {
	if r.listed == cases && t.subtask > 0 {
		part := r.parts[t.subtask-1]
		if part.validator == "" {
			return draft.InputArgs{}
		}
		return draft.InputArgs{By: map[string][]string{path.Base(part.validator): part.args}}
	}
	return draft.InputArgs{All: []string{"/dev/stdin", fmt.Sprint(max(t.subtask, 1))}} // without subtasks all is one
}

// check is a promise about subtasks in a comment of a solution: a line with
// "@check-wrong-answer: name*".
type check struct {
	line    int
	result  string
	targets []string // patterns of names of subtasks
}

// checkText matches such a line.
var checkText = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`@check-([^\s:]*)(?::(.*))?`) })

// findChecks returns the checks in a source, in their order.
func findChecks(source string) (list []check) {
	number := 0
	for line := range strings.Lines(source) {
		number++
		m := checkText().FindStringSubmatch(line)
		if m == nil {
			continue
		}
		for _, end := range draft.Closers {
			m[2], _, _ = strings.Cut(m[2], end)
		}
		list = append(list, check{number, m[1], strings.Fields(m[2])})
	}
	return list
}

// checkResults maps the results of checks to verdicts of which at least one case of the subtask gets
// one. For partial-score and accepted it is the verdict of every case.
var checkResults = map[string]verdict.Set{
	"accepted": draft.Accepted, "partial-score": draft.Accepted, "wrong-answer": draft.Wrong, "time-limit-exceeded": draft.Slow,
	"memory-limit-exceeded": verdict.MLE.Class() | draft.Crashed, "runtime-error": draft.Crashed, "zero": draft.Rejected,
}

// promises reads the checks of the solutions.
func (r *reader) promises() error {
	for i := range r.Submissions {
		s := &r.Submissions[i]
		file, _, err := r.Tree.Kind(s.Path)
		if err != nil {
			return err
		}
		if file {
			source, err := r.Tree.Head(s.Path, tree.MaxDocument)
			if err != nil {
				return err
			}
			for _, c := range findChecks(string(source)) {
				if err := r.promise(s, c); err != nil {
					return err
				}
			}
		}
		if e := s.Expect; e.Final == 0 && e.Rules == nil {
			r.NoteFile("sol", "submissions that promise nothing", s.Path)
		}
	}
	return nil
}

// promise adds a check to what a submission promises.
func (r *reader) promise(s *problem.Submission, c check) error {
	set, known := checkResults[c.result]
	if !known {
		r.Note(s.Path, c.line, "unknown check %s", quote.Name(c.result))
		return nil
	}
	from := fmt.Sprintf("%s:%d", s.Path, c.line)
	for _, target := range c.targets {
		if err := r.Tree.Spend(s.Path, 256*(8+len(target))+32*len(r.parts)); err != nil {
			return err
		}
		match, err := regexp.Compile("^" + strings.NewReplacer(`\*`, ".*", `\?`, ".").Replace(regexp.QuoteMeta(target)) + "$")
		if err != nil {
			return r.Tree.Errorf(s.Path, c.line, "", "%s is no pattern of names", quote.Name(target))
		}
		found := false
		for i, part := range r.parts {
			if part.name == "" || !match.MatchString(part.name) {
				continue
			}
			found = true
			rule := problem.Rule{Cases: r.group(i), Permitted: draft.AnyCase, Required: set, From: from}
			if set == draft.Accepted {
				rule.Permitted, rule.Score = draft.Accepted, r.part(i, c.result == "partial-score")
			}
			if slices.ContainsFunc(s.Expect.Rules, func(other problem.Rule) bool {
				return other.Cases == rule.Cases && other.Required == rule.Required && (other.Score == nil) == (rule.Score == nil)
			}) {
				continue
			}
			s.Expect.Rules = append(s.Expect.Rules, rule)
			if err := r.CountRules(s.Path, c.line, 1); err != nil {
				return err
			}
		}
		if !found {
			r.Note(s.Path, c.line, "no subtask is called %s: write # STNAME: into gen/GEN, or the name after SUBTASK into gen/cases.gen", quote.Name(target))
		}
	}
	return nil
}

// part returns the range of the points of a subtask: all of them, or less than all. if
// verdicts say the same, or the subtask has no points.
func (r *reader) part(i int, partial bool) *[2]float64 {
	all := r.parts[i].points
	switch {
	case all == 0 || r.Validation.Programs == nil && !partial:
		return nil
	case partial:
		const least = 1e-6
		return &[2]float64{0, all - least}
	}
	return &[2]float64{all, all}
}
