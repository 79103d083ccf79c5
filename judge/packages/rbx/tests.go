package rbx

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"tribunal/judge/internal/quote"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/tree"
	"tribunal/judge/packages/yamlloose"
)

// group is a group or a subgroup of tests as problem.rbx.yml describes it.
type group struct {
	name       string
	line       int
	listed     []yamlloose.Node // of testcases
	glob       *yamlloose.Node
	calls      []test
	script     *script
	validator  string   // "" for that of the problem
	validators []string // extraValidators
	vars       *vars
	ownVars    bool
	score      float64
	deps       []string
	depsAt     yamlloose.Node
	model      string // path of the solution that makes the answers; "" for the main one
	subgroups  []*group
	made       *draft.Group // nil as long as it has no tests
}

// script is a generator script: a text, or a program that prints one.
type script struct {
	path, root string
	box        bool
	from       string
}

// readScript reads the keys of a generator script.
func (r *reader) readScript(n yamlloose.Node) (*script, error) {
	s := &script{from: fmt.Sprintf("%s:%d", file, n.Line())}
	_, err := r.item(n, map[string]func(yamlloose.Node) error{
		"root": func(n yamlloose.Node) (err error) { s.root, err = r.path(n); return err },
		"format": func(n yamlloose.Node) error {
			format, err := n.Text()
			if s.box = format == "box"; err == nil && !s.box && format != "rbx" {
				err = n.Wrong("it is rbx or box", "unknown format %s", quote.Name(format))
			}
			return err
		},
	})
	if err != nil {
		return nil, err
	}
	s.path, err = r.code(n, "root", "format")
	return s, err
}

// group reads a group or a subgroup.
func (r *reader) group(n yamlloose.Node) (*group, error) {
	g := &group{line: n.Line()}
	var vars, subgroups *yamlloose.Node
	err := n.Each(map[string]func(yamlloose.Node) error{
		"name": yamlloose.Into(&g.name),
		"testcases": func(n yamlloose.Node) error {
			return r.eachItem(n, func(n yamlloose.Node) error { g.listed = append(g.listed, n); return nil })
		},
		"testcaseGlob": func(n yamlloose.Node) error { g.glob = &n; return nil },
		"generators": func(n yamlloose.Node) error {
			return r.eachItem(n, func(n yamlloose.Node) error {
				one := test{line: n.Line(), script: file}
				g.calls = append(g.calls, one)
				c := &g.calls[len(g.calls)-1]
				return n.Each(map[string]func(yamlloose.Node) error{"name": yamlloose.Into(&c.call), "args": yamlloose.Into(&c.args)})
			})
		},
		"generatorScript": func(n yamlloose.Node) (err error) { g.script, err = r.readScript(n); return err },
		"validator": func(n yamlloose.Node) (err error) {
			g.validator, err = r.code(n)
			r.addValidators(g.validator)
			return err
		},
		"extraValidators":  func(n yamlloose.Node) (err error) { g.validators, err = r.codes(n); return err },
		"outputValidators": r.outputValidators,
		"vars":             func(n yamlloose.Node) error { vars = &n; return nil },
		"score":            yamlloose.NumberInto(&g.score, 0),
		"deps":             func(n yamlloose.Node) (err error) { g.deps, err = n.Texts(); g.depsAt = n; return err },
		"model_solution": func(n yamlloose.Node) (err error) {
			g.model, err = r.code(n, "outcome", "score", "tags", "inference")
			return err
		},
		"subgroups":  func(n yamlloose.Node) error { subgroups = &n; return r.list(n) },
		"visualizer": nil, "solutionVisualizer": nil,
	})
	if err != nil {
		return nil, err
	}
	if g.name == "" || strings.ContainsFunc(g.name, func(c rune) bool { return c != '-' && (c > 0x7f || !isName(byte(c))) }) || g.name[0] == '-' {
		return nil, n.Errorf("write name: with letters, digits, - and _", "a group of tests with the name %s", quote.Name(g.name))
	}
	g.ownVars = vars != nil
	if g.vars, err = r.vars.over(vars, &r.Notebook); err != nil || subgroups == nil {
		return g, err
	}
	for _, item := range subgroups.Items() {
		sub, err := r.group(*item)
		if err != nil {
			return nil, err
		}
		g.subgroups = append(g.subgroups, sub)
	}
	return g, nil
}

// eachItem reads the elements of a list.
func (r *reader) eachItem(n yamlloose.Node, read func(yamlloose.Node) error) error {
	for _, item := range n.Items() {
		if err := read(*item); err != nil {
			return err
		}
	}
	return r.list(n)
}

// maxRbx is the largest number of tests.
const maxRbx = 100_000

// tests lists the cases of all groups.
func (r *reader) tests() error {
	for _, g := range r.groups {
		of := &draft.Group{Name: g.name}
		prefix := ""
		if len(g.subgroups) > 0 {
			prefix = "0-"
		}
		if err := r.testsOf(of, g, g, g.name, prefix); err != nil {
			return err
		}
		for i, sub := range g.subgroups {
			if err := r.testsOf(of, g, sub, g.name+"/"+sub.name, fmt.Sprintf("%d-%s-", i+1, sub.name)); err != nil {
				return err
			}
		}
		if len(of.Cases) == 0 {
			r.Note(file, g.line, "the group %s has no tests", g.name)
			continue
		}
		if len(r.Cases)+len(of.Cases) > maxRbx {
			return r.Tree.Errorf(file, g.line, "", "more than %d tests of all groups together", maxRbx)
		}
		g.made = of
		r.Data.Groups = append(r.Data.Groups, of)
		r.Cases = append(r.Cases, of.Cases...)
	}
	return nil
}

// testsOf adds the cases of one list of tests, which is that of a group or of a subgroup in it. key is
// the path of the one, and prefix how the names of its cases begin.
func (r *reader) testsOf(of *draft.Group, group, list *group, key, prefix string) error {
	first := len(of.Cases)
	add := func() *draft.Case {
		c := &draft.Case{Group: group.name, Name: fmt.Sprintf("%s/%s%03d", group.name, prefix, len(of.Cases)-first)}
		c.Validators = r.validatorsOf(group, list)
		c.InputArgs.All = group.vars.args(group.name)
		if !r.Validation.Interactive || len(r.Validation.Programs) > 0 { // otherwise no one reads it
			c.Answer = path.Join(made, c.Name+".out")
		}
		of.Cases = append(of.Cases, c)
		return c
	}
	for _, item := range list.listed {
		if err := r.listed(add(), item); err != nil {
			return err
		}
	}
	if list.glob != nil {
		if err := r.globbed(add, *list.glob); err != nil {
			return err
		}
	}
	for i := range list.calls {
		if err := r.test(add(), &list.calls[i], ""); err != nil {
			return err
		}
	}
	script := list.script
	if script == nil && list.listed == nil && list.glob == nil && list.calls == nil && list.subgroups == nil {
		script = r.script
	}
	if script == nil {
		return nil
	}
	tests, err := r.scripted(script)
	if err != nil {
		return err
	}
	if len(of.Cases)+len(tests) > maxRbx {
		return r.Tree.Errorf(file, group.line, "", "more than %d tests", maxRbx)
	}
	if err := r.Tree.Spend(script.path, 32*len(tests)); err != nil {
		return err
	}
	for i := range tests {
		if tests[i].of(key) {
			if err := r.test(add(), &tests[i], script.root); err != nil {
				return err
			}
		}
	}
	return nil
}

// validatorsOf returns the validators for the inputs of a group or of a subgroup in it.
func (r *reader) validatorsOf(group, list *group) []string {
	all := []string{}
	add := func(more ...string) {
		for _, rel := range more {
			if rel != "" && !slices.Contains(all, rel) {
				all = append(all, rel)
			}
		}
	}
	main := r.validator
	if group.validator != "" {
		main = group.validator
	}
	add(main)
	add(r.validators...)
	add(group.validators...)
	if list != group {
		add(list.validators...)
	}
	return all
}

// listed reads a test of the key testcases.
func (r *reader) listed(c *draft.Case, n yamlloose.Node) error {
	if !n.IsMapping() {
		return n.Wrong("write inputPath: tests/1.in", "a text or a list instead of a mapping")
	}
	var input, output string
	var at yamlloose.Node
	err := n.Each(map[string]func(yamlloose.Node) error{
		"inputPath":  func(n yamlloose.Node) (err error) { at = n; input, err = r.path(n); return err },
		"outputPath": func(n yamlloose.Node) (err error) { output, err = r.path(n); return err },
	})
	if err != nil {
		return err
	}
	if input == "" {
		return n.Wrong("write inputPath: tests/1.in", "a test without an input")
	}
	return r.copied(c, input, output, at.Wrong)
}

// copied sets the files of a case that the package holds. wrong returns an error at the place that
// names the input.
func (r *reader) copied(c *draft.Case, input, output string, wrong func(hint, format string, args ...any) error) error {
	file, _, err := r.Tree.Kind(input)
	if err != nil {
		return err
	}
	if !file {
		return wrong("add it", "there is no %s", quote.Name(input))
	}
	c.Input = input
	if output == "" {
		output = strings.TrimSuffix(input, path.Ext(input)) + ".ans"
	}
	if file, _, err := r.Tree.Kind(output); err != nil {
		return err
	} else if file {
		c.Answer = output
	}
	r.WindowsFiles(c)
	return nil
}

// globbed adds the inputs that a pattern matches.
func (r *reader) globbed(add func() *draft.Case, n yamlloose.Node) error {
	pattern, err := n.Text()
	if err != nil {
		return err
	}
	files, err := r.glob(pattern, n)
	if err != nil {
		return err
	}
	found := false
	for _, rel := range files {
		if path.Ext(rel) == ".in" {
			found = true
			if err := r.copied(add(), rel, "", n.Wrong); err != nil {
				return err
			}
		}
	}
	if !found {
		n.Doc.Notef(n.Line(), "no file matches %s", quote.Name(pattern))
	}
	return nil
}

// glob returns the files that a pattern of Python's pathlib matches, sorted as Python sorts paths.
func (r *reader) glob(pattern string, at yamlloose.Node) ([]string, error) {
	parts := strings.Split(path.Clean(pattern), "/")
	if path.IsAbs(pattern) || slices.Contains(parts, "..") {
		return nil, at.Wrong("write a pattern below the folder of "+file, "%s leads out of the package", quote.Name(pattern))
	}
	parts = slices.CompactFunc(parts, func(a, b string) bool { return a == "**" && b == "**" })
	var files []string
	err := r.globBelow(".", parts, &files, map[string]bool{})
	slices.SortFunc(files, cmpPaths)
	return slices.Compact(files), err
}

// globBelow adds the files below dir that match. met holds the folders that it has searched, each with
// the number of parts.
func (r *reader) globBelow(dir string, parts []string, files *[]string, met map[string]bool) error {
	place := fmt.Sprintf("%d %s", len(parts), dir)
	if met[place] {
		return nil
	}
	met[place] = true
	entries, err := r.ListSkipping(dir)
	if err != nil {
		return err
	}
	part, more := parts[0], parts[1:]
	if part == "**" && len(more) > 0 {
		if err := r.globBelow(dir, more, files, met); err != nil {
			return err
		}
	}
	for _, e := range entries {
		rel := path.Join(dir, e.Name)
		switch {
		case part == "**" && e.Dir && strings.Count(rel, "/") < tree.MaxDepth:
			err = r.globBelow(rel, parts, files, met)
		case part == "**" || !draft.Fnmatch(part, e.Name):
		case len(more) == 0 && !e.Dir:
			*files = append(*files, rel)
		case len(more) > 0 && e.Dir:
			err = r.globBelow(rel, more, files, met)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
