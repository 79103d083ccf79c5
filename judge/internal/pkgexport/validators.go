package pkgexport

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"tribunal/judge/internal/fixture"
	"tribunal/judge/internal/problem"
)

// foreign is what the problem has of a package that it was taken from; the zero value if
// it was taken from none.
func (p *plan) foreign() problem.Package {
	if p.Problem.Package == nil {
		return problem.Package{}
	}
	return *p.Problem.Package
}

// decides reports whether a program decides about outputs.
func (p *plan) decides() bool { return p.Problem.Checker || p.foreign().Validator != "" }

// checks reports whether the problem's own check looks at inputs; one that was taken from
// a package may have none.
func (p *plan) checks() bool {
	if p.Problem.Package == nil {
		return true
	}
	_, err := os.Stat(filepath.Join(p.Maker.Root, p.Maker.Checker()))
	return err == nil
}

// inputArgs are the arguments of input validators in the ICPC formats.
func (p *plan) inputArgs() []string {
	switch k := p.foreign(); {
	case p.checks():
		return []string{"-input"}
	case k.InputValidators == problem.ICPC:
		return k.InputValidatorFlags
	}
	return nil
}

// icpcValidators plans validators that answer by the protocol of the ICPC formats, the
// one of outputs in the folder of that name.
func (p *plan) icpcValidators(output string) error {
	k := p.foreign()
	if p.checks() {
		check, err := p.own(p.Maker.Checker())
		if err != nil {
			return err
		}
		p.validator(path.Join("input_validators", "check"), check)
		if p.Problem.Checker {
			p.validator(output, check)
		}
	} else if err := p.inputValidators(problem.ICPC, func(name string, v *program) {
		p.validator(path.Join("input_validators", name), v)
	}); err != nil {
		return err
	}
	switch k.Validator {
	case problem.Testlib:
		return p.Problem.Errorf("package", "judge export "+p.Problem.ID+" --format "+string(Polygon), "a validator of testlib's answers otherwise than this format wants")
	case problem.ICPC:
		v, err := p.own(p.Maker.Validator())
		if err != nil {
			return err
		}
		p.validator(output, v)
	}
	return nil
}

// inputValidators hands on the input validators of the package that the problem was
// taken from, if they answer by that protocol.
func (p *plan) inputValidators(protocol string, add func(name string, v *program)) error {
	switch p.foreign().InputValidators {
	case "":
		p.note("there is no input validator")
		return nil
	case protocol:
	default:
		p.note("the input validators are left out: they answer otherwise than this format wants")
		return nil
	}
	list, err := fixture.Entries(filepath.Join(p.Maker.Root, p.Maker.InputValidators()))
	if err != nil {
		return err
	}
	for _, e := range list {
		v, err := p.own(filepath.Join(p.Maker.InputValidators(), e.Name()))
		if err != nil {
			return err
		}
		add(e.Name(), v)
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
