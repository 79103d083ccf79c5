package pkgformat

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
)

// sinolMade is the folder of the inputs that the generator leaves.
const sinolMade = ".made/in"

// list finds the tests. If groups lack them, the generator makes more.
func (r *sinolReader) list() error {
	r.tests = map[int][]sinolTest{}
	list, err := r.p.files.list("in")
	if err != nil {
		return err
	}
	for _, e := range list {
		if !e.dir {
			r.add(path.Join("in", e.name))
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
	step := Step{Program: generator, LeftIn: sinolMade, From: "in/"}
	if path.Ext(generator) == ".sh" {
		if step, err = r.script(step); err != nil {
			return err
		}
	}
	if err := r.p.make([]Step{step}); err != nil {
		return err
	}
	for _, rel := range r.p.Made() {
		name := strings.TrimPrefix(rel, sinolMade+"/")
		if given, _, err := r.p.files.kind(path.Join("in", name)); err != nil {
			return err
		} else if given || strings.Contains(name, "/") || !r.add(rel) {
			delete(r.p.made, rel)
		}
	}
	return nil
}

// add adds the test of an input, which is named like abc1a.in: by task, group and test. It reports
// whether it is one.
func (r *sinolReader) add(rel string) bool {
	name := path.Base(rel)
	m := regexp.MustCompile(`^` + regexp.QuoteMeta(r.id) + `(([0-9]{1,6})[a-z0-9]*)\.in$`).FindStringSubmatch(name)
	if m == nil {
		if !strings.HasPrefix(rel, sinolMade) && path.Ext(name) == ".in" {
			r.p.noteFile("in", "inputs that are not named like tests, not read", rel)
		}
		return false
	}
	g, _ := strconv.Atoi(m[2])
	if strings.HasSuffix(m[1], "ocen") { // for contestants, to try their programs
		g = 0
	}
	r.tests[g] = append(r.tests[g], sinolTest{m[1], rel})
	return true
}

// group returns the name of a group.
func (r *sinolReader) group(g int) string {
	if g == 0 {
		return "sample"
	}
	return fmt.Sprintf("secret/%d", g)
}

// points arranges the cases into groups. Without scores, all groups are worth the same.
func (r *sinolReader) points() error {
	p := r.p
	if len(r.requires) > 0 && p.Validation.Programs != nil {
		return p.files.errorf(sinolFile, 0, "put the tests into each group", "subtask_dependencies of a task with a checker are not supported")
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
	secret := &Group{Name: "secret", Settings: Settings{Aggregation: "sum", MaxScore: &total}}
	for _, g := range groups {
		worth, known := r.scores[g]
		if !known && g > 0 {
			return p.files.errorf(sinolFile, 0, "add it to scores", "group %d has no points", g)
		}
		list := r.tests[g]
		slices.SortFunc(list, func(a, b sinolTest) int {
			return cmp.Or(cmp.Compare(len(a.name), len(b.name)), strings.Compare(a.name, b.name))
		})
		of := &Group{Name: r.group(g)}
		if g == 0 {
			p.Data.Groups = append(p.Data.Groups, of)
		} else {
			of.Settings = Settings{Aggregation: "min", MaxScore: &worth, RoundUp: true}
			if len(r.requires) > 0 { // without a checker it is the same, and others may require it
				of.Settings.Aggregation = "pass-fail"
			}
			for _, on := range r.requires[g] {
				if r.tests[on] == nil {
					return p.files.errorf(sinolFile, 0, "", "group %d depends on group %d, which has no tests", g, on)
				}
				of.Settings.RequirePass = append(of.Settings.RequirePass, r.group(on))
			}
			secret.Groups = append(secret.Groups, of)
			total += worth
		}
		for _, t := range list {
			c := &Case{Name: of.Name + "/" + t.name, Group: of.Name, Input: t.input, Answer: path.Join("out", r.id+t.name+".out")}
			if p.Validation.Interactive {
				c.Answer, c.Args = "", []string{"0"} // the number of the process
			}
			c.InputArgs.All = []string{r.id + t.name + ".in"}
			of.Cases = append(of.Cases, c)
			p.Cases = append(p.Cases, c)
		}
	}
	p.Data.Groups = append(p.Data.Groups, secret)
	p.Scoring = total > 0 && r.contest != "icpc"
	if r.contest == "oi" {
		p.note(sinolFile, 0, "points do not depend on the time that a program takes, as they do in sinol_contest_type: oi")
	}
	return nil
}

// model returns the path of the main solution; "" if there is none.
func (r *sinolReader) model() string {
	for _, ext := range cmsExtensions {
		rel := path.Join("prog", r.id+ext)
		if file, _, err := r.p.files.kind(rel); err == nil && file {
			return rel
		}
	}
	return ""
}

// answers makes the answers that the package lacks, by the main solution.
func (r *sinolReader) answers() error {
	return r.p.makeAnswers(r.model(), func(c *Case) error {
		return r.p.files.errorf(c.Answer, 0, "add prog/"+r.id+".cpp, or another language's", "no such file, and no solution that makes it")
	})
}
