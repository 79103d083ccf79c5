package kattis

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/packages/draft"
)

func FuzzTag(f *testing.F) {
	f.Add([]byte("// @EXPECTED_RESULTS@: CORRECT, TIMELIMIT\n"))
	f.Add([]byte("/* @expected_score@: 1e3 */ @EXPECTED_SCORE@"))
	f.Fuzz(func(t *testing.T, source []byte) {
		got := findTag(source)
		if got == nil {
			return
		}
		if lines := 1 + bytes.Count(source, []byte("\n")); got.line < 1 || got.line > lines {
			t.Errorf("line %d of %d", got.line, lines)
		}
		if valid := got.final != 0 || got.score != nil || got.unsubmittable; valid == (got.bad != "") {
			t.Errorf("neither valid nor bad, or both: %+v", got)
		}
	})
}

func TestFindTag(t *testing.T) {
	t.Parallel()
	wa, tle := verdict.WA.Class(), verdict.TLE.Class()
	for _, tt := range []struct {
		why    string
		source string
		line   int
		final  verdict.Set
		score  float64
		bad    string
	}{
		{"no annotation", "int main() {}", 0, 0, 0, ""},
		{"a result of DOMjudge", "// @EXPECTED_RESULTS@: WRONG-ANSWER", 1, wa, 0, ""},
		{"a result of Kattis, on a later line", "\n\n# @EXPECTED_RESULTS@: TIME_LIMIT_EXCEEDED\n", 3, tle, 0, ""},
		{"several results, in mixed case", "@expected_results@: wrong_answer,TimeLimit", 1, wa | tle, 0, ""},
		{"codes of verdicts", "@EXPECTED_RESULTS@: WA, TLE", 1, wa | tle, 0, ""},
		{"NO-OUTPUT is narrower than WRONG-ANSWER", "@EXPECTED_RESULTS@: NO-OUTPUT", 1, verdict.SetOf(verdict.NO), 0, ""},
		{"TIMELIMIT includes ILE and OLE", "@EXPECTED_RESULTS@: TIMELIMIT", 1, verdict.SetOf(verdict.TLE, verdict.ILE, verdict.OLE), 0, ""},
		{"CHECK-MANUALLY allows any verdict", "@EXPECTED_RESULTS@: CHECK-MANUALLY", 1, draft.AnyCase | draft.Failed, 0, ""},
		{"RUN-ERROR includes finer verdicts", "@EXPECTED_RESULTS@: RUN-ERROR", 1, verdict.SetOf(verdict.RTE, verdict.MLE, verdict.OLE, verdict.SV), 0, ""},
		{"a finer result means only its own verdict", "@EXPECTED_RESULTS@: MEMORY-LIMIT, output_limit", 1, verdict.SetOf(verdict.MLE, verdict.OLE), 0, ""},
		{"a failure of the judge", "@EXPECTED_RESULTS@: CHECK_FAILED", 1, verdict.SetOf(verdict.JE), 0, ""},
		{"a compile error", "@EXPECTED_RESULTS@: COMPILER-ERROR", 1, verdict.SetOf(verdict.CE), 0, ""},
		{"the comment ends on the line", "/* @EXPECTED_RESULTS@: CORRECT */ int x;", 1, verdict.SetOf(verdict.AC), 0, ""},
		{"a comment of OCaml ends on the line", "(* @EXPECTED_RESULTS@: CORRECT *)", 1, verdict.SetOf(verdict.AC), 0, ""},
		{"CRLF", "// @EXPECTED_RESULTS@: ACCEPTED\r\nx", 1, verdict.SetOf(verdict.AC), 0, ""},
		{"a trailing comma", "//@EXPECTED_RESULTS@: CORRECT,", 1, verdict.SetOf(verdict.AC), 0, ""},
		{"no blank after the colon", "// @EXPECTED_RESULTS@:CORRECT", 0, 0, 0, ""},
		{"the name without a colon is prose", "# This uses the @EXPECTED_RESULTS@ tag.\n# @EXPECTED_RESULTS@: CORRECT", 2, verdict.SetOf(verdict.AC), 0, ""},
		{"one of each kind", "# @EXPECTED_RESULTS@: WRONG-ANSWER\n# @EXPECTED_SCORE@: 60", 1, wa, 60, ""},
		{"two lists, one of them under the old name", "# @EXPECTED_RESULTS@: CORRECT\n# @EXPECTED_SCORE@: CORRECT", 1, 0, 0, "several lists of results"},
		{"two scores", "# @EXPECTED_SCORE@: 60\n# @EXPECTED_SCORE@: 80", 1, 0, 0, "several scores"},
		{"a word that is no number of DOMjudge's", "# @EXPECTED_SCORE@: inf", 1, 0, 0, "unknown result inf"},
		{"the old name of the marker", "// @EXPECTED_SCORE@: ACCEPTED", 1, verdict.SetOf(verdict.AC), 0, ""},
		{"a score", "// @EXPECTED_SCORE@: 42.5", 1, 0, 42.5, ""},
		{"a number is not a result", "// @EXPECTED_RESULTS@: 42", 1, 0, 0, "unknown result 42"},
		{"one unknown result makes the annotation invalid", "@EXPECTED_RESULTS@: CORRECT, OK?", 1, 0, 0, "unknown result OK?"},
		{"nothing", "@EXPECTED_RESULTS@: \nCORRECT", 1, 0, 0, `unknown result ""`},
		{"two annotations are an error", "@EXPECTED_RESULTS@: AC\n@EXPECTED_RESULTS@: WA", 1, 0, 0, "several lists of results"},
	} {
		got := findTag([]byte(tt.source))
		if got == nil {
			if tt.line != 0 {
				t.Errorf("%s: no tag in %q", tt.why, tt.source)
			}
			continue
		}
		score := 0.0
		if got.score != nil {
			score = *got.score
		}
		if got.line != tt.line || got.final != tt.final || score != tt.score || got.bad != tt.bad {
			t.Errorf("%s: %q is %+v, want line %d, %v, score %v, bad %q", tt.why, tt.source, got, tt.line, tt.final, tt.score, tt.bad)
		}
	}
}

func TestBound(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why  string
		rule problem.Rule
		want problem.TimeUse
	}{
		{"a submission that must be accepted must not be too slow", defaultRules["accepted"], problem.TimeLower},
		{"a wrong submission must not be too slow", defaultRules["wrong_answer"], problem.TimeLower},
		{"a submission that must be too slow", defaultRules["time_limit_exceeded"], problem.TimeUpper},
		{"a submission that may be too slow is ignored", defaultRules["brute_force"], problem.TimeIgnore},
		{"a rejected submission is ignored", defaultRules["rejected"], problem.TimeIgnore},
		{"a submission that must crash, or write too much, must not be too slow", defaultRules["run_time_error"], problem.TimeLower},
		{"the rule sets TimeIgnore", problem.Rule{Permitted: draft.Accepted, Required: draft.AnyCase, Time: problem.TimeIgnore}, problem.TimeIgnore},
		{"the rule sets TimeUpper", problem.Rule{Permitted: draft.AnyCase, Required: draft.AnyCase, Time: problem.TimeUpper}, problem.TimeUpper},
	} {
		if got := tt.rule.Bound(); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.why, got, tt.want)
		}
	}
}

// TestSpareKeysAreDocumented checks that the page lists exactly the keys that may be unreadable.
func TestSpareKeysAreDocumented(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../docs/packages.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range []struct {
		begin string
		keys  []spareKey
	}{
		{"- In `problem.yaml`", spareMetadata}, {"- In the settings", spareSettings}, {"- In `submissions.yaml`", spareRules},
	} {
		_, text, ok := strings.Cut(string(page), "\n"+list.begin)
		if !ok {
			t.Fatalf("docs/packages.md has no line that begins with %q", list.begin)
		}
		text, _, _ = strings.Cut(text, "\n\n")
		text, _, _ = strings.Cut(text, "\n- ")
		_, text, _ = strings.Cut(text, ":")
		var documented, known []string
		for i, word := range strings.Split(text, "`") {
			if i%2 == 1 {
				documented = append(documented, word)
			}
		}
		for _, k := range list.keys {
			known = append(known, k.key)
		}
		if slices.Sort(documented); !slices.Equal(documented, slices.Sorted(slices.Values(known))) {
			t.Errorf("%s: docs/packages.md lists %q, want %q", list.begin, documented, known)
		}
	}
}
