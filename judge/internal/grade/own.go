package grade

import "tribunal/judge/internal/problem"

// As has outputs judged as a problem of the repository says: compared, as much of a
// difference being shown as t.Compare says, or by the problem's own programs.
func (t *Task) As(p *problem.Problem) {
	t.Title, t.Compare, t.Checker, t.Validator = p.Title, p.Options(t.Compare), p.Checker, nil
	if p.Package != nil && p.Package.Validator != "" {
		t.Validator = &Validator{Protocol: ICPC, Always: true, Flags: p.Package.ValidatorFlags}
		if p.Package.Validator == problem.Testlib {
			t.Validator.Protocol = Testlib
		}
	}
}
