package pkgexport

import (
	"fmt"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/problem"
)

// hasOutputValidator reports whether the problem has an output validator and does not only compare
// outputs.
func (p *plan) hasOutputValidator() bool { return p.Problem.Validator != nil }

// outputValidators returns the output validators that check every output, in the order in which
// they run. It returns none if outputs are compared first.
func (p *plan) outputValidators() (list []*problem.Validator) {
	for v := p.Problem.Validator; v != nil && v.Always; v = v.Then {
		list = append(list, v)
	}
	return list
}

// hasCheck reports whether the problem has a check of its own, which validates inputs. A problem
// with other input validators, or one imported from a package, may have none.
func (p *plan) hasCheck() bool {
	if p.Problem.Origin == "" && len(p.Problem.InputValidators) == 0 {
		return true
	}
	_, err := os.Stat(p.Problem.Show(p.Problem.Check))
	return err == nil
}

// inputValidators returns the problem's input validators: its check, if it has one, and then the
// others. It adds a note if there are none.
func (p *plan) inputValidators() (list []problem.InputValidator) {
	if p.hasCheck() {
		list = append(list, problem.InputValidator{Name: "check", Program: p.Problem.Check, Protocol: problem.ICPC, Flags: []string{"-input"}})
	}
	list = append(list, p.Problem.InputValidators...)
	if len(list) == 0 {
		p.note("there is no input validator")
	}
	return list
}

// inputArgs returns the arguments of an input or answer validator for a case, or for all cases if c
// is nil.
func inputArgs(v problem.InputValidator, c *cases.Case) []string {
	if c != nil {
		return v.Args(c)
	}
	return v.Flags
}

// outputArgs returns the arguments of the output validator for a case, or for all cases if c is
// nil. The arguments of the default output validator make it compare as the problem does, unless
// the case has arguments of its own.
func (p *plan) outputArgs(c *cases.Case) []string {
	var own []string
	if c != nil {
		own = c.Flags
	}
	if v := p.Problem.Validator; v != nil {
		return slices.Concat(v.Flags, own)
	}
	if own != nil {
		return own
	}
	return compareArgs(p.Problem.Compare)
}

// icpcValidators plans the validators with the protocol of the ICPC formats.
func (p *plan) icpcValidators() error {
	for _, v := range p.inputValidators() {
		own, err := p.ownProgram(v.Program)
		if err != nil {
			return err
		}
		if script := carried[v.Protocol].icpc.validator; script != "" && own.language != build.Checktestdata {
			own = p.scripted(script, part{own, "own", nil})
		}
		p.addValidator(path.Join("input_validators", v.Name), own)
	}
	for _, v := range p.Problem.AnswerValidators {
		own, err := p.ownProgram(v.Program)
		if err != nil {
			return err
		}
		p.addValidator(path.Join("answer_validators", v.Name), own)
	}
	list := p.outputValidators()
	if p.Problem.Checker() {
		list = []*problem.Validator{{Program: p.Problem.Check, Protocol: problem.ICPC}}
	}
	each := slices.Collect(slices.Chunk(list, 1))
	if p.Problem.Interactive() { // an interactor and its checker make one validator
		each = [][]*problem.Validator{list}
	}
	switch {
	case len(each) > 1 && p.flat:
		return p.Problem.Errorf("output_validators", p.exportHint(Legacy), "DOMjudge has only one output validator")
	case len(each) > 1 && !p.several:
		return p.Problem.Errorf("output_validators", p.exportHint(Legacy), "this format has only one output validator")
	}
	for _, chain := range each {
		own, err := p.asICPC(chain)
		if err != nil {
			return err
		}
		dir := strings.ReplaceAll(p.validators, "*", path.Base(chain[0].Program))
		if p.flat {
			plain, ok := own.flat()
			if !ok {
				return p.Problem.Errorf("output_validators", p.exportHint(Legacy), "DOMjudge has no folders within an output validator, and %s has", path.Base(chain[0].Program))
			}
			own = plain
		}
		p.addValidator(dir, own)
	}
	return nil
}

// includes plans the files that are added to submissions, by language.
func (p *plan) includes() error {
	for _, i := range p.Problem.Include {
		texts, err := i.Read()
		if err != nil {
			return err
		}
		for name, text := range texts {
			p.addBytes(path.Join("include", i.Language, name), text)
		}
	}
	return nil
}

// exportHint returns a hint: the command that exports to another format, which supports what this
// one lacks.
func (p *plan) exportHint(f Format) string {
	return "judge export " + p.Problem.ID + " --format " + string(f)
}

// checkCases returns an error for the first case with a setting that the format lacks. Arguments of
// input and answer validators only get a note.
func (p *plan) checkCases() error {
	var list []*cases.Case
	for i := range p.Cases {
		c := &p.Cases[i]
		list = append(list, c)
		for _, own := range []struct {
			key, name string
			has       bool
		}{
			{"args", "arguments of submissions", c.Args != nil},
			{"files", "files beside submissions", c.FilesDir != ""},
			{"output_validator_args", "arguments of the output validator for one case", c.Flags != nil},
			{"output_validator", "an output validator for one case", c.Asked != ""},
		} {
			if own.has {
				return c.Errorf(own.key, p.exportHint(Kattis), "this format has no %s", own.name)
			}
		}
	}
	p.noteArgs(list, nil)
	return nil
}

// noteArgs notes the cases of a list that need other arguments of input or answer validators than
// the package gives them. The package gives all of them the arguments of the case base or, if base
// is nil, those for all cases.
func (p *plan) noteArgs(list []*cases.Case, base *cases.Case) {
	for _, validators := range []struct {
		kind string
		all  []problem.InputValidator
	}{{"input", p.Problem.InputValidators}, {"answer", p.Problem.AnswerValidators}} {
		var others []string
		for _, c := range list {
			if slices.ContainsFunc(validators.all, func(v problem.InputValidator) bool { return !slices.Equal(inputArgs(v, c), inputArgs(v, base)) }) {
				others = append(others, c.Name)
			}
		}
		if len(others) > 0 {
			more := ""
			if n := len(others) - 1; n > 0 {
				more = fmt.Sprintf(", and %d more", n)
			}
			p.note("left out: the arguments of %s validators for %s%s", validators.kind, others[0], more)
		}
	}
}

// plainWord matches arguments that need no quotes in YAML.
var plainWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]*$`) })

// inBrackets formats arguments as a YAML list in brackets.
func inBrackets(args []string) string {
	var list []string
	for _, a := range args {
		if !plainWord().MatchString(a) {
			a = quoted(a)
		}
		list = append(list, a)
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// oneLine formats arguments as one YAML string, in which each argument is quoted for a shell.
func oneLine(args []string) string {
	var list []string
	for _, a := range args {
		if !shellWord().MatchString(a) {
			a = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
		list = append(list, a)
	}
	line := strings.Join(list, " ")
	if plainLine().MatchString(line) {
		return line
	}
	return quoted(line)
}

var (
	shellWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_.,:/=+-]+$`) })
	plainLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^-?[A-Za-z_][A-Za-z0-9 _.-]*$`) })
)
