package cms

import (
	"fmt"
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
	p := r.p
	for i := range p.Submissions {
		s := &p.Submissions[i]
		file, _, err := p.Tree.Kind(s.Path)
		if err != nil {
			return err
		}
		if file {
			source, err := p.Tree.Head(s.Path, tree.MaxDocument)
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
			p.NoteFile("sol", "submissions that promise nothing", s.Path)
		}
	}
	return nil
}

// promise adds a check to what a submission promises.
func (r *reader) promise(s *problem.Submission, c check) error {
	p := r.p
	set, known := checkResults[c.result]
	if !known {
		p.Note(s.Path, c.line, "unknown check %s", quote.Name(c.result))
		return nil
	}
	from := fmt.Sprintf("%s:%d", s.Path, c.line)
	for _, target := range c.targets {
		if err := p.Tree.Spend(s.Path, 256*(8+len(target))+32*len(r.parts)); err != nil {
			return err
		}
		match, err := regexp.Compile("^" + strings.NewReplacer(`\*`, ".*", `\?`, ".").Replace(regexp.QuoteMeta(target)) + "$")
		if err != nil {
			return p.Tree.Errorf(s.Path, c.line, "", "%s is no pattern of names", quote.Name(target))
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
			if err := p.CountRules(s.Path, c.line, 1); err != nil {
				return err
			}
		}
		if !found {
			p.Note(s.Path, c.line, "no subtask is called %s: write # STNAME: into gen/GEN, or the name after SUBTASK into gen/cases.gen", quote.Name(target))
		}
	}
	return nil
}

// part returns the range of the points of a subtask: all of them, or less than all. if
// verdicts say the same, or the subtask has no points.
func (r *reader) part(i int, partial bool) *[2]float64 {
	all := r.parts[i].points
	switch {
	case all == 0 || r.p.Validation.Programs == nil && !partial:
		return nil
	case partial:
		const least = 1e-6
		return &[2]float64{0, all - least}
	}
	return &[2]float64{all, all}
}
