package repo

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/yamlstrict"
)

// validatorDocument is a validator of outputs, inputs or answers in a problem file.
type validatorDocument struct {
	Place    yamlstrict.Place
	Name     string   `yaml:"name,required,word" pattern:"[A-Za-z0-9_][A-Za-z0-9_.-]*" doc:"name of the folder of its program, by which cases refer to it"`
	Protocol string   `yaml:"protocol" enum:"icpc,testlib" doc:"how it is called and answers: as in problem packages (icpc), or as programs with testlib do; by default icpc"`
	Args     []string `yaml:"args,word" doc:"its arguments after those of the protocol, before those of a case"`
}

func (d *validatorDocument) protocol() problem.Protocol {
	if d.Protocol == "" {
		return problem.ICPC
	}
	return problem.Protocol(d.Protocol)
}

// checkValidators finds contradictions between the validators.
func (d *document) checkValidators() error {
	for _, list := range [][]validatorDocument{d.Outputs, d.Inputs, d.Answers} {
		for i, v := range list {
			same := func(o validatorDocument) bool { return o.Name == v.Name }
			if slices.ContainsFunc(list[:i], same) {
				return v.Place.Errorf("name", "each validator has a folder and a name of its own", "two validators are called %s", v.Name)
			}
		}
	}
	for _, v := range d.Answers {
		if v.protocol() != problem.ICPC {
			return v.Place.Errorf("protocol", "leave it out", "testlib has no protocol for answer validators")
		}
	}
	if d.Checker && len(d.Outputs) > 0 {
		return d.Place.Errorf("checker", "leave one of them out", "both checker and output_validators")
	}
	return d.checkRuns()
}

// is reports whether the problem has a type, such as scoring.
func (d *document) is(kind string) bool { return slices.Contains(d.Type, kind) }

// checkRuns finds contradictions between the type of the problem and its validators.
func (d *document) checkRuns() error {
	bad := func(key, hint, format string, args ...any) error { return d.Place.Errorf(key, hint, format, args...) }
	kind := multiPass
	if d.is(interactive) {
		kind = interactive
	}
	testlib := len(d.Outputs) > 0 && d.Outputs[0].protocol() == problem.Testlib
	switch {
	case !d.is(multiPass) && d.Limits.Place.Has("validation_passes"):
		return d.Limits.Place.Errorf("validation_passes", "add type: [multi-pass], or leave it out", "validation_passes of a problem that is not multi-pass")
	case !d.is(interactive) && !d.is(multiPass):
		return nil
	case len(d.Outputs) == 0:
		return bad("type", "add output_validators: [{name: …}]", "%s without an output validator", kind)
	case d.is(multiPass) && testlib:
		return bad("type", "use a validator with the protocol icpc", "multi-pass with the protocol testlib, in which a validator cannot request another pass")
	case len(d.Outputs) > 2 || len(d.Outputs) == 2 && !(d.is(interactive) && testlib):
		return bad("output_validators", "combine them into one", "several output validators of a problem that is %s", kind)
	}
	return nil
}

// The types of problems.
const (
	scoring     = "scoring"
	interactive = "interactive"
	multiPass   = "multi-pass"
)

func (d *document) validators(p *problem.Problem) {
	for _, v := range slices.Backward(d.Outputs) {
		of := &problem.Validator{
			Program: filepath.Join(OutputValidators(p.ID), v.Name), Protocol: v.protocol(), Always: true,
			Flags: v.Args, Then: p.Validator, Limits: d.Limits.validation(),
		}
		if len(d.Outputs) > 1 && !d.is(interactive) { // if there is only one validator, cases need not name it
			of.Name = v.Name
		}
		if d.is(multiPass) {
			of.Passes = d.Limits.Passes
		}
		p.Validator = of
	}
	if p.Validator != nil {
		p.Validator.Interactive = d.is(interactive)
	}
	for _, v := range d.Inputs {
		p.InputValidators = append(p.InputValidators, problem.InputValidator{
			Name: v.Name, Program: filepath.Join(InputValidators(p.ID), v.Name), Protocol: v.protocol(), Flags: v.Args,
			Limits: d.Limits.validation(),
		})
	}
	for _, v := range d.Answers {
		p.AnswerValidators = append(p.AnswerValidators, problem.InputValidator{
			Name: v.Name, Program: filepath.Join(AnswerValidators(p.ID), v.Name), Protocol: problem.Answers, Flags: v.Args,
			Limits: d.Limits.validation(),
		})
	}
}

// validation returns the limits of a validator or grader, or zero limits if the document sets none.
func (d *limitsDocument) validation() limits.Limits {
	if d.ValidationTime == 0 && d.ValidationMemory == 0 && d.ValidationOutput == 0 {
		return limits.Limits{}
	}
	l := limits.Validator
	if d.ValidationTime > 0 {
		l.CPU, l.Wall = d.ValidationTime, 2*d.ValidationTime
	}
	l.Memory, l.Output = cmp.Or(d.ValidationMemory, l.Memory), cmp.Or(d.ValidationOutput, l.Output)
	return l
}

// resolve checks the validators that the settings of cases name: an unknown name is a located
// error. If the problem has no output validator, it reads a case's output_validator_args as flags
// of the default validator of the package formats, which define how the output is compared. If the
// reference cannot compute answers, it makes missing answers empty.
func resolve(p *problem.Problem, set *cases.Set) error {
	var outputs, inputs, answers []string
	for v := p.Validator; v != nil; v = v.Then {
		if v.Always && !p.Interactive() {
			outputs = append(outputs, filepath.Base(v.Program))
		}
	}
	for _, v := range p.InputValidators {
		inputs = append(inputs, v.Name)
	}
	for _, v := range p.AnswerValidators {
		answers = append(answers, v.Name)
	}
	for i := range set.Cases {
		c := &set.Cases[i]
		if c.Asked != "" && !slices.Contains(outputs, c.Asked) {
			return c.Errorf("output_validator", knownHint(outputs), "no output validator is called %s", c.Asked)
		}
		if len(outputs) == 1 {
			c.Asked = ""
		}
		for name := range c.InputArgs {
			if !slices.Contains(inputs, name) {
				return c.Errorf("input_validator_args", knownHint(inputs), "no input validator is called %s", name)
			}
		}
		for name := range c.AnswerArgs {
			if !slices.Contains(answers, name) {
				return c.Errorf("answer_validator_args", knownHint(answers), "no answer validator is called %s", name)
			}
		}
		if !p.Derives() && c.Output == nil {
			c.Output, c.Pinned = new(string), true
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

// knownHint lists the names of a problem's validators.
func knownHint(names []string) string {
	if len(names) == 0 {
		return "the problem has none"
	}
	return "they are " + strings.Join(names, ", ")
}
