package pkgformat

import (
	"strings"

	"tribunal/judge/internal/verdict"
)

// Sets of verdicts that submissions promise.
var (
	accepted = verdict.AC.Class()
	wrong    = verdict.WA.Class()
	slow     = verdict.TLE.Class()
	crashed  = verdict.RTE.Class()
	failed   = verdict.CE.Class()
	rejected = wrong | slow | crashed
	anyCase  = verdict.OfCase()

	// finer are the verdicts of a case that tribunal has and the formats do not.
	finer = anyCase &^ verdict.SetOf(verdict.BigFive()...)
)

// maxRules bounds the rules of all submissions.
const maxRules = 1 << 20

// countRules counts rules of submissions, which the line of a file gives, and fails if there are too many.
func (p *Package) countRules(rel string, line, count int) error {
	if p.rules += count; p.rules > maxRules {
		return p.files.errorf(rel, line, "", "more than %d rules for all submissions together", maxRules)
	}
	return nil
}

// allowPartialScores also lets a solution that should get WA be accepted on every test, if it gets
// less than the full score: in problems with points this counts as rejected.
func (p *Package) allowPartialScores() {
	for i := range p.Submissions {
		e := &p.Submissions[i].Expect
		if p.Scoring && e.Final&accepted == 0 && e.Final.Has(verdict.WA) {
			e.Final, e.Partial = e.Final|accepted, true
		}
	}
}

// results maps the names for several verdicts at once, in upper case with dashes, to those
// verdicts.
var results = map[string]verdict.Set{"REJECTED": rejected | failed, "CHECK-MANUALLY": anyCase | failed}

// parseResult returns the verdicts that a name means, such as wrong-answer; false if it is unknown.
// Upper and lower case are the same, and so are dashes, underscores and blanks.
func parseResult(name string) (verdict.Set, bool) {
	if v, ok := verdict.Named(name); ok {
		return v.Class(), true
	}
	s, ok := results[strings.NewReplacer("_", "-", " ", "-").Replace(strings.ToUpper(strings.TrimSpace(name)))]
	return s, ok
}

// closers end the comment that contains an annotation.
var closers = []string{"*/", "-->", "*)", "-}", "#}", "|#", "=#", "]]", `"""`, "'''"}
