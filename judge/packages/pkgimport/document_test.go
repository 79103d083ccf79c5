package pkgimport

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/verdict"
)

// TestDocument checks that a document that is written and read back is the same problem.
func TestDocument(t *testing.T) {
	t.Parallel()
	small := limits.Limits{CPU: 1500 * time.Millisecond, Memory: 64 * limits.MiB, Output: 1000, CPUs: 1}
	for _, tt := range []struct {
		why string
		doc document
	}{
		{"plain words", document{title: "Two sums", compare: diff.Options{Mode: diff.Exact}, statement: "Add."}},
		{"words that YAML would read as something else", document{title: "null", source: "12: # no", compare: diff.Options{Mode: diff.Tokens, FoldCase: true}, statement: "- a\n  b: |\n\n\n"}},
		{"special characters", document{title: "Ä \"b\" \\ \u2028", compare: diff.Options{Mode: diff.Tokens, Spaces: true}, statement: "\tTab\r\nand more \x01\n"}},
		{"floats without tolerance", document{title: "0", compare: diff.Options{Mode: diff.Float}}},
		{"floats with tolerance, and samples", document{title: "1e3", compare: diff.Options{Mode: diff.Float, Abs: 1e-6, Rel: 0.25}, samples: []string{"sample/1", "a-b/2"}}},
		{"validators", document{title: "v", compare: diff.Options{Mode: diff.Exact},
			outputs: []validator{{name: "1form", protocol: problem.Testlib, args: []string{"-n", "5", "a b", "], x: ["}}, {name: "null", protocol: problem.ICPC}},
			inputs:  []validator{{name: "a", protocol: problem.ICPC, args: []string{""}}, {name: "b", protocol: problem.Testlib}},
		}},
		{"interactive, with passes", document{title: "i", types: []string{"interactive", "multi-pass"}, passes: 3,
			validation: limits.Limits{CPU: 1500 * time.Millisecond, Memory: limits.MiB, Output: 5},
			outputs:    []validator{{name: "a", protocol: problem.ICPC}}, compare: diff.Options{Mode: diff.Exact},
		}},
		{"authors, license and terms", document{title: "w", compare: diff.Options{Mode: diff.Exact}, uuid: "5d0a9ee8-0000-4000-8000-000000000013", authors: []string{"Ann", "Bo, #", "null"},
			license: "cc by-sa", keywords: []string{"a b", "12"}, language: "de",
			terms: problem.Terms{Languages: []string{"c", "python3"}, Code: 64 * limits.KiB, Compile: limits.Limits{CPU: 1500 * time.Millisecond, Memory: limits.GiB}, ReadOnly: true}}},
		{"one validator", document{title: "v", compare: diff.Options{Mode: diff.Exact}, outputs: []validator{{name: "a", protocol: problem.ICPC}}}},
	} {
		d := tt.doc
		d.limits, d.input, d.output, d.format = small, "In.", "Out.", "2025-09"
		if d.source == "" {
			d.source = "somewhere"
		}
		if d.statement == "" {
			d.statement = "S."
		}
		root := t.TempDir()
		file := filepath.Join(root, "problems", "null.yaml")
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, d.text("null"), 0o666); err != nil {
			t.Fatal(err)
		}
		got, err := repo.Load(root, "null")
		if err != nil {
			t.Errorf("%s: %v\n%s", tt.why, err, d.text("null"))
			continue
		}
		want := repo.Bare(root, "null")
		want.Title, want.Source, want.Limits, want.Samples, want.Open, want.Origin = d.title, d.source, small, d.samples, d.samples, "2025-09"
		want.UUID, want.Authors, want.License, want.Keywords, want.Terms, want.Language = d.uuid, d.authors, d.license, d.keywords, d.terms, d.language
		want.Compare, want.Input, want.Output = d.compare, "In.\n", "Out.\n"
		for _, v := range slices.Backward(d.outputs) {
			name := v.name
			if len(d.outputs) == 1 {
				name = ""
			}
			want.Validator = &problem.Validator{
				Name: name, Program: "reference/null/output_validators/" + v.name, Protocol: v.protocol, Always: true, Flags: v.args, Then: want.Validator,
				Passes: d.passes, Interactive: d.types != nil,
			}
			if d.validation.CPU > 0 {
				want.Validator.Limits = d.validation
				want.Validator.Limits.Wall, want.Validator.Limits.Processes = 2*d.validation.CPU, limits.Processes
			}
		}
		for _, v := range d.inputs {
			want.InputValidators = append(want.InputValidators, problem.InputValidator{
				Name: v.name, Program: "reference/null/input_validators/" + v.name, Protocol: v.protocol, Flags: v.args,
			})
		}
		if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(problem.Problem{}, "Read", "Beside", "Files", "Place", "Statement")); diff != "" {
			t.Errorf("%s:\n%s", tt.why, diff)
		}
	}
}

func TestSections(t *testing.T) {
	t.Parallel()
	const none = "See the statement."
	for _, tt := range []struct{ why, text, statement, input, output string }{
		{"both headings", "Add.\n\n## Input\n\nTwo.\n\n### output ##\nOne.\n", "Add.", "Two.", "One."},
		{"no headings", "Add.\n", "Add.\n", none, none},
		{"headings in the other order", "Add.\n# Output\nOne.\n# Input\nTwo.\n", "Add.\n# Output\nOne.\n# Input\nTwo.\n", none, none},
		{"only one heading", "Add.\n# Input\nTwo.\n", "Add.\n# Input\nTwo.\n", none, none},
		{"an empty section", "Add.\n# Input\n# Output\nOne.\n", "Add.\n# Input\n# Output\nOne.\n", none, none},
		{"a heading with more words", "Add.\n# Input and more\nTwo.\n# Output\nOne.\n", "Add.\n# Input and more\nTwo.\n# Output\nOne.\n", none, none},
	} {
		p := &plan{doc: document{input: none, output: none}}
		p.sections(tt.text)
		if p.doc.statement != tt.statement || p.doc.input != tt.input || p.doc.output != tt.output {
			t.Errorf("%s: %q, %q, %q", tt.why, p.doc.statement, p.doc.input, p.doc.output)
		}
	}
}

func TestPromises(t *testing.T) {
	t.Parallel()
	ac, wa := verdict.SetOf(verdict.AC), verdict.WA.Class()
	slow := verdict.TLE.Class()
	for _, tt := range []struct {
		why      string
		expect   problem.Expect
		promised verdict.Verdict // None if the expectation is not a single verdict
		kept     []verdict.Verdict
		broken   []verdict.Verdict
	}{
		{"no expectation", problem.Expect{}, verdict.None, []verdict.Verdict{verdict.AC, verdict.CE}, nil},
		{"accepted", problem.Expect{Final: ac}, verdict.AC, []verdict.Verdict{verdict.AC}, []verdict.Verdict{verdict.WA}},
		{"a class of verdicts", problem.Expect{Final: wa}, verdict.WA, []verdict.Verdict{verdict.WA, verdict.PE}, []verdict.Verdict{verdict.AC, verdict.RTE}},
		{"one verdict of a class", problem.Expect{Final: verdict.SetOf(verdict.MLE)}, verdict.MLE, []verdict.Verdict{verdict.MLE}, []verdict.Verdict{verdict.RTE}},
		{"two classes", problem.Expect{Final: wa | slow}, verdict.None, []verdict.Verdict{verdict.WA, verdict.ILE}, []verdict.Verdict{verdict.AC}},
		{"permitted on every case", problem.Expect{Rules: []problem.Rule{{Permitted: ac}}}, verdict.AC, []verdict.Verdict{verdict.AC}, []verdict.Verdict{verdict.TLE}},
		{"required on some case", problem.Expect{Rules: []problem.Rule{{Permitted: ac | wa, Required: wa}}}, verdict.WA, []verdict.Verdict{verdict.WA}, []verdict.Verdict{verdict.AC, verdict.TLE}},
		{"required, with another verdict permitted before", problem.Expect{Rules: []problem.Rule{{Permitted: ac | wa | slow, Required: wa}}}, verdict.WA, []verdict.Verdict{verdict.WA, verdict.TLE}, []verdict.Verdict{verdict.AC}},
		{"only about one group", problem.Expect{Rules: []problem.Rule{{Cases: "secret/a", Permitted: wa}}}, verdict.None, []verdict.Verdict{verdict.AC, verdict.RTE}, nil},
	} {
		if v, ok := promised(tt.expect); v != tt.promised || ok != (v != verdict.None) {
			t.Errorf("%s: promised = %v, %v", tt.why, v, ok)
		}
		for _, v := range tt.kept {
			if !keeps(tt.expect, v) {
				t.Errorf("%s: %v breaks the promise", tt.why, v)
			}
		}
		for _, v := range tt.broken {
			if keeps(tt.expect, v) {
				t.Errorf("%s: %v keeps the promise", tt.why, v)
			}
		}
	}
}
