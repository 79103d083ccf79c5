package pkgexport

import "tribunal/judge/internal/diff"

// pairs plans nothing but the cases: an input NAME.in and an expected output NAME.ans each, in the
// folders of their groups, as package pkgformat reads them again.
func (p *plan) pairs() error {
	for i := range p.Cases {
		c := &p.Cases[i]
		p.addCase(c, c.Name+".in", c.Name+".ans")
		if len(c.Args) > 0 || len(c.Files) > 0 || c.Given != nil && c.Given.Files != nil {
			p.note("arguments and further files of cases are left out")
		}
	}
	if p.Problem.Scoring {
		p.note("points are left out")
	} else if p.Problem.Groups != nil {
		p.note("on_reject and grader_flags of groups are left out")
	}
	switch mode := p.Problem.Compare.Mode; {
	case p.Problem.Validator != nil:
		p.note("the output validator is left out: outputs are compared with the expected ones")
	case mode == diff.Tokens || mode == diff.Float:
		p.note("how outputs are compared is left out: judge grade --compare says it")
	}
	return nil
}
