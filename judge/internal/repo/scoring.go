package repo

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/points"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/yamlstrict"
)

// scoringDocument is the scoring in a problem file.
type scoringDocument struct {
	Place     yamlstrict.Place
	Rules     string          `yaml:"rules" enum:"2025-09,legacy,polygon" doc:"which rules make the points: those of problem packages of the versions 2023-07 and 2025-09, those of the legacy version, or Polygon's; with type: pass-fail, legacy rules make only the verdict"`
	Objective string          `yaml:"objective" enum:"max,min" doc:"whether more or fewer points are better; with rules: legacy"`
	Scores    bool            `yaml:"custom_scoring" doc:"the output validator may give scores; with rules: legacy"`
	Grader    string          `yaml:"grader,word" pattern:"[A-Za-z0-9_][A-Za-z0-9_.-]*" doc:"name of the folder below reference/<id>/graders/ of the program that makes the points of groups with grading: custom"`
	Groups    []groupDocument `yaml:"groups,required,nonempty" doc:"the groups of cases that have points; the groups around them need not be named"`
}

// groupDocument is a test group with points.
type groupDocument struct {
	Place    yamlstrict.Place
	Name     string   `yaml:"name,word" pattern:"[^/]+(/[^/]+)*" doc:"path of the group, such as secret/small; by default the root group"`
	Cases    []string `yaml:"cases,word" doc:"files of cases in cases/<id>/, without .yaml; by default the file named like the last part of the group's name"`
	Requires []string `yaml:"require_pass,word" doc:"groups that must be accepted for this one to get points; with rules: 2025-09 and polygon"`

	Max         *score `yaml:"max_score" doc:"the most points, or inf; with rules: 2025-09"`
	Aggregation string `yaml:"score_aggregation" enum:"pass-fail,sum,min" doc:"how the points of cases and inner groups are combined; with rules: polygon, pass-fail or sum"`

	OnReject string    `yaml:"on_reject" enum:"break,continue" doc:"whether judging continues after the first failure; with rules: legacy, like all keys below"`
	Grading  string    `yaml:"grading" enum:"default,custom" doc:"which grader computes the points"`
	Flags    []string  `yaml:"grader_flags,word" doc:"flags of the default grader, such as first_error and min, or arguments of the custom one"`
	Accept   *score    `yaml:"accept_score" doc:"points of an accepted case; by default 1"`
	Reject   *score    `yaml:"reject_score" doc:"points of any other case; by default 0"`
	Range    *[2]score `yaml:"range" doc:"least and most points, which may be -inf and inf"`
}

// score is a number of points, which may be infinite.
type score float64

// UnmarshalText reads a number, inf or -inf.
func (s *score) UnmarshalText(text []byte) error {
	switch word := string(text); word {
	case "inf", "-inf":
	default:
		if f, err := strconv.ParseFloat(word, 64); err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
			return fmt.Errorf("%.40q is not a number of points (hint: write it like 30 or 0.5, or inf)", word)
		}
	}
	f, err := strconv.ParseFloat(string(text), 64)
	*s = score(f)
	return err
}

// number returns the number of points, or nil if s is nil.
func (s *score) number() *float64 {
	if s == nil {
		return nil
	}
	f := float64(*s)
	return &f
}

// Values of the key "rules".
const (
	legacyRules  = "legacy"
	polygonRules = "polygon"
)

// keys lists the keys that a group may have besides name and cases, for each value of the key
// "rules". "" is the value 2025-09.
var keys = map[string][]string{
	"":           {"require_pass", "max_score", "score_aggregation"},
	legacyRules:  {"on_reject", "grading", "grader_flags", "accept_score", "reject_score", "range"},
	polygonRules: {"require_pass", "score_aggregation"},
}

// checkScoring finds mistakes in the scoring that do not depend on the cases.
func (d *document) checkScoring() error {
	s := d.Scoring
	switch {
	case s == nil && d.is(scoring):
		return d.Place.Errorf("type", "add scoring: {groups: …}", "type scoring without the key scoring, which defines the points")
	case s == nil:
		return nil
	case !d.is(scoring) && !(d.is("pass-fail") && s.Rules == legacyRules):
		return d.Place.Errorf("scoring", "add type: [scoring]", "the key scoring, but type is not scoring")
	case d.is("pass-fail") && d.is(scoring):
		return d.Place.Errorf("type", "leave one of them out", "both pass-fail and scoring")
	}
	own := strings.TrimPrefix(s.Rules, "2025-09")
	for _, key := range []string{"objective", "custom_scoring", "grader"} {
		switch {
		case !s.Place.Has(key):
		case !d.is(scoring):
			return s.Place.Errorf(key, "leave it out, or write type: [scoring]", "%s in a problem without points", key)
		case own != legacyRules && key != "grader":
			return s.Place.Errorf(key, "add rules: legacy, or leave it out", "%s does not belong to these rules", key)
		}
	}
	mine := keys[own]
	if !d.is(scoring) {
		mine = []string{"on_reject", "grader_flags"}
	}
	custom := false
	for i, g := range s.Groups {
		custom = custom || g.Grading == "custom"
		if slices.ContainsFunc(s.Groups[:i], func(o groupDocument) bool { return o.Name == g.Name }) {
			return g.Place.Errorf("name", "merge them", "two groups are called %q", g.Name)
		}
		for _, of := range keys {
			for _, key := range of {
				if g.Place.Has(key) && !slices.Contains(mine, key) {
					return g.Place.Errorf(key, "these rules have "+strings.Join(mine, ", "), "%s does not belong to these rules", key)
				}
			}
		}
		if own == polygonRules && g.Aggregation == "min" {
			return g.Place.Errorf("score_aggregation", "write sum or pass-fail", "these rules have no min")
		}
		if g.Grading != "custom" {
			if err := new(points.Legacy).Flags(g.Flags); err != nil {
				return g.Place.Errorf("grader_flags", "", "%v", err)
			}
		}
	}
	switch {
	case custom && s.Grader == "":
		return s.Place.Errorf("", "add grader: NAME", "grading: custom without a grader")
	case s.Grader != "" && !custom:
		return s.Place.Errorf("grader", "write grading: custom in a group", "a grader that no group uses")
	case len(d.Outputs) > 1 && own != legacyRules && !d.is(interactive):
		return d.Place.Errorf("output_validators", "combine them into one", "several output validators of a scoring problem, whose scores cannot be combined")
	}
	return nil
}

// scoring adds the test groups to the problem. It reads the problem's cases, each of which must be
// in a group.
func (d *document) scoring(p *problem.Problem) error {
	if d.Scoring == nil {
		return nil
	}
	set, err := p.Read()
	if err != nil {
		return err
	}
	if list := set.Optional(); len(list) > 0 {
		return p.Errorf("scoring", "leave optional out of its file", "the group %s is optional, but points count all cases", list[0].Name)
	}
	t := tree{doc: d.Scoring, set: set, group: map[string]*points.Group{}, taken: map[string]bool{}}
	root, err := t.build()
	if err != nil {
		return err
	}
	if err := root.Check(); err != nil {
		text, hint := strings.ReplaceAll(err.Error(), "\n", "; "), "correct the groups"
		if strings.Contains(text, "(hint: ") {
			hint = ""
		}
		return p.Errorf("scoring", hint, "%s", text)
	}
	p.Groups, p.Scoring = root, d.is(scoring)
	if d.Scoring.Grader != "" {
		p.Grader = &problem.Grader{Program: filepath.Join(Graders(p.ID), d.Scoring.Grader), Limits: cmp.Or(d.Limits.validation(), limits.Validator)}
	}
	return nil
}

// tree builds the tree of test groups of a problem.
type tree struct {
	doc   *scoringDocument
	set   *cases.Set
	group map[string]*points.Group // groups by name
	taken map[string]bool          // names of case files whose cases belong to a group
}

func (t *tree) build() (*points.Group, error) {
	for _, g := range t.doc.Groups {
		for _, name := range g.Cases {
			if t.taken[name] {
				return nil, g.Place.Errorf("cases", "keep one of them", "the cases of %s are in two groups", name)
			}
			t.taken[name] = true
		}
	}
	root := t.at("")
	for _, g := range t.doc.Groups {
		if err := t.fill(t.at(g.Name), g); err != nil {
			return nil, err
		}
	}
	if t.doc.Rules != legacyRules && t.doc.Rules != polygonRules {
		t.at("secret")
	}
	for _, of := range t.set.Groups { // the sample group is added if the document does not name it
		switch {
		case t.taken[of.Name]:
		case of.Name == "sample" && t.group["sample"] == nil:
			g := t.at("sample")
			t.addCases(g, of.Name)
			g.Rule = t.rule(groupDocument{}, g.Cases)
		default:
			return nil, t.doc.Place.Errorf("groups", "add "+of.Name+" to the cases of one", "the cases of %s are in no group", of.Name)
		}
	}
	return root, nil
}

// at returns the group with a name. If there is none, it makes the group and adds it to its parent.
func (t *tree) at(name string) *points.Group {
	if g := t.group[name]; g != nil {
		return g
	}
	g := &points.Group{Name: name, Rule: t.rule(groupDocument{}, nil)}
	t.group[name] = g
	if name != "" {
		parent := ""
		if i := strings.LastIndexByte(name, '/'); i >= 0 {
			parent = name[:i]
		}
		p := t.at(parent)
		p.Groups = append(p.Groups, g)
	}
	return g
}

func (t *tree) fill(g *points.Group, d groupDocument) error {
	list := d.Cases
	if last := d.Name[strings.LastIndexByte(d.Name, '/')+1:]; !d.Place.Has("cases") && !t.taken[last] &&
		slices.ContainsFunc(t.set.Groups, func(of cases.Group) bool { return of.Name == last }) {
		list = []string{last}
	}
	for _, name := range list {
		if !t.addCases(g, name) {
			var known []string
			for _, of := range t.set.Groups {
				known = append(known, of.Name)
			}
			hint := "they are " + strings.Join(known, ", ")
			if near := yamlstrict.Nearest(name, known); near != "" {
				hint = "did you mean " + near + "?"
			}
			return d.Place.Errorf("cases", hint, "there is no group of cases %s", name)
		}
	}
	g.Rule = t.rule(d, g.Cases)
	return nil
}

// addCases adds the cases of a case file to a group. It reports false if there is no such file, or
// no case in it.
func (t *tree) addCases(g *points.Group, name string) bool {
	for i, c := range t.set.Cases {
		if c.Group == name {
			g.Cases = append(g.Cases, i)
			t.taken[name] = true
		}
	}
	slices.Sort(g.Cases)
	return t.taken[name] && slices.ContainsFunc(t.set.Groups, func(of cases.Group) bool { return of.Name == name })
}

// rule returns the rule by which a group with these cases computes its points.
func (t *tree) rule(d groupDocument, list []int) points.Rule {
	switch t.doc.Rules {
	case legacyRules:
		r := points.Legacy{
			Continue: d.OnReject == "continue", AcceptScore: d.Accept.number(), RejectScore: d.Reject.number(),
			Scored: t.doc.Scores, Minimize: t.doc.Objective == "min",
		}
		if d.Range != nil {
			r.Range = &[2]float64{float64(d.Range[0]), float64(d.Range[1])}
		}
		if d.Grading == "custom" {
			r.Custom, r.CustomFlags = true, d.Flags
		} else {
			_ = r.Flags(d.Flags) // checkScoring has validated the flags
		}
		return r
	case polygonRules:
		r := points.Polygon{Points: map[int]float64{}, Complete: d.Aggregation == "pass-fail", Requires: d.Requires}
		for _, i := range list {
			r.Points[i] = t.set.Cases[i].Points
		}
		return r
	}
	r := points.ICPC2023{Max: d.Max.number(), Requires: d.Requires}
	switch d.Aggregation {
	case "pass-fail":
		r.Aggregation = points.PassFail
	case "sum":
		r.Aggregation = points.Sum
	case "min":
		r.Aggregation = points.Min
	}
	return r
}
