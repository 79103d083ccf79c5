package pkgformat

import "testing"

// TestDialect checks which files of a package decide its dialect.
func TestDialect(t *testing.T) {
	t.Parallel()
	const annotated = "-- submissions/mixed/a.py --\n# @EXPECTED_RESULTS@: CORRECT\n"
	for _, tt := range []struct {
		why, archive string
		given        Dialect
		want         Dialect
		because      string
	}{
		{"no sign", "", "", Kattis, "nothing in it is of another system"},
		{"DOMjudge's settings", "-- domjudge-problem.ini --\n", "", DOMjudge, "it has domjudge-problem.ini"},
		{"DOMjudge's details of submissions", "-- submissions.json --\n{}\n", "", DOMjudge, "it has submissions.json"},
		{"an annotation", annotated, "", DOMjudge, "of the annotation in submissions/mixed/a.py:1"},
		{"an annotation that does not count", "-- submissions/mixed/a.py --\n# @EXPECTED_RESULTS@: ?\n", "", Kattis, "nothing in it is of another system"},
		{"an annotation, and Kattis' word for scores", annotated + "-- problem.yaml --\ntype: scoring\nvalidation: custom score\n-- output_validators/v.py --\n", "", Kattis, "nothing in it is of another system"},
		{"BAPCtools' generators", annotated + "-- generators/generators.yaml --\n{}\n", "", BAPCtools, "it has generators/generators.yaml"},
		{"BAPCtools has no scoring", annotated + "-- problem.yaml --\ntype: scoring\n-- generators/generators.yaml --\n{}\n", "", DOMjudge, "of the annotation in submissions/mixed/a.py:1"},
		{"the user decides", "-- domjudge-problem.ini --\n", Kattis, Kattis, "--dialect asks for it"},
	} {
		dir := unpack(t, legacyCases[1:]+tt.archive)
		p, err := Open(t.Context(), dir, Options{Dialect: tt.given})
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

// TestFileWriting checks that a package that forbids its submissions to write files gets a note,
// because that is not enforced.
func TestFileWriting(t *testing.T) {
	t.Parallel()
	const unenforced = "p/problem.yaml:1: not enforced: submissions may write files in their working folder"
	for value, want := range map[string]string{"true": "", "false": unenforced} {
		p := readFiles(t, "-- problem.yaml --\nallow_file_writing: "+value+"\n")
		wantNotes(t, p, want)
	}
}
