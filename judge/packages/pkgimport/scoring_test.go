package pkgimport

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/points"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/repo"
)

// TestScoring checks that the key scoring, written and read back, gives the same groups.
func TestScoring(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(15, 3))
	randomScore := func() *float64 {
		return []*float64{nil, nil, new(0.0), new(0.25), new(1e6), new(30.0)}[r.IntN(6)]
	}
	icpc2023 := func(names []string) points.Rule {
		l := points.ICPC2023{Max: randomScore(), Aggregation: points.Aggregation(r.IntN(4))}
		if l.Max == nil && r.IntN(4) == 0 {
			l.Max = new(math.Inf(1))
		}
		if len(names) > 0 && r.IntN(2) == 0 {
			l.Requires = names[:1+r.IntN(len(names))]
		}
		return l
	}
	legacy := func([]string) points.Rule {
		l := points.Legacy{
			Continue: r.IntN(2) == 0, Verdicts: points.Verdicts(r.IntN(3)), Scores: points.Scores(r.IntN(4)),
			AnyAccepted: r.IntN(2) == 0, IgnoreSample: r.IntN(2) == 0, AcceptScore: randomScore(), RejectScore: randomScore(), Scored: true, Minimize: true,
		}
		if r.IntN(2) == 0 {
			l.Range = &[2]float64{math.Inf(-1), 100}
		}
		if r.IntN(3) == 0 {
			l.Custom, l.CustomFlags, l.Verdicts, l.Scores, l.AnyAccepted, l.IgnoreSample = true, []string{"100", "a b"}, 0, 0, false, false
		}
		return l
	}
	verdicts := func([]string) points.Rule {
		l := legacy(nil).(points.Legacy)
		return points.Legacy{Continue: l.Continue, Verdicts: l.Verdicts, AnyAccepted: l.AnyAccepted, IgnoreSample: l.IgnoreSample}
	}
	polygon := func(names []string) points.Rule {
		l := points.Polygon{Points: map[int]float64{}, Complete: r.IntN(2) == 0}
		if len(names) > 0 && r.IntN(2) == 0 {
			l.Requires = names[len(names)-1:]
		}
		return l
	}
	const passFail = "pass-fail"
	tried := map[string]int{}
	for range 400 {
		kind := []string{"2025-09", "legacy", "polygon", passFail}[r.IntN(4)]
		rule := map[string]func([]string) points.Rule{"2025-09": icpc2023, "legacy": legacy, "polygon": polygon, passFail: verdicts}[kind]
		p := &plan{Job: &Job{ID: "p", Problem: &problem.Problem{}}, grader: "g.1"}
		root := &points.Group{Rule: rule(nil)}
		if kind == "2025-09" {
			root.Rule = points.ICPC2023{}
		}
		addCases := func(g *points.Group, name string) {
			for n := range 1 + r.IntN(2) {
				i := len(p.cases)
				g.Cases = append(g.Cases, i)
				c := importedCase{Case: cases.Case{Name: fmt.Sprintf("%s/%d", name, n), Group: name, Input: new("x")}}
				if l, is := g.Rule.(points.Polygon); is {
					c.Points = float64(r.IntN(5)) / 2
					l.Points[i] = c.Points
				}
				p.cases = append(p.cases, c)
			}
		}
		secret := &points.Group{Name: "secret", Rule: rule(nil)}
		var names []string
		for n := range 1 + r.IntN(3) {
			in := &points.Group{Name: fmt.Sprintf("secret/g%d", n), Rule: rule(names)}
			names = append(names, in.Name)
			addCases(in, fmt.Sprintf("g%d", n))
			if r.IntN(3) == 0 { // cases of a deeper folder, which is not a group in its format
				addCases(in, fmt.Sprintf("g%d-more", n))
			}
			secret.Groups = append(secret.Groups, in)
		}
		if r.IntN(2) == 0 {
			addCases(secret, "secret")
		}
		root.Groups = append(root.Groups, secret)
		if root.Check() != nil {
			continue
		}
		tried[kind]++
		p.Problem.Groups, p.Problem.Scoring = root, kind != passFail
		d := document{
			title: "t", source: "s", types: []string{"scoring"}, limits: limits.Limits{CPU: 1e9, Memory: limits.MiB, Output: 1}, compare: diff.Options{Mode: diff.Exact},
			format: "legacy", statement: "S.", input: "I.", output: "O.",
		}
		if kind == passFail {
			d.types = []string{passFail}
		}
		if root.Custom() {
			p.Problem.Grader = &problem.Grader{Program: "graders/g.1.py"}
		}
		d.scoring = p.scoring()
		dir := t.TempDir()
		write := func(name string, text []byte) {
			if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		write("problems/p.yaml", d.text("p"))
		groups := map[string][]cases.Case{}
		for _, c := range p.cases {
			groups[c.Group] = append(groups[c.Group], c.Case)
		}
		for name, list := range groups {
			text, err := cases.Text(name, list)
			if err != nil {
				t.Fatal(err)
			}
			write("cases/p/"+name+".yaml", text)
		}
		got, err := repo.Load(dir, "p")
		if err != nil {
			t.Fatalf("%v\n%s", err, d.text("p"))
		}
		if diff := cmp.Diff(root, got.Groups); diff != "" || got.Scoring != p.Problem.Scoring {
			t.Fatalf("%s\n%s", diff, d.text("p"))
		}
		if (got.Grader != nil) != root.Custom() || got.Grader != nil && got.Grader.Program != "reference/p/graders/g.1" {
			t.Fatalf("grader %+v", got.Grader)
		}
	}
	for _, kind := range []string{"2025-09", "legacy", "polygon", passFail} {
		if tried[kind] < 20 {
			t.Errorf("%s: only %d trees were valid", kind, tried[kind])
		}
	}
}
