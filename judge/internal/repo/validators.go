package repo

import (
	"path/filepath"
	"slices"
	"strings"

	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/yamlstrict"
)

// validatorDocument is an input or output validator in a problem file.
type validatorDocument struct {
	Place    yamlstrict.Place
	Name     string   `yaml:"name,required,word" pattern:"[A-Za-z0-9_][A-Za-z0-9_.-]*" doc:"of the folder of its program; cases call it so"`
	Protocol string   `yaml:"protocol" enum:"icpc,testlib" doc:"how it is called and answers: as in problem packages (icpc), or as programs with testlib do; left out, icpc"`
	Args     []string `yaml:"args,word" doc:"its arguments after those of the protocol, before those of a case"`
}

// protocol returns how the validator is asked.
func (d *validatorDocument) protocol() problem.Protocol {
	if d.Protocol == "" {
		return problem.ICPC
	}
	return problem.Protocol(d.Protocol)
}

// checkValidators finds what is wrong between the validators.
func (d *document) checkValidators() error {
	for _, list := range [][]validatorDocument{d.Outputs, d.Inputs} {
		for i, v := range list {
			same := func(o validatorDocument) bool { return o.Name == v.Name }
			if slices.ContainsFunc(list[:i], same) {
				return v.Place.Errorf("name", "one folder is one validator", "two validators are called %s", v.Name)
			}
		}
	}
	if d.Checker && len(d.Outputs) > 0 {
		return d.Place.Errorf("checker", "leave one of them out", "checker beside output_validators, which decide alone")
	}
	return nil
}

// validators puts the validators of the document into the problem.
func (d *document) validators(p *problem.Problem) {
	for _, v := range slices.Backward(d.Outputs) {
		name := v.Name
		if len(d.Outputs) == 1 { // which messages need not tell from others
			name = ""
		}
		p.Validator = &problem.Validator{
			Name: name, Program: filepath.Join(OutputValidators(p.ID), v.Name), Protocol: v.protocol(), Always: true,
			Flags: v.Args, Then: p.Validator,
		}
	}
	for _, v := range d.Inputs {
		p.InputValidators = append(p.InputValidators, problem.InputValidator{
			Name: v.Name, Program: filepath.Join(InputValidators(p.ID), v.Name), Protocol: v.protocol(), Flags: v.Args,
		})
	}
}

// settle makes of what cases say of validators what it means for the problem: arguments of
// an output validator, where there is none, are those of the default one of the package
// formats, and say how the output is compared. A name that no validator has is a located
// error.
func settle(p *problem.Problem, set *cases.Set) error {
	var outputs, inputs []string
	for v := p.Validator; v != nil; v = v.Then {
		if v.Always {
			outputs = append(outputs, filepath.Base(v.Program))
		}
	}
	for _, v := range p.InputValidators {
		inputs = append(inputs, v.Name)
	}
	for i := range set.Cases {
		c := &set.Cases[i]
		if c.Asked != "" && !slices.Contains(outputs, c.Asked) {
			return c.Errorf("output_validator", known(outputs), "no output validator is called %s", c.Asked)
		}
		if len(outputs) == 1 {
			c.Asked = ""
		}
		for name := range c.InputArgs {
			if !slices.Contains(inputs, name) {
				return c.Errorf("input_validator_args", known(inputs), "no input validator is called %s", name)
			}
		}
		if c.Flags == nil || p.Validator != nil {
			continue
		}
		o, err := diff.ParseFlags(c.Flags)
		if err != nil {
			return c.Errorf("output_validator_args", "", "%v", err)
		}
		c.Compare = &o
	}
	return nil
}

// known is a hint at the names of a problem's validators.
func known(names []string) string {
	if len(names) == 0 {
		return "the problem has none"
	}
	return "they are " + strings.Join(names, ", ")
}
