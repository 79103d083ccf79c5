package points

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"tribunal/judge/internal/verdict"
)

// Legacy is the rule of a group in the legacy format. The zero value is the rule of a group without
// settings, which the default grader scores.
//
// An accepted case has AcceptScore points and a rejected one RejectScore. If Scored is true, the
// output validator may give an accepted case a Score, which counts instead. The points of an
// accepted group must be in Range.
type Legacy struct {
	Continue bool     // on_reject: judge the cases and groups after a rejected one
	Verdicts Verdicts // how the verdict is computed
	Scores   Scores   // how the points are computed

	AnyAccepted  bool // the group is accepted if any case or group in it is
	IgnoreSample bool // in the root, only the last group counts; ignored elsewhere

	AcceptScore *float64    // nil means 1
	RejectScore *float64    // nil means 0
	Range       *[2]float64 // minimum and maximum points, possibly infinite; nil means any

	// Custom means that the package's own grader computes verdict and points, with these flags. It
	// is unknown in advance whether it will reject the group, so all cases after a rejected one
	// count.
	Custom      bool
	CustomFlags []string

	Scored   bool // the output validator may give scores
	Minimize bool // in the root: fewer points are better
}

// Verdicts is the way in which the default grader combines verdicts.
type Verdicts uint8

const (
	WorstError   Verdicts = iota // the worst by severity
	FirstError                   // the first that is not accepted
	AlwaysAccept                 // always accepted
)

// Scores is the way in which the default grader combines scores.
type Scores uint8

const (
	ScoreSum Scores = iota
	ScoreAvg
	ScoreMin
	ScoreMax
)

// Flags applies flags of the default grader, such as "first_error max". Later flags override
// earlier ones. Unknown flags are an error.
func (l *Legacy) Flags(flags []string) error {
	for _, f := range flags {
		switch f {
		case "worst_error", "no_errors": // its former name
			l.Verdicts = WorstError
		case "first_error":
			l.Verdicts = FirstError
		case "always_accept":
			l.Verdicts = AlwaysAccept
		case "sum":
			l.Scores = ScoreSum
		case "avg":
			l.Scores = ScoreAvg
		case "min":
			l.Scores = ScoreMin
		case "max":
			l.Scores = ScoreMax
		case "ignore_sample":
			l.IgnoreSample = true
		case "accept_if_any_accepted":
			l.AnyAccepted = true
		default:
			return fmt.Errorf("unknown grader flag %q (hint: the default grader knows worst_error, first_error, always_accept, "+
				"sum, avg, min, max, ignore_sample and accept_if_any_accepted)", f)
		}
	}
	return nil
}

// Words returns flags from which [Legacy.Flags] makes this rule, or the flags of a custom grader.
func (l Legacy) Words() (flags []string) {
	if l.Custom {
		return l.CustomFlags
	}
	if l.Verdicts != WorstError {
		flags = append(flags, map[Verdicts]string{FirstError: "first_error", AlwaysAccept: "always_accept"}[l.Verdicts])
	}
	if l.Scores != ScoreSum {
		flags = append(flags, map[Scores]string{ScoreAvg: "avg", ScoreMin: "min", ScoreMax: "max"}[l.Scores])
	}
	if l.IgnoreSample {
		flags = append(flags, "ignore_sample")
	}
	if l.AnyAccepted {
		flags = append(flags, "accept_if_any_accepted")
	}
	return flags
}

func (l Legacy) requires() []string { return nil }

func (l Legacy) reject(n *node, at int) bool {
	if !l.Continue {
		n.lastCase = min(n.lastCase, at)
		n.lastGroup = n.lastCase
	}
	switch {
	case l.Custom, l.Verdicts == AlwaysAccept:
		return false
	case l.AnyAccepted && l.Continue:
		return n.rejections == len(n.items)
	case l.AnyAccepted:
		return n.lastCase == 0
	}
	return true
}

// share computes the best scores of the whole tree, bottom-up. It does so only when called for the
// root.
func (l Legacy) share(n *node) {
	if n.up == nil {
		l.bound(n, l.Minimize)
	}
}

func (l Legacy) bound(n *node, least bool) float64 {
	end := math.Inf(1)
	if least {
		end = math.Inf(-1)
	}
	var list []float64
	for _, it := range n.items {
		switch {
		case it.node != nil:
			list = append(list, it.node.Rule.(Legacy).bound(it.node, least))
		case l.Scored:
			list = append(list, end)
		default:
			list = append(list, or(l.AcceptScore, 1))
		}
	}
	if n.best = end; !l.Custom {
		n.best = l.score(n, list)
	}
	if r := l.Range; r != nil {
		n.best = max(r[0], min(r[1], n.best))
	}
	return n.best
}

func (l Legacy) add(n *node, a *adder) sum {
	var verdicts []verdict.Verdict
	var scores []float64
	for at, it := range n.items {
		var s sum
		switch {
		case it.node != nil:
			s = a.group(it.node, at > n.lastGroup)
		case at <= n.lastCase:
			s = l.addCase(n, a, it.index)
		}
		if at <= n.lastGroup {
			verdicts, scores = append(verdicts, s.verdict), append(scores, s.points)
		}
	}
	s := sum{l.verdict(n, verdicts), l.score(n, scores)}
	if l.Custom {
		s = l.custom(n, a, verdicts, scores)
	}
	if r := l.Range; r != nil && s.verdict == verdict.AC && (over(s.points, r[1]) || over(r[0], s.points)) {
		a.fail(n, "%v points, which is not from %v to %v", s.points, r[0], r[1])
	}
	return s
}

// custom returns the result of the package's grader.
func (l Legacy) custom(n *node, a *adder, verdicts []verdict.Verdict, scores []float64) sum {
	switch {
	case a.err != nil, slices.Contains(verdicts, verdict.None):
		return sum{}
	case slices.Contains(verdicts, verdict.JE):
		return sum{verdict: verdict.JE}
	case len(verdicts) == 0:
		return sum{verdict: verdict.AC}
	}
	of := make([]Part, len(verdicts))
	for i, v := range verdicts {
		of[i] = Part{v, scores[i]}
	}
	s, err := a.grader(l.CustomFlags, of)
	if err != nil {
		a.fail(n, "grader: %w", err)
	}
	return sum{s.Verdict, s.Points}
}

func (l Legacy) addCase(n *node, a *adder, i int) sum {
	r := a.result(i)
	s := sum{verdict: r.Verdict}
	switch {
	case r.Verdict == verdict.None:
	case r.Multiplier != nil:
		a.failCase(n, i, "the output validator gives it a multiplier, which the legacy format does not have")
	case r.Score != nil && !l.Scored:
		a.failCase(n, i, "the output validator gives it a score, which the package does not declare")
	case r.Score != nil && r.Verdict != verdict.AC:
		a.failCase(n, i, "the output validator does not accept it and gives it a score")
	case r.Score != nil:
		s.points = *r.Score
		if math.IsNaN(s.points) || math.IsInf(s.points, 0) {
			a.failCase(n, i, "the output validator gives it a score of %v", s.points)
			s.points = 0
		}
	case r.Verdict == verdict.AC:
		s.points = or(l.AcceptScore, 1)
	default:
		s.points = or(l.RejectScore, 0)
	}
	return s
}

// severity lists the verdicts from the worst to the best in the order of the format, with those
// that the format lacks beside the ones that they resemble. A verdict that is not in the list is
// worse than all others, so that none is accepted because it was forgotten here.
var severity = []verdict.Verdict{
	verdict.JE, verdict.CE, verdict.RTE, verdict.SV, verdict.MLE, verdict.TLE, verdict.ILE, verdict.OLE, verdict.WA, verdict.NO, verdict.PE, verdict.AC,
}

// verdict combines the verdicts of the cases and groups that count. It returns None while a missing
// verdict could change the result.
func (l Legacy) verdict(n *node, of []verdict.Verdict) verdict.Verdict {
	if slices.Contains(of, verdict.JE) { // even of a sample that is ignored
		return verdict.JE
	}
	of = counted(l, n, of)
	open := slices.Contains(of, verdict.None)
	switch {
	case l.Verdicts == AlwaysAccept, l.AnyAccepted && slices.Contains(of, verdict.AC) && (l.Continue || !open):
		return verdict.AC
	case open:
		return verdict.None
	case len(of) == 0:
		return verdict.AC
	case l.Verdicts == FirstError:
		return verdict.First(of)
	}
	return slices.MinFunc(of, func(a, b verdict.Verdict) int {
		return cmp.Compare(slices.Index(severity, a), slices.Index(severity, b))
	})
}

// score combines the points of the cases and groups that count.
func (l Legacy) score(n *node, of []float64) float64 {
	of = counted(l, n, of)
	if len(of) == 0 {
		return 0
	}
	switch l.Scores {
	case ScoreMin:
		return slices.Min(of)
	case ScoreMax:
		return slices.Max(of)
	}
	var total float64
	for _, p := range of {
		total += p
	}
	if l.Scores == ScoreAvg {
		total /= float64(len(of))
	}
	return total
}

// counted returns the results in a list that count for the verdict and the points of n.
func counted[T any](l Legacy, n *node, of []T) []T {
	if l.IgnoreSample && n.up == nil && len(of) > 0 {
		return of[len(of)-1:]
	}
	return of
}

func or(p *float64, def float64) float64 {
	if p != nil {
		return *p
	}
	return def
}
