package cms

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"tribunal/judge/internal/quote"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/yamlloose"
)

// cases is task-maker's file of tests. It takes the place of gen/GEN, which task-maker makes of it.
const cases = "gen/cases.gen"

// casesReader reads gen/cases.gen. A line is a test with the arguments of the current generator, a
// command, which begins with a colon, or a comment.
type casesReader struct {
	*reader
	line                   int
	generators, validators map[string]program
	generator, validator   string // names of the default ones; "" if there is none
	current                string // name of the generator of the current subtask
	global, local          []constraint
}

// program is a generator with the names of its arguments, or a validator with its arguments.
type program struct {
	rel  string
	args []string
}

// cases reads the text of gen/cases.gen.
func (r *reader) cases(text string) error {
	c := &casesReader{reader: r, generators: map[string]program{}, validators: map[string]program{}}
	r.InputPrograms = nil // only those that the file names
	for line := range strings.Lines(text) {
		c.line++
		line, _, _ = strings.Cut(line, "#")
		line = strings.TrimSpace(line)
		command, is := strings.CutPrefix(line, ":")
		var err error
		switch {
		case is:
			command = strings.ReplaceAll(strings.TrimSpace(command), "\t", " ")
			name, rest, _ := strings.Cut(command, " ")
			err = c.command(name, strings.TrimSpace(rest))
		case line != "":
			err = c.run(c.current, line)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *casesReader) errorf(hint, format string, args ...any) error {
	return c.Tree.Errorf(cases, c.line, hint, format, args...)
}

// command carries out a command, which rest follows on its line.
func (c *casesReader) command(name, rest string) error {
	words := strings.Fields(rest)
	if outside := len(c.parts) == 0; outside && (name == "COPY" || name == "RUN" || len(words) == 1 && (name == "GEN" || name == "VAL")) {
		return c.errorf("write : SUBTASK 30 above it", "%s outside of a subtask", name)
	}
	switch name {
	case "GEN":
		if len(words) != 1 {
			return c.define("generator", c.generators, &c.generator, words)
		}
		if _, known := c.generators[words[0]]; !known {
			return c.unknown("generator", words[0])
		}
		c.current = words[0]
		return nil
	case "VAL":
		if len(words) != 1 {
			return c.define("validator", c.validators, &c.validator, words)
		}
		part, err := c.fresh(c.line, "VAL")
		if err != nil {
			return err
		}
		return c.validate(part, words[0])
	case "CONSTRAINT":
		return c.constrain(rest)
	case "SUBTASK":
		return c.subtask(words)
	case "STDEP":
		return c.depends(words, c.line)
	case "COPY":
		if rest == "" {
			return c.errorf("write : COPY gen/a.txt", "COPY without a path")
		}
		return c.test(test{copied: rest, line: c.line})
	case "RUN":
		generator, args, _ := strings.Cut(rest, " ")
		return c.run(generator, args)
	}
	return c.errorf("they are GEN, VAL, CONSTRAINT, SUBTASK, STDEP, COPY and RUN", "unknown command %s", quote.Name(name))
}

func (c *casesReader) unknown(kind, name string) error {
	return c.errorf("define it above", "there is no %s %s", kind, quote.Name(name))
}

// define defines a generator or a validator. The first one, or that called default, is the default.
func (c *casesReader) define(kind string, all map[string]program, byDefault *string, words []string) error {
	if len(words) < 2 {
		return c.errorf("write its name and its path", "a %s without a name", kind)
	}
	name, rel := words[0], path.Clean(words[1])
	if _, known := all[name]; known {
		return c.errorf("", "two %ss are called %s", kind, quote.Name(name))
	}
	if !fs.ValidPath(rel) {
		return c.errorf("", "the %s %s is %s, which is no path in the package", kind, quote.Name(name), quote.Name(words[1]))
	}
	if file, _, err := c.Tree.Kind(rel); err != nil {
		return err
	} else if !file {
		return c.errorf("add it", "the %s %s is %s, which is not in the package", kind, quote.Name(name), quote.Name(words[1]))
	}
	args, ok := yamlloose.SplitShell(strings.Join(words[2:], " "))
	if !ok || len(args) > draft.MaxArgs {
		return c.errorf("", "a quote that is not closed, or more than %d arguments", draft.MaxArgs)
	}
	all[name] = program{rel, args}
	if *byDefault == "" || name == "default" {
		*byDefault = name
	}
	if kind == "validator" && !slices.Contains(c.InputPrograms, rel) {
		c.InputPrograms = append(c.InputPrograms, rel)
	}
	return c.Compose(rel)
}

// subtask begins a subtask, of which words are the points and the name, whose blanks do not count.
func (c *casesReader) subtask(words []string) error {
	if len(words) == 0 {
		words = []string{""}
	}
	if err := c.begin(words[0], c.line, "write : SUBTASK 30 name"); err != nil {
		return err
	}
	if len(words) > 1 {
		if err := c.named(strings.Join(words[1:], ""), c.line); err != nil {
			return err
		}
	}
	c.current, c.local = c.generator, nil
	if c.validator == "" {
		return nil
	}
	return c.validate(&c.parts[len(c.parts)-1], c.validator)
}

// validate sets the validator of the current subtask.
func (c *casesReader) validate(part *cmsPart, name string) error {
	v, known := c.validators[name]
	if !known {
		return c.unknown("validator", name)
	}
	variables := c.variables(program{}, nil)
	variables["INPUT"] = "/dev/stdin"
	args := v.args
	if len(args) == 0 {
		args = []string{"$INPUT", "$ST_NUM"}
	}
	part.validator, part.args = v.rel, nil
	for _, arg := range args {
		value, known := variables[strings.TrimPrefix(arg, "$")]
		if !known {
			return c.errorf("they are $INPUT, $ST_NUM and, in a subtask with a name, $ST_NAME", "there is no variable %s for the validator %s", quote.Name(arg), quote.Name(name))
		}
		part.args = append(part.args, value)
	}
	return nil
}

// variables returns the variables of the current subtask, and those that the arguments of a generator
// set.
func (c *casesReader) variables(of program, args []string) map[string]string {
	all := map[string]string{"ST_NUM": strconv.Itoa(len(c.parts) - 1)}
	if name := c.parts[len(c.parts)-1].name; name != "" {
		all["ST_NAME"] = name
	}
	for i := range min(len(of.args), len(args)) {
		all[of.args[i]] = args[i]
	}
	return all
}

// run adds a test that a generator makes. The constraints must hold for its arguments.
func (c *casesReader) run(generator, text string) error {
	args, ok := yamlloose.SplitShell(text)
	of, known := c.generators[generator]
	switch {
	case len(c.parts) == 0:
		return c.errorf("write : SUBTASK 30 above it", "a test outside of a subtask")
	case generator == "":
		return c.errorf("write : GEN default gen/generator.py above it", "no generator")
	case !known:
		return c.unknown("generator", generator)
	case !ok || len(args) > draft.MaxArgs:
		return c.errorf("", "a quote that is not closed, or more than %d arguments", draft.MaxArgs)
	}
	variables := c.variables(of, args)
	for _, one := range slices.Concat(c.global, c.local) {
		if !one.holds(variables) {
			return c.errorf("change the arguments of the test", "the test violates the constraint %s", quote.Name(one.text))
		}
	}
	return c.test(test{generator: of.rel, args: args, line: c.line})
}

// constraint compares neighbours among numbers and variables.
type constraint struct {
	text      string
	operands  []string // a variable begins with $
	operators []string
}

// constraintText matches an operand and the operator after it.
var constraintText = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*([-+]?[0-9]+|\$[^\s#]+)\s*(<=|>=|<|>|=)?`)
})

// maxConstraints bounds the constraints of a subtask and those of all subtasks, and the numbers that one
// compares.
const maxConstraints = 100

// constrain reads a constraint, which applies to the current subtask, or to all if there is none yet.
func (c *casesReader) constrain(text string) error {
	one := constraint{text: text}
	bad := func(what string) error {
		return c.errorf("write : CONSTRAINT 1 <= $N <= 1000", "the constraint %s %s", quote.Name(text), what)
	}
	open := true
	for rest := text; open; {
		m := constraintText().FindStringSubmatch(rest)
		if m == nil {
			return bad("has no number or variable where one belongs")
		}
		one.operands = append(one.operands, m[1])
		rest = rest[len(m[0]):]
		if open = m[2] != ""; open {
			one.operators = append(one.operators, m[2])
		} else if strings.TrimSpace(rest) != "" {
			return bad("has no operator where one belongs")
		}
	}
	all := strings.Join(one.operators, "")
	into := &c.global
	if len(c.parts) > 0 {
		into = &c.local
	}
	switch {
	case all == "":
		return bad("compares nothing")
	case strings.Contains(all, "<") && strings.Contains(all, ">"):
		return bad("has < and >")
	case len(one.operands) > maxConstraints:
		return bad(fmt.Sprintf("compares more than %d numbers", maxConstraints))
	case len(*into) == maxConstraints:
		return bad(fmt.Sprintf("is one of more than %d", maxConstraints))
	}
	*into = append(*into, one)
	return nil
}

// holds reports whether the constraint holds up to the first operand that is no integer.
func (c constraint) holds(variables map[string]string) bool {
	var last int64
	for i, operand := range c.operands {
		if name, is := strings.CutPrefix(operand, "$"); is {
			operand = variables[name]
		}
		value, err := strconv.ParseInt(operand, 10, 64)
		if err != nil {
			return true
		}
		if i > 0 && !compares(last, c.operators[i-1], value) {
			return false
		}
		last = value
	}
	return true
}

// compares reports whether an operator holds between two numbers.
func compares(a int64, operator string, b int64) bool {
	switch operator {
	case "<":
		return a < b
	case "<=":
		return a <= b
	case ">":
		return a > b
	case ">=":
		return a >= b
	}
	return a == b
}
