package pkgformat

import (
	"testing"

	"tribunal/judge/internal/problem"
)

const (
	legacyCases = `
-- problem.yaml --
-- data/sample/1.in --
-- data/sample/1.ans --
-- data/secret/g/1-easy.in --
-- data/secret/g/1-easy.ans --
`
	latestCases = `
-- problem.yaml --
problem_format_version: 2025-09
name: X
-- data/sample/1.in --
-- data/sample/1.ans --
-- data/secret/g/1-easy.in --
-- data/secret/g/1-easy.ans --
`
)

func TestSubmissions(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why     string
		archive string
		facts   string
		notes   string
	}{
		{
			why: "folders of the legacy format promise the verdict of the submission",
			archive: legacyCases + `
-- submissions/accepted/a.cpp --
-- submissions/accepted/folder/main.cpp --
-- submissions/accepted/README.md --
-- submissions/accepted/__pycache__/a.pyc --
-- submissions/wrong_answer/a.cpp --
-- submissions/time_limit_exceeded/a.cpp --
-- submissions/run_time_error/a.cpp --
-- submissions/partially_accepted/a.cpp --
-- submissions/rejected/a.cpp --
-- submissions/brute_force/a.cpp --
-- submissions/compile_error/a.cpp --
-- submissions/presentation_error/a.cpp --
-- submissions/idleness_limit_exceeded/a.cpp --
-- submissions/memory_limit_exceeded/a.cpp --
-- submissions/output_limit_exceeded/a.cpp --
-- submissions/security_violation/a.cpp --
-- submissions/mixed/a.cpp --
-- submissions/compiler_error/a.cpp --
-- submissions/no_output/a.cpp --
-- submissions/slow_accepted/a.cpp --
-- submissions/check_manually/a.cpp --
-- submissions/compiler_error/b c.cpp --
// @EXPECTED_RESULTS@: none-submit-fails
-- submissions/stray.cpp --
`,
			facts: `
submissions/accepted/a.cpp: AC
submissions/accepted/a.cpp from its folder
submissions/accepted/folder: AC
submissions/brute_force/a.cpp: TLE or RTE
submissions/check_manually/a.cpp: AC or WA or TLE or RTE or CE
submissions/compile_error/a.cpp: CE
submissions/compiler_error/a.cpp: CE
submissions/idleness_limit_exceeded/a.cpp: ILE
submissions/memory_limit_exceeded/a.cpp: MLE
submissions/mixed/a.cpp:
submissions/no_output/a.cpp: NO
submissions/output_limit_exceeded/a.cpp: OLE
submissions/partially_accepted/a.cpp: AC; a part of the score
submissions/presentation_error/a.cpp: PE
submissions/rejected/a.cpp: WA or TLE or RTE or CE
submissions/run_time_error/a.cpp: RTE
submissions/security_violation/a.cpp: SV
submissions/slow_accepted/a.cpp: AC or TLE
submissions/time_limit_exceeded/a.cpp: TLE
submissions/wrong_answer/a.cpp: WA
`,
			notes: `
hello/submissions/compiler_error/b c.cpp:1: not judged: the annotation says that it cannot be submitted
hello/submissions/mixed/a.cpp: nothing says which verdict to expect
hello/submissions/stray.cpp: not read: a submission belongs in a folder named for the expected verdict
`,
		},
		{
			why: "with an output validator, an empty output gets WA instead of NO",
			archive: `
-- problem.yaml --
validation: custom
-- output_validators/v.py --
-- data/sample/1.in --
-- data/sample/1.ans --
-- data/secret/1.in --
-- data/secret/1.ans --
-- submissions/no_output/a.cpp --
-- submissions/mixed/a.cpp --
// @EXPECTED_RESULTS@: NO-OUTPUT
-- submissions/mixed/b.cpp --
// @EXPECTED_RESULTS@: MEMORY-LIMIT
`,
			facts: `
submissions/mixed/a.cpp: WA
submissions/mixed/b.cpp: MLE
submissions/no_output/a.cpp: WA
`,
		},
		{
			why: "folders of the later formats promise verdicts of cases",
			archive: latestCases + `
-- submissions/accepted/a.cpp --
-- submissions/wrong_answer/a.cpp --
-- submissions/time_limit_exceeded/a.cpp --
-- submissions/run_time_error/a.cpp --
-- submissions/rejected/a.cpp --
-- submissions/brute_force/a.cpp --
-- submissions/memory_limit_exceeded/a.cpp --
`,
			facts: `
submissions/accepted/a.cpp: every case AC
submissions/brute_force/a.cpp: every case AC or TLE or RTE, one TLE or RTE
submissions/memory_limit_exceeded/a.cpp: MLE
submissions/rejected/a.cpp: every case AC or WA or TLE or RTE or CE, one WA or TLE or RTE or CE
submissions/run_time_error/a.cpp: every case AC or RTE, one RTE
submissions/time_limit_exceeded/a.cpp: every case AC or TLE, one TLE
submissions/wrong_answer/a.cpp: every case AC or WA, one WA
`,
		},
		{
			why: "an annotation sets the verdict, unless the folder is named for a single verdict",
			archive: legacyCases + `
-- problem.yaml --
type: scoring
-- data/testdata.yaml --
-- submissions/mixed/a.py --
x = 1
# @EXPECTED_RESULTS@: CORRECT, TIMELIMIT
-- submissions/mixed/b/one.c --
-- submissions/mixed/b/two.c --
/* @EXPECTED_RESULTS@: WRONG-ANSWER */
-- submissions/mixed/c.py --
# @EXPECTED_SCORE@: 40
-- submissions/mixed/d.py --
# @EXPECTED_RESULTS@: CHEATING
-- submissions/rejected/a.py --
# @EXPECTED_RESULTS@: COMPILER-ERROR
-- submissions/wrong_answer/a.py --
# @EXPECTED_RESULTS@: WRONG-ANSWER, TIMELIMIT
-- submissions/wrong_answer/b.py --
# @EXPECTED_RESULTS@: TIMELIMIT
-- submissions/accepted/a.py --
# @EXPECTED_SCORE@: 75.5
`,
			facts: `
submissions/accepted/a.py: AC
submissions/mixed/a.py: AC or TLE
submissions/mixed/a.py from submissions/mixed/a.py:2
submissions/mixed/b: WA
submissions/mixed/b from submissions/mixed/b/two.c:1
submissions/rejected/a.py: CE
submissions/wrong_answer/a.py: WA
submissions/wrong_answer/b.py: WA
`,
			notes: `
hello/submissions/mixed/d.py:1: the annotation is ignored: unknown result CHEATING
hello/submissions/mixed/d.py: nothing says which verdict to expect
hello/submissions/wrong_answer/b.py:1: the annotation is ignored: it contradicts the folder wrong_answer
`,
		},
		{
			why: "DOMjudge's submissions.json gives the language and the entry point of submissions",
			archive: legacyCases + `
-- submissions.json --
{"submissions/accepted/a/": {"entry_point": "main.py", "team": "x"}, "submissions/accepted/b.py": {"langid": "python3"}}
-- submissions/accepted/a/main.py --
-- submissions/accepted/b.py --
-- submissions/submissions.yaml --
accepted/b.py: {language: pypy3}
`,
			facts: `
submissions/accepted/a is  main.py by [] model false
submissions/accepted/b.py is pypy3  by [] model false
`,
		},
		{
			why: "submissions.yaml adds rules, in its order, to those of the folders",
			archive: latestCases + `
-- submissions/submissions.yaml --
time_limit_exceeded/slow.{py,cpp}:
  language: python3
  entrypoint: slow.py
  authors: [A <a@example.org>, {name: B, email: b@example.org}]
  model_solution: true
  sample:
    permitted: [AC]
  secret/*/*-easy:
    permitted: [AC, TLE, MLE]
    required: TLE
wrong_answer:
  permitted: [AC, WA, TLE]
wrong_answer/*:
  required: [RTE]
accepted/:
  authors: C
mixed/x.py:
  permitted: [AC]
nobody/*: {language: c}
accepted/a.py:
  secret/h: {permitted: [AC]}
  colour: red
-- submissions/time_limit_exceeded/slow.py --
-- submissions/wrong_answer/a.py --
-- submissions/accepted/a.py --
-- submissions/mixed/x.py --
`,
			facts: `
submissions/accepted/a.py: every case AC; every case of secret/h AC
submissions/accepted/a.py is   by [C] model false
submissions/mixed/x.py: every case AC
submissions/mixed/x.py from submissions/submissions.yaml:17
submissions/time_limit_exceeded/slow.py: every case AC or TLE, one TLE; every case of sample AC; every case of secret/*/*-easy AC or TLE or MLE, one TLE
submissions/time_limit_exceeded/slow.py is python3 slow.py by [A <a@example.org> B] model true
submissions/wrong_answer/a.py: every case AC or WA or TLE, one WA; every case AC or WA or TLE or RTE, one RTE
`,
			notes: `
hello/submissions/submissions.yaml:21: secret/h is not a known key and matches no case or group
hello/submissions/submissions.yaml:22: unknown key colour
hello/submissions/submissions.yaml:19: nobody/* matches no submission
`,
		},
	} {
		t.Run(tt.why, func(t *testing.T) {
			t.Parallel()
			p := readPackage(t, unpack(t, tt.archive))
			wantFacts(t, p, tt.facts)
			wantNotes(t, p, tt.notes)
		})
	}
}

func TestRuleDetails(t *testing.T) {
	t.Parallel()
	p := readPackage(t, unpack(t, latestCases+`
-- submissions/submissions.yaml --
accepted/a.py:
  score: [10, 20]
  message: too slow
  use_for_time_limit: false
  secret/g:
    score: 5
    use_for_time_limit: upper
-- submissions/accepted/a.py --
`))
	e := p.Submissions[0].Expect
	if e.Score == nil || *e.Score != [2]float64{10, 20} {
		t.Errorf("the score of the submission is %v", e.Score)
	}
	if len(e.Rules) != 3 {
		t.Fatalf("rules %+v, want the rule of the folder and two more", e.Rules)
	}
	if r := e.Rules[1]; r.Message != "too slow" || r.Time != problem.TimeIgnore || r.Cases != "" {
		t.Errorf("the first rule is %+v", r)
	}
	if r := e.Rules[2]; r.Score == nil || *r.Score != [2]float64{5, 5} || r.Time != problem.TimeUpper || r.From != "submissions/submissions.yaml:5" {
		t.Errorf("the second rule is %+v", r)
	}
}

func TestMatchPath(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, pattern, name string
		want               bool
	}{
		{"the same path", "accepted/a.py", "accepted/a.py", true},
		{"the folder of the file", "accepted", "accepted/a.py", true},
		{"the beginning of a name", "accept", "accepted/a.py", false},
		{"a path below the file", "accepted/a.py/x", "accepted/a.py", false},
		{"a star for a folder", "*/a.py", "accepted/a.py", true},
		{"a star matches no slash", "*.py", "accepted/a.py", false},
		{"a star within a name", "secret/*-easy", "secret/01-easy", true},
		{"a star matches the empty text", "a*b", "ab", true},
		{"stars that need backtracking", "a*b*c", "abbxbc", true},
		{"a letter after the last match", "a*b*c", "abbxb", false},
		{"braces", "{accepted,rejected}/x.{py,cpp}", "rejected/x.cpp", true},
		{"no alternative of the braces", "{accepted,rejected}/x.{py,cpp}", "rejected/x.c", false},
		{"nested braces", "{a,{b,c}d}", "cd", true},
		{"an empty alternative", "a{,b}", "a", true},
		{"an unclosed brace matches only itself", "a{b,c", "a{b,c", true},
		{"one alternative", "a{b}", "ab", true},
		{"blanks around alternatives", "secret/*{ 4 , 5}{ 2 }", "secret/1-52", true},
		{"a blank that is not around an alternative", "{a b}", "ab", false},
		{"a question mark matches only itself", "a?", "ab", false},
		{"brackets match only themselves", "[ab]", "a", false},
		{"a pattern with too many alternatives matches nothing", "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}", "aaaaaaaaaa", false},
	} {
		if got := problem.MatchPath(tt.pattern, tt.name); got != tt.want {
			t.Errorf("%s: problem.MatchPath(%q, %q) = %v", tt.why, tt.pattern, tt.name, got)
		}
	}
}
