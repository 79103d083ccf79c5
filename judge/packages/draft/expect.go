package draft

import (
	"strings"

	"tribunal/judge/internal/verdict"
)

// Sets of verdicts that submissions promise.
var (
	Accepted = verdict.AC.Class()
	Wrong    = verdict.WA.Class()
	Slow     = verdict.TLE.Class()
	Crashed  = verdict.RTE.Class()
	Failed   = verdict.CE.Class()
	Rejected = Wrong | Slow | Crashed
	AnyCase  = verdict.OfCase()

	// Finer are the verdicts of a case that tribunal has and the formats do not.
	Finer = AnyCase &^ verdict.SetOf(verdict.BigFive()...)
)

// maxRules bounds the rules of all submissions.
const maxRules = 1 << 20

// CountRules counts rules of submissions, which the line of a file gives, and fails if there are too many.
func (p *Draft) CountRules(rel string, line, count int) error {
	if p.rules += count; p.rules > maxRules {
		return p.Tree.Errorf(rel, line, "", "more than %d rules for all submissions together", maxRules)
	}
	return nil
}

// AllowPartialScores also lets a solution that should get WA be accepted on every test, if it gets
// less than the full score: in problems with points this counts as rejected.
func (p *Draft) AllowPartialScores() {
	for i := range p.Submissions {
		e := &p.Submissions[i].Expect
		if p.Scoring && e.Final&Accepted == 0 && e.Final.Has(verdict.WA) {
			e.Final, e.Partial = e.Final|Accepted, true
		}
	}
}

// results maps the names for several verdicts at once, in upper case with dashes, to those
// verdicts.
var results = map[string]verdict.Set{"REJECTED": Rejected | Failed, "CHECK-MANUALLY": AnyCase | Failed}

// ParseResult returns the verdicts that a name means, such as wrong-answer; false if it is unknown.
// Upper and lower case are the same, and so are dashes, underscores and blanks.
func ParseResult(name string) (verdict.Set, bool) {
	if v, ok := verdict.Named(name); ok {
		return v.Class(), true
	}
	s, ok := results[strings.NewReplacer("_", "-", " ", "-").Replace(strings.ToUpper(strings.TrimSpace(name)))]
	return s, ok
}

// Closers end the comment that contains an annotation.
var Closers = []string{"*/", "-->", "*)", "-}", "#}", "|#", "=#", "]]", `"""`, "'''"}
