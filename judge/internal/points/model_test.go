package points

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"tribunal/judge/internal/verdict"
)

// A model computes points straight from the text of the format, with all results at hand and
// without skipping any case.
type model struct {
	results []Result
	groups  map[string]*Group
	points  map[string]float64 // of groups
	judged  map[int]bool       // legacy: the cases that a judge would run
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

// later returns the points of a group with the given maximum.
func (m *model) later(g *Group, most float64) float64 {
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
		list = append(list, m.later(in, own))
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

func (m *model) passed(g *Group) bool {
	for _, i := range g.Cases {
		if m.results[i].Verdict != verdict.AC {
			return false
		}
	}
	return m.mayBeJudged(g) && !slices.ContainsFunc(g.Groups, func(in *Group) bool { return !m.passed(in) })
}

func (m *model) mayBeJudged(g *Group) bool {
	return !slices.ContainsFunc(g.Rule.(ICPC2023).Requires, func(name string) bool {
		to := m.groups[name]
		return to != nil && !m.passed(to)
	})
}

// legacy judges the cases of a group in turn and then runs the default grader.
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

// chance makes small random trees and results.
type chance struct {
	*rand.Rand
	next  int      // case
	names []string // names of the groups so far
}

func (c *chance) of(percent int) bool { return c.IntN(100) < percent }

// fill gives g cases and groups in random order.
func (c *chance) fill(g *Group, depth int, rule func(g *Group) Rule) {
	c.names = append(c.names, g.Name)
	g.Rule = rule(g)
	for range c.IntN(6) {
		if depth > 0 && c.of(40) {
			in := &Group{Name: fmt.Sprintf("%s/%d", g.Name, len(g.Groups))}
			c.fill(in, depth-1, rule)
			g.Groups = append(g.Groups, in)
		} else {
			g.Cases = append(g.Cases, c.next)
			c.next++
		}
	}
}

func (c *chance) verdicts() []Result {
	reject := []int{5, 20, 50}[c.IntN(3)] // percent
	results := of(slices.Repeat([]verdict.Verdict{ac}, c.next)...)
	for i := range results {
		if c.of(reject) {
			results[i].Verdict = []verdict.Verdict{wa, tle, verdict.RTE}[c.IntN(3)]
		}
	}
	return results
}

// later returns a tree without contradictions, and results without errors.
func (c *chance) later() (*Group, []Result) {
	for {
		c.next, c.names = 0, nil
		all := &Group{Rule: ICPC2023{}}
		depth := map[string]int{"secret": c.IntN(3)}
		for _, name := range []string{"sample", "secret"} {
			g := &Group{Name: name}
			c.fill(g, depth[name], func(g *Group) Rule {
				if name == "sample" {
					return ICPC2023{}
				}
				l := ICPC2023{Aggregation: Aggregation(c.IntN(4))}
				if c.of(40) {
					l.Max = num([]float64{0, 10, 30, math.Inf(1)}[c.IntN(4)])
				}
				for c.of(30) {
					l.Requires = append(l.Requires, c.names[c.IntN(len(c.names))])
				}
				return l
			})
			all.Groups = append(all.Groups, g)
		}
		if all.Check() != nil {
			continue
		}
		results := c.verdicts()
		count := all.Count()
		count.root.shareAll()
		for i := range results {
			n := count.places[i].node
			if n == nil || results[i].Verdict != ac || n.Rule.(ICPC2023).aggregation(n) == PassFail {
				continue
			}
			switch bounded := !math.IsInf(n.caseBest, 1); {
			case !bounded:
				results[i].Score = num(float64(c.IntN(50)))
			case c.of(30):
				results[i].Score = num(n.caseBest / 2)
			case c.of(30):
				results[i].Multiplier = num(.25)
			}
		}
		if _, err := all.Add(results, nil); err == nil { // an error if a minimum of groups is above its best
			return all, results
		}
	}
}

func (c *chance) legacy() (*Group, []Result) {
	c.next, c.names = 0, nil
	all := &Group{}
	scored := c.of(30)
	c.fill(all, 3, func(*Group) Rule {
		l := Legacy{
			Continue: c.of(50), Verdicts: Verdicts(c.IntN(3)), Scores: Scores(c.IntN(4)),
			AnyAccepted: c.of(30), IgnoreSample: c.of(30), Scored: scored,
		}
		if c.of(40) {
			l.AcceptScore, l.RejectScore = num(float64(c.IntN(10))), num(float64(c.IntN(3)))
		}
		return l
	})
	results := c.verdicts()
	for i := range results {
		if scored && results[i].Verdict == ac && c.of(50) {
			results[i].Score = num(float64(c.IntN(20) - 5))
		}
	}
	return all, results
}

const rounds = 3000

func near(a, b float64) bool { return !over(a, b) && !over(b, a) }

func TestLaterIsTheModel(t *testing.T) {
	t.Parallel()
	c := &chance{Rand: rand.New(rand.NewPCG(1, 2))}
	for range rounds {
		all, results := c.later()
		got, err := all.Add(results, nil)
		if err != nil {
			t.Fatal(err)
		}
		m := newModel(all, results)
		want := m.later(all.Groups[1], or(all.Groups[1].Rule.(ICPC2023).Max, 100))
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

func TestLegacyIsTheModel(t *testing.T) {
	t.Parallel()
	c := &chance{Rand: rand.New(rand.NewPCG(3, 4))}
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

// TestNeeded judges cases in random order, and skips those that are not needed when their turn
// comes. The score must not change.
func TestNeeded(t *testing.T) {
	t.Parallel()
	c := &chance{Rand: rand.New(rand.NewPCG(5, 6))}
	left := 0
	for i := range rounds {
		all, results := c.later()
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
		left += len(never)
		for _, i := range never {
			if known.Needed(i) {
				t.Fatalf("case %d is needed again after %v of\n%s", i, order, show(all, results))
			}
		}
		if got, err := all.Add(some, nil); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("without %v: %+v, error %v\nwant %+v of\n%s", never, got, err, want, show(all, results))
		}
	}
	if left < rounds/2 {
		t.Errorf("only %d cases were left out: this tests nothing", left)
	}
}

// show formats a tree and its results for a person.
func show(g *Group, results []Result) string {
	s := fmt.Sprintf("%q %+v\n", g.Name, g.Rule)
	switch l := g.Rule.(type) {
	case ICPC2023:
		s = fmt.Sprintf("%q %v of %v, requires %v\n", g.Name, l.Aggregation, or(l.Max, -1), l.Requires)
	case Legacy:
		s += fmt.Sprintf("  accepted %v, rejected %v\n", or(l.AcceptScore, 1), or(l.RejectScore, 0))
	}
	for _, i := range g.Cases {
		s += fmt.Sprintf("  case %d %v score %v multiplier %v\n", i, results[i].Verdict, or(results[i].Score, -1), or(results[i].Multiplier, -1))
	}
	for _, in := range g.Groups {
		s += show(in, results)
	}
	return s
}
