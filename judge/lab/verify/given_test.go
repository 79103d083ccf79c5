package verify

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"
	"testing"
	"time"

	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/sandbox/sandboxtest"
)

// said returns the findings and notes of a report, each in a line, without the folder of the package.
func said(s *subject) string {
	var b strings.Builder
	for _, f := range s.report.Findings {
		b.WriteString(f.String() + "\n")
	}
	for _, n := range s.report.Notes {
		b.WriteString("note: " + n.Text + "\n")
	}
	return strings.ReplaceAll(b.String(), s.p.Root+"/", "")
}

// TestOutputAsAnswer judges the answer 1 once more, with the output 2 of an accepted submission in its place.
func TestOutputAsAnswer(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why  string
		exit int // of the output validator then
		want string
	}{
		{"accepted", problem.ExitAccepts, ""},
		{"refused", problem.ExitRefuses, "data/secret/1.ans: : gets WA if the output of submissions/accepted/a, which is accepted, is taken as the answer: the checker says: wrong, without a message (hint: the answer, the submission or the validator is wrong)\n"},
		{"a validator that fails", 1, "note: the output validator does not accept the answers of 1 case if the output of submissions/accepted/a is taken as the answer: secret/1\n"},
	} {
		s := openPackage(t, sandboxtest.New(t, func(_ context.Context, r sandboxtest.Run) (sandbox.Result, error) {
			for _, f := range r.FolderFiles {
				if f.Name != "answer" {
					continue
				}
				answer, err := io.ReadAll(f.From())
				if string(answer) == "2\n" {
					return sandbox.Result{ExitCode: tt.exit}, err
				}
				return sandbox.Result{ExitCode: problem.ExitAccepts}, err
			}
			return r.Print("2\n"), nil
		}), "submissions/accepted/a", "output_validators/v")
		s.p.Validator = &problem.Validator{Program: "output_validators/v", Always: true, Passes: 1, Limits: limits.Validator}
		s.cases[0].Given.Loose = false
		s.env = &Environment{Limits: func(context.Context, *grade.Judge, grade.Task) (limits.Limits, string, error) {
			return limits.Validator, "", nil
		}}
		if err := checkOutputs(t.Context(), s); err != nil || said(s) != tt.want {
			t.Errorf("%s: %v\ngot  %swant %s", tt.why, err, said(s), tt.want)
		}
	}
}

// TestInvalidInput runs an input validator on an input that it must refuse.
func TestInvalidInput(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why    string
		result sandbox.Result
		want   string
	}{
		{"refused", sandbox.Result{ExitCode: problem.ExitRefuses}, ""},
		{"accepted", sandbox.Result{ExitCode: problem.ExitAccepts}, "x.in: : no input validator refuses it\n"},
		{"a crash is no refusal", sandbox.Result{Stop: sandbox.Signalled, Signal: sandbox.Signal(syscall.SIGSEGV)},
			"x.in: : check: killed by SIGSEGV (segmentation fault) (hint: an input validator must refuse an invalid input, and not fail on it)\n"},
	} {
		s := openPackage(t, sandboxtest.New(t, func(_ context.Context, r sandboxtest.Run) (sandbox.Result, error) {
			if string(r.Input) == "x\n" {
				return tt.result, nil
			}
			return sandbox.Result{ExitCode: problem.ExitAccepts}, nil
		}))
		input := func() (content.Content, error) { return content.Of([]byte("x\n")), nil }
		s.p.Tests = func() ([]problem.Test, error) {
			return []problem.Test{{Case: cases.Case{Name: "invalid_input/x", File: "x.in", Given: &cases.Given{Input: input}}}}, nil
		}
		if err := checkInputs(t.Context(), s); err != nil || said(s) != tt.want {
			t.Errorf("%s: %v\ngot  %swant %s", tt.why, err, said(s), tt.want)
		}
	}
}

// TestText notes each kind of what one does not see in the files of a package once.
func TestText(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why    string
		inputs []string // of cases whose answers are those of outputs
		output string
		want   string
	}{
		{"plain", []string{"1\n"}, "1\n", ""},
		{"the first of several, in the order of cases", []string{"1\n", "1\n2\r\n", "3\r\n"}, "1\n", "note: 2 files have CRLF line ends, the first 1.in:2\n"},
		{"answers", []string{"1\n"}, "1 ", "note: 1 file has blanks at the ends of lines: 0.ans:1\nnote: 1 file has no newline at the end: 0.ans:1\n"},
		{"both", []string{"1\r\n"}, "1\r\n", "note: 2 files have CRLF line ends, the first 0.in:1\n"},
		{"no answer, as in interactive problems", []string{"1\n"}, "", ""},
		{"binary data", []string{"\x00\x01 \r\n"}, "\x00\x02 ", ""},
	} {
		s := openPackage(t, sandboxtest.New(t, nil))
		s.cases = nil
		for i, text := range tt.inputs {
			of := func(text string) func() (content.Content, error) {
				return func() (content.Content, error) { return content.Of([]byte(text)), nil }
			}
			name := fmt.Sprint(i)
			s.cases = append(s.cases, cases.Case{Name: name, File: name + ".in", OutputFile: name + ".ans", Given: &cases.Given{Input: of(text), Output: of(tt.output)}})
		}
		if err := checkText(t.Context(), s); err != nil || said(s) != tt.want {
			t.Errorf("%s: %v\ngot  %swant %s", tt.why, err, said(s), tt.want)
		}
	}
}

// TestNothingToJudge checks that a problem needs a time limit if it has a submission, and also if it has
// none and no limit for that case: then it is an error.
func TestNothingToJudge(t *testing.T) {
	t.Parallel()
	asked := errors.New("asked for limits")
	for _, tt := range []struct {
		programs []string
		fallback time.Duration
		want     error
	}{{nil, 1, nil}, {nil, 0, asked}, {[]string{"submissions/accepted/a"}, 1, asked}} {
		s := openPackage(t, sandboxtest.New(t, nil), tt.programs...)
		s.p.Time.Fallback = tt.fallback
		s.env = &Environment{Limits: func(context.Context, *grade.Judge, grade.Task) (limits.Limits, string, error) {
			return limits.Limits{}, "", asked
		}}
		if err := checkExamples(t.Context(), s); !errors.Is(err, tt.want) {
			t.Errorf("submissions %v and the limit %v: got %v, want %v", tt.programs, tt.fallback, err, tt.want)
		}
	}
}
