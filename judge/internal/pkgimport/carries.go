package pkgimport

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/pkgformat"
	"tribunal/judge/internal/problem"
)

// carries refuses what would be judged otherwise as a problem of the repository, and
// notes what is left out.
func (p *plan) carries() error {
	b := p.Package
	for _, kind := range []struct {
		is   bool
		name string
	}{{b.Interactive, "interactive"}, {b.MultiPass, "multi-pass"}, {b.Scoring, "scoring"}} {
		if kind.is {
			return p.refuse(".", "%s problems cannot be taken in", kind.name)
		}
	}
	if len(b.Validation.Programs) > 1 {
		return p.refuse(".", "several output validators cannot be taken in: %s", strings.Join(b.Validation.Programs, ", "))
	}
	first := b.Cases[0]
	for _, c := range b.Cases {
		switch {
		case len(c.Args) > 0:
			return p.refuse(c.Input, "a case whose submissions have arguments cannot be taken in")
		case c.Files != "":
			return p.refuse(c.Input, "a case whose submissions have files cannot be taken in")
		case !slices.Equal(c.OutputArgs, first.OutputArgs):
			return p.refuse(c.Input, "the output validator has other arguments here (%s) than for %s (%s), which problems cannot have",
				words(c.OutputArgs), first.Name, words(first.OutputArgs))
		}
	}
	p.doc = document{
		title: strings.Join(strings.Fields(b.Name), " "), limits: p.Limits, format: b.Format,
	}
	p.doc.source = strings.Join(strings.Fields(cmp.Or(b.Source, "problem package "+b.ID())), " ")
	if b.License != "" && b.License != "unknown" {
		p.doc.source += ", license " + b.License
	}
	// A millisecond is the least that the file can tell.
	p.doc.limits.CPU = (p.Limits.CPU + time.Millisecond - 1).Truncate(time.Millisecond)
	p.doc.limits.Memory = max(p.doc.limits.Memory, limits.MiB)
	if err := p.comparison(first); err != nil {
		return err
	}
	p.leaveOut()
	return nil
}

// comparison finds how outputs are judged.
func (p *plan) comparison(c *pkgformat.Case) error {
	b := p.Package
	p.doc.compare = diff.Options{Mode: diff.Exact}
	if len(b.Validation.Programs) > 0 {
		p.doc.validator = &problem.Validator{Protocol: b.Validation.Protocol, Flags: c.OutputArgs}
		return nil
	}
	given, err := b.Given(c)
	if err != nil {
		return err
	}
	switch o := *given.Compare; {
	case o.Mode == diff.Float && o.Abs == 0 && o.Rel == 0:
		return p.refuse(".", "numbers that may be written otherwise but not be off (a tolerance of 0) cannot be taken in")
	case o.Mode == diff.Float && (o.Abs > 1 || o.Rel > 1):
		return p.refuse(".", "a tolerance of more than 1 cannot be taken in")
	case o.Mode != diff.Float && o.Spaces && !o.FoldCase: // as it is
	default:
		p.doc.compare = o
	}
	return nil
}

// leaveOut notes what has no place in a problem.
func (p *plan) leaveOut() {
	b := p.Package
	out := func(there bool, what string) {
		if there {
			p.note("left out: %s", what)
		}
	}
	out(b.UUID != "", "the uuid")
	out(len(b.Keywords) > 0, "keywords: "+strings.Join(b.Keywords, ", "))
	out(len(b.Names) > 1, "the names in other languages")
	out(len(b.Languages) > 0, "that only some languages may be used: "+strings.Join(b.Languages, ", "))
	for _, d := range []struct {
		name  string
		cases []*pkgformat.Case
	}{
		{"valid_input", b.ValidInput}, {"invalid_input", b.InvalidInput}, {"invalid_answer", b.InvalidAnswer},
		{"invalid_output", b.InvalidOutput}, {"valid_output", b.ValidOutput},
	} {
		out(len(d.cases) > 0, "what tests the validators in "+d.name)
	}
	out(len(b.AnswerValidators) > 0, "validators of answers")
	out(slices.ContainsFunc(b.Cases, func(c *pkgformat.Case) bool { return c.Hint != "" || c.HintFile != "" }), "hints of cases")
}

// words shows arguments in a message.
func words(args []string) string { return cmp.Or(strings.Join(args, " "), "none") }
