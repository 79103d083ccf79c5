package commands

import (
	"fmt"

	"github.com/spf13/cobra"

	"tribunal/judge/cli"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/problem"
)

// comparison holds the flags that say how outputs are compared, whatever the problem says.
type comparison struct {
	way   way
	exact bool
}

func (c *comparison) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.Var(&c.way, "compare", "compare outputs this `way`, without an output validator: exact, lines, tokens or float:1e-6 (docs/grading.md)")
	f.BoolVar(&c.exact, "exact", false, "compare bytes even if the problem has an output validator")
}

// given reports whether the user set one of the flags.
func (c *comparison) given() bool { return c.exact || c.way.text != "" }

// check returns an error of the user if the outputs of a problem cannot be compared as the flags say.
func (c *comparison) check(p *problem.Problem) error {
	switch {
	case !c.given():
		return nil
	case c.exact && c.way.Mode != diff.Exact && c.way.text != "":
		return cli.Usage(fmt.Errorf("--exact and --compare %s exclude each other (hint: leave one of them out)", c.way.text))
	case p.Validator != nil && !p.Interactive() && !c.exact && c.way.Mode != diff.Exact:
		return cli.Usage(fmt.Errorf("--compare %s: %s has an output validator, which decides what is right (hint: --exact compares bytes instead)", c.way.text, p.ID))
	}
	if err := p.Need(problem.Outputs); err != nil {
		return cli.Usage(err)
	}
	return nil
}

// apply makes a task, whose cases are set, compare outputs as the flags say.
func (c *comparison) apply(t *grade.Task) error {
	if err := c.check(t.Problem); err != nil || !c.given() {
		return err
	}
	for _, one := range t.Cases {
		if one.Given != nil && one.OutputFile == "" {
			return cli.Usage(one.Errorf("", "leave out --compare and --exact", "there is no expected output to compare with"))
		}
	}
	o := c.way.Options
	if c.exact {
		o.Mode = diff.Exact
	}
	t.CompareAll(o)
	return nil
}

// way is the value of --compare.
type way struct {
	diff.Options
	text string // as given; "" if it was not
}

// Set accepts what [diff.Parse] does.
func (w *way) Set(text string) (err error) {
	if w.Options, err = diff.Parse(text); err != nil {
		return err
	}
	w.text = text
	return nil
}

func (w *way) String() string { return w.text }

// Type names the value for the help text.
func (w *way) Type() string { return "way" }

// Words returns the words, for completions.
func (w *way) Words() []string { return []string{"exact", "lines", "tokens", "float:1e-6"} }
