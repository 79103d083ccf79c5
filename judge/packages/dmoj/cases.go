package dmoj

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"tribunal/judge/internal/points"
	"tribunal/judge/internal/quote"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/yamlloose"
)

// cases reads the cases. Successive cases outside of batches are a group; so is each batch, which
// has its points only if all its cases are accepted. If a case or a batch without points is not
// accepted, nothing after it counts.
func (d *reader) cases() error {
	if v := d.top.get("pretest_test_cases"); v != nil {
		if err := d.list(*v, true); err != nil {
			return err
		}
	}
	v := d.top.get("test_cases")
	if v != nil && v.Items() != nil {
		return d.list(*v, false)
	}
	return d.matched(v)
}

// list reads a list of cases and batches.
func (d *reader) list(n yamlloose.Node, pretest bool) error {
	for _, item := range n.Items() {
		s, err := d.scope(*item, d.top)
		if err != nil {
			return err
		}
		if v := s.keys["batched"]; v.Raw != nil {
			err = d.batch(s, v, pretest)
		} else {
			err = d.single(s, pretest)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (d *reader) single(s *scope, pretest bool) error {
	worth, err := d.worth(s, pretest)
	if err != nil {
		return err
	}
	return d.add(d.group(worth > 0), s, worth, worth, 0)
}

// worth returns the points of a case.
func (d *reader) worth(s *scope, pretest bool) (float64, error) {
	v := s.get("points")
	switch {
	case pretest:
		return 0, nil
	case v == nil:
		return 1, nil
	}
	return v.Number(0)
}

// group returns the group for the next case outside of batches, with points or without.
func (d *reader) group(points bool) *draft.Group {
	root := d.Data
	name := "pretests"
	if points {
		name = "tests"
	}
	again := 1
	for i, g := range root.Groups {
		if first, _, _ := strings.Cut(g.Name, "-"); first == name {
			if i == len(root.Groups)-1 {
				return g
			}
			again++
		}
	}
	if again > 1 {
		name += "-" + strconv.Itoa(again)
	}
	return d.begin(name, nil, !points)
}

// begin adds a group. It counts only if the groups that it requires and all pretests before it are
// accepted.
func (d *reader) begin(name string, requires []string, pretest bool) *draft.Group {
	g := &draft.Group{Name: name}
	g.Settings.RequirePass = slices.Concat(d.pretests, requires)
	if pretest {
		g.Settings.Aggregation = "pass-fail"
		d.pretests = append(d.pretests, name)
	}
	d.Data.Groups = append(d.Data.Groups, g)
	return g
}

// batch reads a batch.
func (d *reader) batch(s *scope, list yamlloose.Node, pretest bool) error {
	var requires []string
	if v := s.get("dependencies"); v != nil {
		for _, item := range v.Items() {
			text, err := item.Text()
			k, bad := strconv.Atoi(text)
			switch {
			case err != nil:
				return err
			case bad != nil || k < 1 || k > len(d.batches):
				return item.Wrong("batches are counted from 1", "%s is not the number of an earlier batch", quote.Name(text))
			}
			requires = append(requires, d.batches[k-1])
		}
	}
	var all []*scope
	for _, item := range list.Items() {
		one, err := d.scope(*item, s)
		if err != nil {
			return err
		}
		if _, nested := one.keys["batched"]; nested {
			return item.Errorf("", "a batch within a batch")
		}
		all = append(all, one)
	}
	return d.addBatch(s, all, requires, pretest)
}

// addBatch adds a batch with its cases.
func (d *reader) addBatch(s *scope, all []*scope, requires []string, pretest bool) error {
	worth := 0.0
	for i, one := range all {
		own, err := d.worth(one, pretest)
		switch {
		case err != nil:
			return err
		case i == 0:
			worth = own
		case own != worth:
			return one.line.Errorf("give the points to the batch", "the cases of a batch have %v and %v points", worth, own)
		}
	}
	if len(all) == 0 {
		return s.line.Errorf("", "a batch without cases")
	}
	name := "batch" + strconv.Itoa(len(d.batches)+1)
	d.batches = append(d.batches, name)
	g := d.begin(name, requires, worth == 0)
	g.Settings.Aggregation = "pass-fail"
	points := worth
	for _, one := range all {
		if err := d.add(g, one, points, worth, len(d.batches)); err != nil {
			return err
		}
		points = 0 // the first case has the points of the batch
	}
	return nil
}

// add adds a case to a group. worth is what a checker may give it, batch the number of its batch, or 0.
// Its generator makes what it has no file for; without a generator that is empty.
func (d *reader) add(g *draft.Group, s *scope, points, worth float64, batch int) error {
	d.count++
	d.total += points
	c := &draft.Case{Name: fmt.Sprintf("%s/%d", g.Name, d.count), Group: g.Name, Points: points, Lines: true}
	if v := s.get("binary_data"); v != nil {
		binary, err := v.Flag()
		if err != nil {
			return err
		}
		c.Lines = !binary
	}
	var err error
	if c.OutputArgs, err = d.settingsOf(c, worth, batch); err != nil {
		return err
	}
	if v, own := s.keys["checker"]; own {
		return v.Errorf("name one checker for all cases", "checkers of single cases are not supported")
	}
	for _, one := range []struct {
		key string
		to  *string
	}{{"in", &c.Input}, {"out", &c.Answer}} {
		if v := s.get(one.key); v != nil {
			if *one.to, err = d.data(v); err != nil {
				return err
			}
		}
	}
	if err = d.generate(c, s); err != nil {
		return err
	}
	if c.Input == "" {
		d.NoteFile(".", "cases without an input, which is empty", c.Name)
	}
	if c.Answer == "" && !d.Validation.Interactive {
		d.NoteFile(".", "cases without an answer, which is empty", c.Name)
	}
	g.Cases = append(g.Cases, c)
	d.Cases = append(d.Cases, c)
	return nil
}

// data returns the path of a file of a case, which is in the package or in its archive.
func (d *reader) data(v *yamlloose.Node) (string, error) {
	name, err := packagePath(v)
	if err != nil {
		return "", err
	}
	for _, rel := range []string{name, path.Join(cmp.Or(d.archive, "."), name)} {
		if file, _, err := d.Tree.Kind(rel); err != nil || file {
			return rel, err
		}
	}
	if d.archive != "" {
		return "", v.Wrong("add it", "%s is neither in the package nor in %s", quote.Name(name), d.archive)
	}
	return "", v.Wrong("add it", "%s is not in the package", quote.Name(name))
}

// generate adds the step that makes what a case has no file for: the generator writes the input to
// standard output and the answer to standard error.
func (d *reader) generate(c *draft.Case, s *scope) error {
	v := s.get("generator")
	if v == nil || c.Input != "" && c.Answer != "" {
		return nil
	}
	args, in := s.get("generator_args"), s.get("generator_in")
	if c.Input != "" && (args != nil || in != nil) {
		return s.line.Errorf("remove one of them", "a case with an input and arguments of a generator")
	}
	step := draft.Step{From: fmt.Sprintf("%s:%d", initFile, s.line.Line())}
	source, keys := v, &scope{}
	if v.IsMapping() {
		more, err := d.plain(*v)
		if err != nil {
			return err
		}
		if source = more.get("source"); source == nil {
			return v.Wrong("add source: …", "no program")
		}
		if args == nil {
			args = more.get("args")
		}
		keys = more
	}
	var err error
	if step.Program, err = d.program(source); err == nil {
		err = d.compiled(step.Program, keys, "language")
	}
	if err == nil {
		step.CPU, step.Memory, err = d.bounds(keys, 0, 0)
	}
	if err != nil {
		return err
	}
	if args != nil {
		for _, one := range args.Items() {
			text, err := one.Text()
			if err != nil {
				return err
			}
			step.Args = append(step.Args, pythonText(one, text))
		}
	}
	if in != nil {
		if step.Input, err = d.data(in); err != nil {
			return err
		}
	}
	if c.Input == "" {
		c.Input = fmt.Sprintf("generated/%d.in", d.count)
		step.Stdout = c.Input
	}
	if c.Answer == "" {
		c.Answer = fmt.Sprintf("generated/%d.out", d.count)
		step.Stderr = c.Answer
	}
	d.steps = append(d.steps, step)
	return nil
}

// pythonText returns a scalar as DMOJ's judge gives it to a generator: str(value) of Python.
func pythonText(n *yamlloose.Node, text string) string {
	switch {
	case n.Raw == nil:
		return "None"
	case n.Raw.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0:
		return text
	}
	switch strings.ToLower(text) {
	case "true", "yes", "on":
		return "True"
	case "false", "no", "off":
		return "False"
	}
	return text
}

// make runs the generators, and sets the sizes of all files of the cases.
func (d *reader) make() error {
	if err := d.Make(d.steps); err != nil {
		return err
	}
	for _, c := range d.Cases {
		if err := d.Sizes(c); err != nil {
			return err
		}
	}
	return nil
}

// dmojPoints returns DMOJ's rule of a group: a batch has the points of its first case.
func dmojPoints(p *draft.Draft, g *draft.Group, depth int, index map[*draft.Case]int) (points.Rule, error) {
	rule, err := draft.ByCases(p, g, depth, index)
	r := rule.(points.Polygon)
	if r.Refused = true; r.Complete && len(g.Cases) > 0 {
		r.Shared = g.Cases[0].Points
	}
	return r, err
}
