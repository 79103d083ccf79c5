package findings

import (
	"bytes"
	"io"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tribunal/judge/cli/format"
	"tribunal/judge/cli/layout/layouttest"
	"tribunal/judge/internal/document"
	"tribunal/judge/internal/event"
	"tribunal/judge/internal/tty"
	"tribunal/judge/internal/version"
	"tribunal/judge/lab/verify"
)

func verified() *verify.Report {
	return &verify.Report{
		Checks: []string{"documents", "examples", "limits"},
		Problems: []verify.Summary{
			{
				Problem: "maze", Cases: 59, Examples: 12, Unchecked: 1, Brute: verify.Reach{Agrees: 40, Beyond: 17, Declined: 2},
				Margins: []verify.Margin{
					{Limit: "cpu", Have: 1e9, Need: 101e6, Unit: "ns", By: "reference/maze", Case: "large/all"},
					{Limit: "wall", Have: 5e9, Need: 4e9, Unit: "ns", By: "reference/maze", Case: "large/all"},
					{Limit: "memory", Have: 64 << 20, Need: 640 << 10, Unit: "B", By: "reference/maze", Case: "edge/one"},
					{Limit: "output", Unit: "B"},
				},
			},
			{Problem: "pair", Cases: 1},
		},
		Findings: []verify.Finding{
			{Check: "examples", Problem: "maze", File: "reference/maze/submissions/accepted/a.c", Text: "gets CE: \x1b[31mbad", Hint: "move it"},
			{Check: "limits", Problem: "maze", File: "problems/maze.yaml", Line: 4, Text: "cpu: no example exceeds it"},
		},
		Notes: []verify.Note{{Check: "examples", Problem: "maze", Text: "not checked: a.rs:\nno rustc"}},
	}
}

// verifyText writes the text report with the events of r.
func verifyText(w io.Writer, r *verify.Report) error {
	v := NewVerify(w, format.Output{Writer: w})
	for i := range r.Findings {
		v.Event(&r.Findings[i])
	}
	for i := range r.Notes {
		v.Event(&r.Notes[i])
	}
	for i := range r.Problems {
		v.Event(&r.Problems[i])
	}
	v.Event(r)
	return v.Close()
}

// TestVerifyBar checks that a finding is written above the progress bar, on the same terminal.
func TestVerifyBar(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	w := tty.NewWriter(&b, func() {})
	v := NewVerify(w, format.Output{Writer: w, Live: true, Width: 60})
	v.Event(&verify.Begun{Stage: event.Stage{What: "checking"}})
	v.bar.Draw()
	v.Event(&verify.Progress{Done: 3, Total: 12})
	v.bar.Draw()
	v.Event(&verified().Findings[1])
	v.bar.Draw()
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	const erase = "\r\x1b[J"
	bar := erase + "checking 3/12 [===------------]\r"
	want := bar + erase + "problems/maze.yaml:4: limits: cpu: no example exceeds it\n" + bar + erase
	if got := b.String(); !strings.HasSuffix(got, want) {
		t.Errorf("%q, want %q at its end", got, want)
	}
}

func TestVerify(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why   string
		write func(*bytes.Buffer) error
		want  string
	}{
		{"a line for each finding and note, even if a compiler writes escape sequences; then problems and totals", func(b *bytes.Buffer) error {
			return verifyText(b, verified())
		}, `reference/maze/submissions/accepted/a.c: examples: gets CE: \x1b[31mbad (hint: move it)
problems/maze.yaml:4: limits: cpu: no example exceeds it
maze: examples: not checked: a.rs:\nno rustc
maze: 59 cases, 12 examples, 1 not checked, brute agrees on 40, 17 too large for it, 2 declined
maze: cpu 101 ms of 1 s (9.9×), wall 4 s of 5 s (1.2×), memory 640 KiB of 64 MiB (102×)
pair: 1 case
2 problems, 3 checks, 2 findings
`},
		{"an interrupt while runs are counted", func(b *bytes.Buffer) error {
			return verifyText(b, &verify.Report{Checks: []string{"examples"}, Stopped: &verify.Progress{Problem: "maze", Check: "examples", Done: 3, Total: 12}})
		}, "stopped while checking the examples of maze, after 3 of 12 runs\n0 problems, 1 check, 0 findings so far\n"},
		{"an interrupt of a check that counts nothing", func(b *bytes.Buffer) error {
			return verifyText(b, &verify.Report{Stopped: &verify.Progress{Check: "orphans"}})
		}, "stopped while checking the orphans of the repository\n0 problems, 0 checks, 0 findings so far\n"},
		{"empty lists are written as []", func(b *bytes.Buffer) error {
			return document.Write(b, &verify.Report{Head: document.NewHead(verify.Schema)})
		},
			`{
  "schema": "tribunal/verify/1",
  "judge": "` + version.Build() + `",
  "checks": [],
  "findings": [],
  "notes": [],
  "problems": [],
  "stopped": null
}
`},
	} {
		var b bytes.Buffer
		if err := tt.write(&b); err != nil || b.String() != tt.want {
			t.Errorf("%s (%v):\n%s", tt.why, err, cmp.Diff(tt.want, b.String()))
		}
	}
}

// TestVerifyIsDocumented checks that docs/verify.md describes exactly the checks and the fields of
// the document.
func TestVerifyIsDocumented(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../docs/verify.md")
	if err != nil {
		t.Fatal(err)
	}
	checks, fields, _ := strings.Cut(string(text), "## The report in JSON")
	var names, written []string
	for _, c := range verify.Checks() {
		names = append(names, c.Name)
	}
	if d := cmp.Diff(layouttest.DocumentedNames(checks), names); d != "" {
		t.Errorf("documented (-) and registered (+) checks:\n%s", d)
	}
	layouttest.Fields(reflect.TypeFor[verify.Report](), "", &written)
	documented := layouttest.DocumentedNames(fields)
	slices.Sort(documented)
	slices.Sort(written)
	if d := cmp.Diff(documented, written); d != "" {
		t.Errorf("documented (-) and written (+) fields:\n%s", d)
	}
}
