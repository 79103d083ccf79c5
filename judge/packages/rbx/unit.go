package rbx

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"tribunal/judge/internal/quote"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/tree"
	"tribunal/judge/packages/yamlloose"
)

// readUnitTests reads the tests of the validators and of the checker.
func (r *reader) readUnitTests() error {
	if r.unitTests == nil {
		return nil
	}
	return r.unitTests.Each(map[string]func(yamlloose.Node) error{
		"validator": func(n yamlloose.Node) error { return r.eachItem(n, r.validatorTest) },
		"checker":   func(n yamlloose.Node) error { return r.eachItem(n, r.checkerTest) },
	})
}

// unitKeys reads the keys of a set of tests.
func (r *reader) unitKeys(n yamlloose.Node, more map[string]func(yamlloose.Node) error) (pattern, plan, outcome *yamlloose.Node, err error) {
	keep := func(to **yamlloose.Node) func(yamlloose.Node) error {
		return func(n yamlloose.Node) error { *to = &n; return nil }
	}
	known := map[string]func(yamlloose.Node) error{"glob": keep(&pattern), "testplan": keep(&plan), "outcome": keep(&outcome)}
	for key, read := range more {
		known[key] = read
	}
	err = n.Each(known)
	switch {
	case err != nil:
	case pattern == nil && plan == nil:
		err = n.Wrong("write glob: or testplan:", "tests without files")
	case pattern != nil && outcome == nil:
		err = pattern.Wrong("write outcome: beside it", "tests without an expected outcome")
	}
	return pattern, plan, outcome, err
}

// unitFiles returns the files that a pattern matches, with a note if there are none.
func (r *reader) unitFiles(n yamlloose.Node) ([]string, error) {
	pattern, err := n.Text()
	if err != nil {
		return nil, err
	}
	files, err := r.glob(pattern, n)
	if err == nil && len(files) == 0 {
		n.Doc.Notef(n.Line(), "no file matches %s", quote.Name(pattern))
	}
	return files, err
}

// units reads a plan of tests, and its path.
func (r *reader) units(n yamlloose.Node) (string, []unit, error) {
	rel, err := r.path(n)
	if err != nil {
		return "", nil, err
	}
	data, err := r.Tree.Read(rel, tree.MaxDocument)
	if err == nil && data == nil {
		err = n.Wrong("add it", "there is no %s", quote.Name(rel))
	}
	if err == nil {
		data, err = r.Tree.Text(rel, data)
	}
	if err != nil {
		return "", nil, err
	}
	list, err := parseUnits(r.Tree, rel, string(data))
	return rel, list, err
}

// validatorTest reads tests of the validators.
func (r *reader) validatorTest(n yamlloose.Node) error {
	all := &group{}
	validators := r.validatorsOf(all, all)
	pattern, plan, outcome, err := r.unitKeys(n, map[string]func(yamlloose.Node) error{
		"validator": func(n yamlloose.Node) error {
			rel, err := r.code(n)
			validators = []string{rel}
			r.addValidators(rel)
			return err
		},
	})
	if err != nil {
		return err
	}
	add := func(input, outcome string, at func(hint, format string, args ...any) error) error {
		c := &draft.Case{Name: input, Input: input, Validators: validators}
		c.InputArgs.All = r.vars.args("")
		to := &r.ValidInput
		if strings.EqualFold(outcome, "invalid") {
			to = &r.InvalidInput
		} else if !strings.EqualFold(outcome, "valid") {
			return at("it is valid or invalid", "unknown outcome %s", quote.Name(outcome))
		}
		*to = append(*to, c)
		return r.Sizes(c)
	}
	if plan != nil {
		rel, units, err := r.units(*plan)
		for i := 0; i < len(units) && err == nil; i++ {
			u := units[i]
			input := fmt.Sprintf("%s:%d", rel, u.line)
			if err = r.write(input, u.given["input"]); err == nil {
				err = add(input, u.outcome, func(hint, format string, args ...any) error {
					return r.Tree.Errorf(rel, u.line, hint, format, args...)
				})
			}
		}
		return err
	}
	text, err := outcome.Text()
	if err != nil {
		return err
	}
	files, err := r.unitFiles(*pattern)
	for i := 0; i < len(files) && err == nil; i++ {
		err = add(files[i], text, outcome.Wrong)
	}
	return err
}

// checkerTest reads tests of the checker.
func (r *reader) checkerTest(n yamlloose.Node) error {
	pattern, plan, outcome, err := r.unitKeys(n, nil)
	if err != nil {
		return err
	}
	if len(r.Validation.Programs) == 0 {
		n.Doc.Notef(n.Line(), "not run: tests of a checker that is not in the package")
		return nil
	}
	if plan != nil {
		rel, units, err := r.units(*plan)
		for i := 0; i < len(units) && err == nil; i++ {
			err = r.checkerUnit(rel, units[i], plan)
		}
		return err
	}
	set, err := rbxOutcome(*outcome)
	if err != nil {
		return err
	}
	files, err := r.unitFiles(*pattern)
	if err != nil {
		return err
	}
	known := map[string]bool{}
	for _, rel := range files {
		ext := path.Ext(rel)
		stem := strings.TrimSuffix(rel, ext)
		if !slices.Contains([]string{".in", ".out", ".ans"}, ext) || known[stem] {
			continue
		}
		known[stem] = true
		c := &draft.Case{Name: stem}
		for ext, to := range map[string]*string{".in": &c.Input, ".out": &c.Output, ".ans": &c.Answer} {
			file, _, err := r.Tree.Kind(stem + ext)
			if err != nil {
				return err
			}
			if file {
				*to = stem + ext
			}
		}
		if err := r.addOutput(c, set, rel); err != nil {
			return err
		}
	}
	return nil
}

// checkerUnit adds a test of the checker in a plan.
func (r *reader) checkerUnit(rel string, u unit, plan *yamlloose.Node) error {
	c := &draft.Case{Name: fmt.Sprintf("%s:%d", rel, u.line)}
	for kind, to := range map[string]*string{"input": &c.Input, "output": &c.Output, "answer": &c.Answer} {
		text, given := u.given[kind]
		if !given {
			continue
		}
		*to = c.Name + "." + kind
		if err := r.write(*to, text); err != nil {
			return err
		}
	}
	made := *plan.Raw
	made.Value, made.Line = u.outcome, u.line
	at := plan.Doc.Node(&made)
	set, err := rbxOutcome(at)
	if err != nil {
		return r.Tree.Errorf(rel, u.line, "such as accepted or wrong answer", "unknown outcome %s", quote.Name(u.outcome))
	}
	return r.addOutput(c, set, rel)
}

// addOutput adds a test of the checker, which accepts the output, rejects it, or fails.
func (r *reader) addOutput(c *draft.Case, set verdict.Set, rel string) error {
	if c.Output == "" {
		c.Output = c.Name + ".out"
		if err := r.write(c.Output, ""); err != nil {
			return err
		}
	}
	switch {
	case set == draft.Accepted:
		r.ValidOutput = append(r.ValidOutput, c)
	case set == draft.Wrong || set == outcomes()["incorrect"]:
		r.InvalidOutput = append(r.InvalidOutput, c)
	case set == draft.AnyCase:
		return nil
	default:
		r.Note(rel, 0, "not used: a test of the checker that expects neither accepted nor wrong answer")
		return nil
	}
	return r.Sizes(c)
}
