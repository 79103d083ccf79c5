package points

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"tribunal/judge/internal/verdict"
)

// Legacy is the rule of a group in the legacy format, graded by the default grader.
// Its zero value is what a group has that says nothing.
//
// A case has its Score, which only an accepted one may have and only where Scored
// allows it, or else AcceptScore or RejectScore. A group that is accepted must have
// its points in Range.
type Legacy struct {
	Continue bool     // on_reject: after a rejected case or group, judge those that follow
	Verdicts Verdicts // what makes the verdict
	Scores   Scores   // what makes the points

	AnyAccepted  bool // accepted if any case or group is
	IgnoreSample bool // in the outermost group, the last of its groups counts alone; elsewhere nothing

	AcceptScore *float64    // nil is 1
	RejectScore *float64    // nil is 0
	Range       *[2]float64 // least and most points, which may be infinite; nil is any

	// Custom has a grader of the package make the verdict and the points, with these
	// flags. Whether it will reject the group is not known before: what comes after it
	// counts.
	Custom      bool
	CustomFlags []string

	Scored   bool // the output validator may give scores
	Minimize bool // in the outermost group: the fewer points the better
}

// Verdicts is how the default grader makes one verdict of several.
type Verdicts uint8

// What the default grader knows.
const (
	WorstError   Verdicts = iota // the worst, in the order of the format
	FirstError                   // the first that is not accepted
	AlwaysAccept                 // accepted
)

// Scores is how the default grader makes one score of several.
type Scores uint8

// What the default grader knows.
const (
	ScoreSum Scores = iota
	ScoreAvg
	ScoreMin
	ScoreMax
)

// Flags sets what the flags of the default grader say, such as "first_error max". Of
// several that contradict each other the last holds. Unknown flags are an error.
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

// Words returns flags that [Legacy.Flags] reads as the rule's, or those of the custom grader.
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

// share works out the best of the whole tree at its root, from below.
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

// custom returns what the package's grader makes of cases and groups with these.
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
		a.failCase(n, i, "the output validator gives it a multiplier, which the legacy format does not know")
	case r.Score != nil && !l.Scored:
		a.failCase(n, i, "the output validator gives it a score, which the package does not say it does")
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

// severity is the order of the format from the worst, to which the outcomes that it does
// not know are added beside those that they are most like. What is not in it is worse than
// all that is, so that nothing is accepted because it was forgotten here.
var severity = []verdict.Verdict{
	verdict.JE, verdict.CE, verdict.RTE, verdict.SV, verdict.MLE, verdict.TLE, verdict.ILE, verdict.OLE, verdict.WA, verdict.NO, verdict.PE, verdict.AC,
}

// verdict returns that of a group whose cases and groups that count have these. It is
// None as long as one is missing that could matter.
func (l Legacy) verdict(n *node, of []verdict.Verdict) verdict.Verdict {
	of = counted(l, n, of)
	open := slices.Contains(of, verdict.None)
	switch {
	case slices.Contains(of, verdict.JE):
		return verdict.JE
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

// score returns the points of a group whose cases and groups that count have these.
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

// counted returns what the verdict and the points are made of.
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
