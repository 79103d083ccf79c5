package pkgformat

import (
	"slices"
	"strings"
	"testing"
)

// TestRepeatedKeys checks that the last of several equal keys counts, and that the others are noted.
func TestRepeatedKeys(t *testing.T) {
	t.Parallel()
	p := readPackage(t, unpack(t, "-- problem.yaml --\nname: a\nlimits:\n  memory: 5\n  memory: 6\nname: b\nname: {en: c, en: d}\n"+
		"-- data/secret/testdata.yaml --\noutput_validator_flags: space_change_sensitive\noutput_validator_flags: case_sensitive\n"+
		"-- domjudge-problem.ini --\ntimelimit=1\nx\ntimelimit=2\n"+oneCase[1:]))
	if got := p.Limits.Memory.String(); p.Title != "d" || got != "6MiB" || p.Time.Limit.String() != "2s" {
		t.Errorf("name %s, memory %s, time %s; want the last of each", p.Title, got, p.Time.Limit)
	}
	if got := p.Cases[0].OutputArgs; !slices.Equal(got, []string{"case_sensitive"}) {
		t.Errorf("arguments %q, want the last", got)
	}
	wantNotes(t, p, `
hello/problem.yaml:1: this name is ignored: line 5 has the same key, and the last one counts
hello/problem.yaml:5: this name is ignored: line 6 has the same key, and the last one counts
hello/problem.yaml:3: this memory is ignored: line 4 has the same key, and the last one counts
hello/problem.yaml:6: this en is ignored: line 6 has the same key, and the last one counts
hello/domjudge-problem.ini:1: this timelimit is ignored: line 3 has the same key, and the last one counts
hello/domjudge-problem.ini:2: not of the form key = value: x
hello/data/secret/testdata.yaml:1: this output_validator_flags is ignored: line 2 has the same key, and the last one counts
`)
}

// TestUnreadableValues checks which values may be unreadable.
func TestUnreadableValues(t *testing.T) {
	t.Parallel()
	const mapping, text = "a text or a list instead of a mapping", "a list or a mapping instead of a text"
	for _, tt := range []struct{ why, archive, note, err string }{
		{"a key that legacy does not have", "-- problem.yaml --\nlimits:\n  time_multipliers: 1\n",
			"hello/problem.yaml:2: limits.time_multipliers: " + mapping + "; it is ignored", ""},
		{"a part of such a key", "-- problem.yaml --\nlimits:\n  time_multipliers: {ac_to_time_limit: x}\n",
			"hello/problem.yaml:2: limits.time_multipliers.ac_to_time_limit: x is not a number; it is ignored", ""},
		{"the same key where it counts", "-- problem.yaml --\nproblem_format_version: 2025-09\nlimits:\n  time_multipliers: 1\n",
			"", "hello/problem.yaml:3: limits.time_multipliers: " + mapping},
		{"a description", "-- problem.yaml --\ncredits: {authors: [{name: [x]}], testers: 1}\n",
			"hello/problem.yaml:1: credits.authors[0].name: " + text + "; it is ignored", ""},
		{"all limits", "-- problem.yaml --\nlimits: 1\n", "", "hello/problem.yaml:1: limits: " + mapping},
		{"a boolean that counts", "-- problem.yaml --\nallow_file_writing: perhaps\n", "", "hello/problem.yaml:1: allow_file_writing: perhaps is neither true nor false (hint: write true or false)"},
		{"arguments of an input validator", "-- data/testdata.yaml --\ninput_validator_flags: [[x]]\n",
			"hello/data/testdata.yaml:1: input_validator_flags[0]: " + text + "; it is ignored", ""},
		{"arguments of an output validator", "-- data/testdata.yaml --\noutput_validator_flags: [[x]]\n", "", "hello/data/testdata.yaml:1: output_validator_flags[0]: " + text},
		{"points in a problem without them", "-- data/testdata.yaml --\nrange: 100\n",
			"hello/data/testdata.yaml:1: not a range of two numbers; it is ignored (hint: write the least and the greatest score, such as 0 100)", ""},
		{"points in a problem with points", "-- problem.yaml --\ntype: scoring\n-- data/testdata.yaml --\nrange: 100\n",
			"", "hello/data/testdata.yaml:1: not a range of two numbers (hint: write the least and the greatest score, such as 0 100)"},
		{"the author of a submission", "-- submissions/submissions.yaml --\naccepted: {authors: {a: b, name: [x]}}\n-- submissions/accepted/a.py --\n",
			"hello/submissions/submissions.yaml:1: authors.name: " + text + "; it is ignored", ""},
		{"the language of a submission", "-- submissions/submissions.yaml --\naccepted: {language: [x]}\n-- submissions/accepted/a.py --\n",
			"", "hello/submissions/submissions.yaml:1: language: " + text},
	} {
		t.Run(tt.why, func(t *testing.T) {
			t.Parallel()
			dir := unpack(t, tt.archive+oneCase[1:])
			if tt.err != "" {
				if got := openError(t, dir); got != tt.err {
					t.Errorf("got  %s\nwant %s", got, tt.err)
				}
				return
			}
			p := readPackage(t, dir)
			if !slices.ContainsFunc(p.Notes, func(n string) bool { return strings.HasSuffix(n, "/"+tt.note) }) {
				t.Errorf("notes:\n%s\nwant %s", strings.Join(p.Notes, "\n"), tt.note)
			}
			if p.Time.ACToLimit != 5 {
				t.Errorf("the time limit is derived with the factor %v, want 5", p.Time.ACToLimit)
			}
		})
	}
}

// TestUnreadablePart checks that an unreadable part of a mapping or a list does not spoil the rest.
func TestUnreadablePart(t *testing.T) {
	t.Parallel()
	p := readPackage(t, unpack(t, "-- problem.yaml --\nlimits:\n  time_multipliers: {ac_to_time_limit: x, time_limit_to_tle: 3}\n"+oneCase[1:]))
	if p.Time.ACToLimit != 5 || p.Time.LimitToTLE != 3 {
		t.Errorf("factors %v and %v, want the default 5, and 3", p.Time.ACToLimit, p.Time.LimitToTLE)
	}
	p = readPackage(t, unpack(t, "-- problem.yaml --\nproblem_format_version: 2025-09\nname: Hello\ncredits: [{name: [x]}, {name: Ada}]\n"+oneCase[1:]))
	if !slices.Contains(p.Authors, "Ada") {
		t.Errorf("authors %q, want Ada in spite of the person before", p.Authors)
	}
}
