package pkgformat

import (
	"testing"

	"tribunal/judge/packages/kattis"
)

// TestDialect checks which files of a package decide its dialect.
func TestDialect(t *testing.T) {
	t.Parallel()
	const annotated = "-- submissions/mixed/a.py --\n# @EXPECTED_RESULTS@: CORRECT\n"
	for _, tt := range []struct {
		why, archive string
		given        kattis.Dialect
		want         kattis.Dialect
		because      string
	}{
		{"no sign", "", "", kattis.Kattis, "nothing in it is of another system"},
		{"DOMjudge's settings", "-- domjudge-problem.ini --\n", "", kattis.DOMjudge, "it has domjudge-problem.ini"},
		{"DOMjudge's details of submissions", "-- submissions.json --\n{}\n", "", kattis.DOMjudge, "it has submissions.json"},
		{"an annotation", annotated, "", kattis.DOMjudge, "of the annotation in submissions/mixed/a.py:1"},
		{"an annotation that does not count", "-- submissions/mixed/a.py --\n# @EXPECTED_RESULTS@: ?\n", "", kattis.Kattis, "nothing in it is of another system"},
		{"an annotation, and Kattis' word for scores", annotated + "-- problem.yaml --\ntype: scoring\nvalidation: custom score\n-- output_validators/v.py --\n", "", kattis.Kattis, "nothing in it is of another system"},
		{"BAPCtools' generators", annotated + "-- generators/generators.yaml --\n{}\n", "", kattis.BAPCtools, "it has generators/generators.yaml"},
		{"BAPCtools has no scoring", annotated + "-- problem.yaml --\ntype: scoring\n-- generators/generators.yaml --\n{}\n", "", kattis.DOMjudge, "of the annotation in submissions/mixed/a.py:1"},
		{"the user decides", "-- domjudge-problem.ini --\n", kattis.Kattis, kattis.Kattis, "--dialect asks for it"},
	} {
		dir := unpack(t, legacyCases[1:]+tt.archive)
		p, err := openDraft(t.Context(), dir, Options{Dialect: tt.given})
		if err != nil {
			t.Errorf("%s: %v", tt.why, err)
			continue
		}
		if p.Dialect != tt.want || p.Because != tt.because {
			t.Errorf("%s: %s, because %s", tt.why, p.Dialect, p.Because)
		}
		p.Close()
	}
}

// TestFileWriting checks which packages let their submissions write files.
func TestFileWriting(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, file string
		readOnly  bool
	}{
		{"the latest format forbids it", "problem_format_version: 2025-09\n", true},
		{"the latest format, with the key", "problem_format_version: 2025-09\nallow_file_writing: true\n", false},
		{"older formats allow it", "name: P\n", false},
		{"older formats, with the key of the latest", "allow_file_writing: false\n", true},
		{"no value", "problem_format_version: 2025-09\nallow_file_writing:\n", true},
	} {
		p := readFiles(t, "-- problem.yaml --\n"+tt.file)
		if p.ReadOnly != tt.readOnly {
			t.Errorf("%s: ReadOnly is %v", tt.why, p.ReadOnly)
		}
		wantNotes(t, p, "")
	}
}
