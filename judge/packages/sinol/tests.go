package sinol

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tribunal/judge/packages/draft"
)

// made is the folder of the inputs that the generator leaves.
const made = ".made/in"

// list finds the tests. If groups lack them, the generator makes more.
func (r *reader) list() error {
	r.tests = map[int][]test{}
	list, err := r.Tree.List("in")
	if err != nil {
		return err
	}
	for _, e := range list {
		if !e.Dir {
			r.add(path.Join("in", e.Name))
		}
	}
	complete := slices.ContainsFunc(slices.Collect(maps.Keys(r.tests)), func(g int) bool { return g > 0 })
	for g := range r.scores {
		complete = complete && (g == 0 || r.tests[g] != nil)
	}
	generator, err := r.program("ingen")
	if err != nil || complete || generator == "" {
		return err
	}
	step := draft.Step{Program: generator, LeftIn: made, From: "in/"}
	if path.Ext(generator) == ".sh" {
		if step, err = r.script(step); err != nil {
			return err
		}
	}
	if err := r.Make([]draft.Step{step}); err != nil {
		return err
	}
	for _, rel := range r.Made() {
		name := strings.TrimPrefix(rel, made+"/")
		if given, _, err := r.Tree.Kind(path.Join("in", name)); err != nil {
			return err
		} else if given || strings.Contains(name, "/") || !r.add(rel) {
			delete(r.MadeFiles, rel)
		}
	}
	return nil
}

// add adds the test of an input, which is named like abc1a.in: by task, group and test. It reports
// whether it is one.
func (r *reader) add(rel string) bool {
	name := path.Base(rel)
	m := regexp.MustCompile(`^` + regexp.QuoteMeta(r.id) + `(([0-9]{1,6})[a-z0-9]*)\.in$`).FindStringSubmatch(name)
	if m == nil {
		if !strings.HasPrefix(rel, made) && path.Ext(name) == ".in" {
			r.NoteFile("in", "inputs that are not named like tests, not read", rel)
		}
		return false
	}
	g, _ := strconv.Atoi(m[2])
	if strings.HasSuffix(m[1], "ocen") { // for contestants, to try their programs
		g = 0
	}
	r.tests[g] = append(r.tests[g], test{m[1], rel})
	return true
}

// group returns the name of a group.
func (r *reader) group(g int) string {
	if g == 0 {
		return "sample"
	}
	return fmt.Sprintf("secret/%d", g)
}

// points arranges the cases into groups. Without scores, all groups are worth the same.
func (r *reader) points() error {
	if len(r.requires) > 0 && r.Validation.Programs != nil {
		return r.Tree.Errorf(sinolFile, 0, "put the tests into each group", "subtask_dependencies of a task with a checker are not supported")
	}
	groups := slices.Sorted(maps.Keys(r.tests))
	counted := slices.DeleteFunc(slices.Clone(groups), func(g int) bool { return g == 0 })
	if r.scores == nil && len(counted) > 0 {
		r.scores = map[int]float64{}
		each := math.Floor(100 / float64(len(counted)))
		for _, g := range counted {
			r.scores[g] = each
		}
		r.scores[counted[len(counted)-1]] += 100 - each*float64(len(counted))
	}
	total := 0.0
	secret := &draft.Group{Name: "secret", Settings: draft.Settings{Aggregation: "sum", MaxScore: &total}}
	for _, g := range groups {
		worth, known := r.scores[g]
		if !known && g > 0 {
			return r.Tree.Errorf(sinolFile, 0, "add it to scores", "group %d has no points", g)
		}
		list := r.tests[g]
		slices.SortFunc(list, func(a, b test) int {
			return cmp.Or(cmp.Compare(len(a.name), len(b.name)), strings.Compare(a.name, b.name))
		})
		of := &draft.Group{Name: r.group(g)}
		if g == 0 {
			r.Data.Groups = append(r.Data.Groups, of)
		} else {
			of.Settings = draft.Settings{Aggregation: "min", MaxScore: &worth, RoundUp: true}
			if len(r.requires) > 0 { // without a checker it is the same, and others may require it
				of.Settings.Aggregation = "pass-fail"
			}
			for _, on := range r.requires[g] {
				if r.tests[on] == nil {
					return r.Tree.Errorf(sinolFile, 0, "", "group %d depends on group %d, which has no tests", g, on)
				}
				of.Settings.RequirePass = append(of.Settings.RequirePass, r.group(on))
			}
			secret.Groups = append(secret.Groups, of)
			total += worth
		}
		for _, t := range list {
			c := &draft.Case{Name: of.Name + "/" + t.name, Group: of.Name, Input: t.input, Answer: path.Join("out", r.id+t.name+".out")}
			if r.Validation.Interactive {
				c.Answer, c.Args = "", []string{"0"} // the number of the process
			}
			c.InputArgs.All = []string{r.id + t.name + ".in"}
			of.Cases = append(of.Cases, c)
			r.Cases = append(r.Cases, c)
		}
	}
	r.Data.Groups = append(r.Data.Groups, secret)
	r.Scoring = total > 0 && r.contest != "icpc"
	if r.contest == "oi" {
		r.Note(sinolFile, 0, "points do not depend on the time that a program takes, as they do in sinol_contest_type: oi")
	}
	return nil
}

// model returns the path of the main solution; "" if there is none.
func (r *reader) model() string {
	for _, ext := range draft.CmsExtensions {
		rel := path.Join("prog", r.id+ext)
		if file, _, err := r.Tree.Kind(rel); err == nil && file {
			return rel
		}
	}
	return ""
}

// answers makes the answers that the package lacks, by the main solution.
func (r *reader) answers() error {
	return r.MakeAnswers(r.model(), func(c *draft.Case) error {
		return r.Tree.Errorf(c.Answer, 0, "add prog/"+r.id+".cpp, or another language's", "no such file, and no solution that makes it")
	})
}
