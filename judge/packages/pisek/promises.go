package pisek

import (
	"math"
	"strings"

	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/quote"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/packages/draft"
)

// promises reads what the solutions promise: the result of each test, and points.
func (r *reader) promises() error {
	for i := range r.p.Submissions {
		s := &r.p.Submissions[i]
		section := r.of[i]
		if err := r.results(s, section); err != nil {
			return err
		}
		points, _, err := r.number("points", section, "solutions")
		if err != nil {
			return err
		}
		least, _, err := r.number("points_min", section, "solutions")
		if err != nil {
			return err
		}
		most, v, err := r.number("points_max", section, "solutions")
		switch {
		case err != nil:
			return err
		case points >= 0 && (least >= 0 || most >= 0):
			return r.wrong(v, "give one of them", "[%s] has points and their bounds", section)
		case points >= 0:
			least, most = points, points
		case most < 0:
			most = math.Inf(1)
		}
		if r.p.Scoring && (least >= 0 || !math.IsInf(most, 1)) {
			s.Expect.Score = &[2]float64{max(0, least), most}
		}
	}
	return nil
}

// results maps the results of tests to verdicts of which at least one case gets one.
var results = map[rune]verdict.Set{'1': draft.Accepted, '0': draft.Rejected, 'P': draft.Accepted, 'W': draft.Wrong, '!': draft.Crashed, 'T': draft.Slow, 'X': 0}

// results reads the results of the tests, a letter for each.
func (r *reader) results(s *problem.Submission, section string) error {
	v := r.get("tests", section, "solutions")
	if older := r.get("subtasks", section); older.text != "" {
		v = older
	}
	switch {
	case v.text == "@all" || v.text == "@auto" && s.Model:
		v.text = strings.Repeat("1", len(r.tests))
	case v.text == "@any" || v.text == "@auto":
		v.text = strings.Repeat("X", len(r.tests))
	}
	if len(v.text) != len(r.tests) {
		return r.wrong(v, "give the result of each test, such as 11W", "[%s] has results of %d tests, but there are %d", section, len(v.text), len(r.tests))
	}
	if s.Model && strings.Trim(v.text, "1") != "" {
		return r.wrong(v, "write tests=@all", "the primary solution does not promise all tests")
	}
	if strings.Trim(v.text, "1") == "" {
		s.Expect.Final = draft.Accepted
	}
	for i, letter := range v.text {
		set, known := results[letter]
		if !known {
			return r.wrong(v, "they are 1, 0, P, W, !, T and X", "unknown result %s", quote.Name(string(letter)))
		}
		t := r.tests[i]
		if set == 0 || t.inputs == nil {
			continue
		}
		rule := problem.Rule{Cases: r.groupOf(t), Permitted: draft.AnyCase, Required: set, From: s.Expect.From}
		if set == draft.Accepted {
			rule.Permitted = draft.Accepted
			if least := 1e-6; letter == 'P' && t.points > 0 {
				rule.Score = &[2]float64{0, t.points - least}
			} else if t.points > 0 && r.p.Validation.Programs != nil {
				rule.Score = &[2]float64{t.points, t.points}
			}
		}
		s.Expect.Rules = append(s.Expect.Rules, rule)
	}
	return r.p.CountRules(file, v.line, len(s.Expect.Rules))
}

// answers makes the outputs that the package lacks, by the primary solution.
func (r *reader) answers() error {
	if r.p.Validation.Interactive {
		for _, c := range r.p.Cases {
			if err := r.p.Sizes(c); err != nil {
				return err
			}
		}
		return nil
	}
	return r.p.MakeAnswers(r.primary, func(c *draft.Case) error {
		return r.p.Tree.Errorf(c.Answer, 0, "add primary=yes to a section [solution_…]", "no such file, and no solution that makes it")
	})
}
