package points

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"tribunal/judge/internal/verdict"
)

// A model computes points directly as the specification of the format describes them, from all
// results at once and without skipping cases.
type model struct {
	results []Result
	groups  map[string]*Group
	points  map[string]float64 // of groups, by name
	judged  map[int]bool       // only for the legacy format: the cases that a judge would run
}

func newModel(all *Group, results []Result) *model {
	m := &model{results: results, groups: map[string]*Group{}, points: map[string]float64{}, judged: map[int]bool{}}
	var walk func(g *Group)
	walk = func(g *Group) {
		m.groups[g.Name] = g
		for _, in := range g.Groups {
			walk(in)
		}
	}
	walk(all)
	return m
}

// icpc2023 returns the points of a group with the given maximum.
func (m *model) icpc2023(g *Group, most float64) float64 {
	l := g.Rule.(ICPC2023)
	agg := l.Aggregation
	if agg == Default {
		agg = PassFail
		if g.Name == "secret" {
			agg = Sum
		}
	}
	given, sharing := 0.0, float64(len(g.Cases))
	for _, in := range g.Groups {
		if most := in.Rule.(ICPC2023).Max; most != nil {
			given += *most
		} else {
			sharing++
		}
	}
	each := most
	if agg == Sum && !math.IsInf(most, 1) {
		each = (most - given) / sharing
	}
	if agg == PassFail {
		each = 0
	}
	var list []float64
	for _, i := range g.Cases {
		switch r := m.results[i]; {
		case r.Verdict != verdict.AC:
			list = append(list, 0)
		case r.Score != nil:
			list = append(list, *r.Score)
		case r.Multiplier != nil:
			list = append(list, each**r.Multiplier)
		default:
			list = append(list, each)
		}
	}
	for _, in := range g.Groups {
		own := each
		if most := in.Rule.(ICPC2023).Max; most != nil {
			own = *most
		}
		list = append(list, m.icpc2023(in, own))
	}
	points := 0.0
	switch {
	case len(list) == 0 || !m.mayBeJudged(g):
	case agg == PassFail && m.passed(g):
		points = most
	case agg == Min:
		points = slices.Min(list)
	case agg == Sum:
		for _, p := range list {
			points += p
		}
	}
	m.points[g.Name] = points
	return points
}

// passed reports whether all cases and groups of g are accepted, and g may be judged.
func (m *model) passed(g *Group) bool {
	for _, i := range g.Cases {
		if m.results[i].Verdict != verdict.AC {
			return false
		}
	}
	return m.mayBeJudged(g) && !slices.ContainsFunc(g.Groups, func(in *Group) bool { return !m.passed(in) })
}

// mayBeJudged reports whether all groups that g requires are accepted.
func (m *model) mayBeJudged(g *Group) bool {
	return !slices.ContainsFunc(g.Rule.(ICPC2023).Requires, func(name string) bool {
		to := m.groups[name]
		return to != nil && !m.passed(to)
	})
}

// legacy returns the verdict and the points of a group: it judges the cases in turn, like a judge
// that stops at failures, and then applies the default grader.
func (m *model) legacy(g *Group, root bool) (verdict.Verdict, float64) {
	l := g.Rule.(Legacy)
	groups := slices.Clone(g.Groups)
	var verdicts []verdict.Verdict
	var scores []float64
	for i := range m.results {
		var v verdict.Verdict
		var s float64
		if at := slices.IndexFunc(groups, func(in *Group) bool { first, _ := firstCase(in); return first == i }); at >= 0 {
			v, s = m.legacy(groups[at], false)
		} else if slices.Contains(g.Cases, i) {
			m.judged[i] = true
			v, s = m.results[i].Verdict, or(l.RejectScore, 0)
			if v == verdict.AC {
				s = or(m.results[i].Score, or(l.AcceptScore, 1))
			}
		} else {
			continue
		}
		verdicts, scores = append(verdicts, v), append(scores, s)
		if v != verdict.AC && !l.Continue {
			break
		}
	}
	if len(verdicts) == 0 {
		return verdict.AC, 0
	}
	if root && l.IgnoreSample {
		verdicts, scores = verdicts[len(verdicts)-1:], scores[len(scores)-1:]
	}
	v := verdict.AC
	switch i := slices.IndexFunc(verdicts, func(v verdict.Verdict) bool { return v != verdict.AC }); {
	case i < 0 || l.Verdicts == AlwaysAccept || l.AnyAccepted && slices.Contains(verdicts, verdict.AC):
	case l.Verdicts == FirstError:
		v = verdicts[i]
	default:
		for _, w := range []verdict.Verdict{verdict.WA, verdict.TLE, verdict.RTE} { // from the best to the worst
			if slices.Contains(verdicts, w) {
				v = w
			}
		}
	}
	s := scores[0]
	for _, next := range scores[1:] {
		switch l.Scores {
		case ScoreMin:
			s = min(s, next)
		case ScoreMax:
			s = max(s, next)
		default:
			s += next
		}
	}
	if l.Scores == ScoreAvg {
		s /= float64(len(scores))
	}
	m.points[g.Name] = s
	return v, s
}

const rounds = 3000

func near(a, b float64) bool { return !over(a, b) && !over(b, a) }

// TestICPC2023Model compares the points of random trees with those of the model.
func TestICPC2023Model(t *testing.T) {
	t.Parallel()
	c := &randomTrees{Rand: rand.New(rand.NewPCG(1, 2))}
	for range rounds {
		all, results := c.icpc2023()
		got, err := all.Add(results, nil)
		if err != nil {
			t.Fatal(err)
		}
		m := newModel(all, results)
		want := m.icpc2023(all.Groups[1], or(all.Groups[1].Rule.(ICPC2023).Max, 100))
		first := verdict.AC
		for _, r := range results {
			if first == verdict.AC {
				first = r.Verdict
			}
		}
		if !near(got.Points, want) || got.Verdict != first {
			t.Fatalf("%v points, %v; want %v, %v of\n%s", got.Points, got.Verdict, want, first, show(all, results))
		}
		for _, o := range got.Groups {
			if want := m.points[o.Group.Name]; !o.LeftOut && o.Group != all && !near(o.Points, want) {
				t.Fatalf("%s: %v points, want %v of\n%s", o.Group.Name, o.Points, want, show(all, results))
			}
		}
	}
}

// TestLegacyModel compares the points and the judged cases of random trees with those of the model.
func TestLegacyModel(t *testing.T) {
	t.Parallel()
	c := &randomTrees{Rand: rand.New(rand.NewPCG(3, 4))}
	for range rounds {
		all, results := c.legacy()
		got, err := all.Add(results, nil)
		if err != nil {
			t.Fatal(err)
		}
		m := newModel(all, results)
		v, want := m.legacy(all, true)
		if v != verdict.AC {
			want = 0
		}
		if !near(got.Points, want) || got.Verdict != v {
			t.Fatalf("%v points, %v; want %v, %v of\n%s", got.Points, got.Verdict, want, v, show(all, results))
		}
		for _, o := range got.Groups {
			if want, judged := m.points[o.Group.Name]; judged == o.LeftOut && len(o.Group.Cases) > 0 || !near(o.Points, want) {
				t.Fatalf("%s: %+v, want %v points of\n%s", o.Group.Name, o, want, show(all, results))
			}
		}
		known := all.Count()
		for i := range results {
			if known.Needed(i) != m.judged[i] {
				t.Fatalf("case %d: needed %v, judged %v of\n%s", i, known.Needed(i), m.judged[i], show(all, results))
			}
			known.Set(i, results[i].Verdict)
		}
	}
}

// TestFirstFailure checks that trees whose verdict is that of the first failing case, or which need all
// cases, say so, and that those which say otherwise sometimes decide otherwise.
func TestFirstFailure(t *testing.T) {
	t.Parallel()
	c := &randomTrees{Rand: rand.New(rand.NewPCG(9, 10))}
	first, needsAll, others := 0, 0, 0
	for range rounds {
		all, results := c.legacy()
		calm := c.of(50) // few trees are strict by chance
		strict := c.of(50)
		soften := func(l Legacy) Rule {
			if strict {
				l.Verdicts, l.AnyAccepted, l.IgnoreSample = Verdicts(c.IntN(2)), false, false
			}
			l.Continue = l.Continue && !calm
			return l
		}
		var walk func(g *Group)
		walk = func(g *Group) {
			g.Rule = soften(g.Rule.(Legacy))
			for _, in := range g.Groups {
				walk(in)
			}
		}
		walk(all)
		var verdicts []verdict.Verdict
		for _, r := range results {
			verdicts = append(verdicts, r.Verdict)
		}
		got, err := all.Add(results, nil)
		if err != nil {
			t.Fatal(err)
		}
		accepted := !slices.ContainsFunc(verdicts, func(v verdict.Verdict) bool { return v != ac })
		if all.NeedsAll() {
			if needsAll++; (got.Verdict == ac) != accepted {
				t.Fatalf("%v, but it needs all cases:\n%s", got.Verdict, show(all, results))
			}
		} else if got.Verdict == ac && !accepted {
			others++
		}
		if all.FirstFailure() {
			if first++; len(verdicts) > 0 && got.Verdict != verdict.First(verdicts) {
				t.Fatalf("%v is not that of the first failure:\n%s", got.Verdict, show(all, results))
			}
			known := all.Count()
			failed := false
			for i, v := range verdicts {
				if known.Needed(i) == failed {
					t.Fatalf("case %d is needed: %v, after a failure: %v:\n%s", i, known.Needed(i), failed, show(all, results))
				}
				known.Set(i, v)
				failed = failed || v != ac
			}
		}
	}
	if min(first, needsAll-first, others) < rounds/20 {
		t.Errorf("%d trees with the first failure, %d more that need all, %d accepted with a failure: too few", first, needsAll-first, others)
	}
}

// TestNeeded judges the cases of random trees in random order, and skips those that are not needed
// when their turn comes. The score must be the same as with all results.
func TestNeeded(t *testing.T) {
	t.Parallel()
	c := &randomTrees{Rand: rand.New(rand.NewPCG(5, 6))}
	skipped := 0
	for i := range rounds {
		all, results := c.icpc2023()
		if i%2 == 0 {
			all, results = c.legacy()
		}
		want, err := all.Add(results, nil)
		if err != nil {
			t.Fatal(err)
		}
		known := all.Count()
		some := make([]Result, len(results))
		order := c.Perm(len(results))
		if c.of(30) {
			slices.Sort(order)
		}
		var never []int
		for _, i := range order {
			if known.Needed(i) {
				some[i] = results[i]
				known.Set(i, results[i].Verdict)
			} else {
				never = append(never, i)
			}
		}
		skipped += len(never)
		for _, i := range never {
			if known.Needed(i) {
				t.Fatalf("case %d is needed again after %v of\n%s", i, order, show(all, results))
			}
		}
		if got, err := all.Add(some, nil); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("without %v: %+v, error %v\nwant %+v of\n%s", never, got, err, want, show(all, results))
		}
	}
	if skipped < rounds/2 {
		t.Errorf("only %d cases were skipped: too few to test anything", skipped)
	}
}
