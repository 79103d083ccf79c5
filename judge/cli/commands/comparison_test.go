package commands

import (
	"testing"

	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/problem"
)

// TestComparison applies --compare and --exact to tasks.
func TestComparison(t *testing.T) {
	t.Parallel()
	plain := problem.Problem{ID: "p", Path: "p", Compare: diff.Options{Mode: diff.Tokens}}
	checked, always, asks := plain, plain, plain
	checked.Validator = &problem.Validator{Program: "check"}
	always.Validator = &problem.Validator{Program: "check", Always: true}
	asks.Validator = &problem.Validator{Program: "ask", Always: true, Interactive: true}
	const validated = "p has an output validator, which decides what is right (hint: --exact compares bytes instead)"
	for _, tt := range []struct {
		why     string
		of      *problem.Problem
		compare string
		exact   bool
		want    diff.Mode // "" for that of the problem
		err     string
	}{
		{why: "no flag", of: &plain},
		{why: "no flag, and a checker", of: &checked},
		{why: "bytes", of: &plain, exact: true, want: diff.Exact},
		{why: "lines", of: &plain, compare: "lines", want: diff.Lines},
		{why: "numbers", of: &plain, compare: "float:1", want: diff.Float},
		{why: "both flags say the same", of: &plain, compare: "exact", exact: true, want: diff.Exact},
		{why: "the flags say different things", of: &plain, compare: "lines", exact: true, err: "--exact and --compare lines exclude each other (hint: leave one of them out)"},
		{why: "bytes instead of a checker", of: &checked, exact: true, want: diff.Exact},
		{why: "the long form", of: &always, compare: "exact", want: diff.Exact},
		{why: "a checker decides", of: &checked, compare: "lines", err: "--compare lines: " + validated},
		{why: "a validator decides", of: &always, compare: "tokens", err: "--compare tokens: " + validated},
		{why: "nothing can be compared", of: &asks, exact: true, err: asks.Need(problem.Outputs).Error()},
		{why: "whatever the flag", of: &asks, compare: "lines", err: asks.Need(problem.Outputs).Error()},
	} {
		c := comparison{exact: tt.exact}
		if tt.compare != "" {
			if err := c.way.Set(tt.compare); err != nil {
				t.Fatal(err)
			}
		}
		task := grade.Task{Problem: tt.of}
		err := c.apply(&task)
		if text := errorText(err); text != tt.err {
			t.Errorf("%s: error %q, want %q", tt.why, text, tt.err)
		}
		switch p := task.Problem; {
		case tt.want == "" && p != tt.of:
			t.Errorf("%s: the problem was changed to %+v", tt.why, p)
		case tt.want != "" && (p.Compare.Mode != tt.want || p.Validator != nil):
			t.Errorf("%s: the problem is %+v, want %s without a validator", tt.why, p, tt.want)
		}
	}
	task := grade.Task{Problem: &always, Cases: []cases.Case{{Name: "a", Given: &cases.Given{}, File: "p/a.in"}}}
	if text := errorText((&comparison{exact: true}).apply(&task)); text != "p/a.in: there is no expected output to compare with (hint: leave out --compare and --exact)" {
		t.Errorf("without an answer: error %q", text)
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
