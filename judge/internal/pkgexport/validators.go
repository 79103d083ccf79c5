package pkgexport

import (
	"os"
	"path"
	"regexp"
	"strings"

	"tribunal/judge/internal/problem"
)

// decides reports whether a program decides about outputs.
func (p *plan) decides() bool { return p.Problem.Validator != nil }

// foreign returns the program of a package that decides alone about every output, by the
// protocol of that package; nil if there is none.
func (p *plan) foreign() *problem.Validator {
	if v := p.Problem.Validator; v != nil && v.Always {
		return v
	}
	return nil
}

// checks reports whether the problem's own check looks at inputs; one that was made of a
// package may have none.
func (p *plan) checks() bool {
	if p.Problem.Origin == "" {
		return true
	}
	_, err := os.Stat(p.Problem.Show(p.Problem.Check))
	return err == nil
}

// inputArgs are the arguments of input validators in the ICPC formats.
func (p *plan) inputArgs() []string {
	if p.checks() {
		return []string{"-input"}
	}
	for _, v := range p.Problem.InputValidators {
		if v.Protocol == problem.ICPC {
			return v.Flags // those of all
		}
	}
	return nil
}

// icpcValidators plans validators that answer by the protocol of the ICPC formats, the
// one of outputs in the folder of that name.
func (p *plan) icpcValidators(output string) error {
	if p.checks() {
		check, err := p.own(p.Problem.Check)
		if err != nil {
			return err
		}
		p.validator(path.Join("input_validators", "check"), check)
		if p.Problem.Checker() {
			p.validator(output, check)
		}
	} else if err := p.inputValidators(problem.ICPC, func(name string, v *program) {
		p.validator(path.Join("input_validators", name), v)
	}); err != nil {
		return err
	}
	of := p.foreign()
	switch {
	case of == nil:
		return nil
	case of.Protocol == problem.Testlib:
		return p.Problem.Errorf("package", "judge export "+p.Problem.ID+" --format "+string(Polygon), "a validator of testlib's answers otherwise than this format wants")
	}
	v, err := p.own(of.Program)
	if err != nil {
		return err
	}
	p.validator(output, v)
	return nil
}

// inputValidators hands on the input validators of the package that the problem was made of,
// if they answer by that protocol.
func (p *plan) inputValidators(protocol problem.Protocol, add func(name string, v *program)) error {
	if len(p.Problem.InputValidators) == 0 {
		p.note("there is no input validator")
	}
	for _, of := range p.Problem.InputValidators {
		if of.Protocol != protocol {
			p.note("the input validators are left out: they answer otherwise than this format wants")
			return nil
		}
		v, err := p.own(of.Program)
		if err != nil {
			return err
		}
		add(path.Base(of.Program), v)
	}
	return nil
}

// plainWord is an argument that YAML takes for what it is.
var plainWord = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]*$`)

// inBrackets writes arguments as a list of YAML.
func inBrackets(args []string) string {
	var list []string
	for _, a := range args {
		if !plainWord.MatchString(a) {
			a = quoted(a)
		}
		list = append(list, a)
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// oneLine writes arguments as a text of YAML that is split as a shell does.
func oneLine(args []string) string {
	var list []string
	for _, a := range args {
		if !shellWord.MatchString(a) {
			a = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
		list = append(list, a)
	}
	line := strings.Join(list, " ")
	if plainLine.MatchString(line) {
		return line
	}
	return quoted(line)
}

var (
	shellWord = regexp.MustCompile(`^[A-Za-z0-9_.,:/=+-]+$`)
	plainLine = regexp.MustCompile(`^-?[A-Za-z_][A-Za-z0-9 _.-]*$`)
)
