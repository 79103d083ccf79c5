package pkgformat

import (
	"testing"

	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/verdict"
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
hello/submissions/compiler_error/b c.cpp:1: not judged: the annotation says that it cannot be handed in
hello/submissions/mixed/a.cpp: nothing says what it promises
hello/submissions/stray.cpp: not read: submissions stand in a folder that says what they promise
`,
		},
		{
			why: "where an output validator decides, no output is a wrong answer like any other",
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
			why: "folders of the later formats promise something of every case",
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
			why: "an annotation decides where the folder names no verdict, and not where it names one",
			archive: legacyCases + `
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
hello/submissions/mixed/d.py:1: unknown result CHEATING: the annotation does not count
hello/submissions/mixed/d.py: nothing says what it promises
hello/submissions/wrong_answer/b.py:1: the annotation does not count: the folder says wrong_answer
`,
		},
		{
			why: "DOMjudge says in submissions.json how to run a submission",
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
			why: "submissions.yaml adds promises, in this order, to what the folders promise",
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
hello/submissions/submissions.yaml:21: secret/h matches no case and no group, and is no key that is known
hello/submissions/submissions.yaml:22: unknown key colour
hello/submissions/submissions.yaml:19: nobody/* matches no submission
`,
		},
	} {
		t.Run(tt.why, func(t *testing.T) {
			t.Parallel()
			p := read(t, unpack(t, tt.archive))
			wantFacts(t, p, tt.facts)
			wantNotes(t, p, tt.notes)
		})
	}
}

func TestRuleDetails(t *testing.T) {
	t.Parallel()
	p := read(t, unpack(t, latestCases+`
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
		t.Fatalf("rules %+v, want that of the folder and two more", e.Rules)
	}
	if r := e.Rules[1]; r.Message != "too slow" || r.Time != problem.TimeIgnore || r.Cases != "" {
		t.Errorf("the first rule is %+v", r)
	}
	if r := e.Rules[2]; r.Score == nil || *r.Score != [2]float64{5, 5} || r.Time != problem.TimeUpper || r.From != "submissions/submissions.yaml:5" {
		t.Errorf("the second rule is %+v", r)
	}
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
		{"none", "int main() {}", 0, 0, 0, ""},
		{"DOMjudge's words", "// @EXPECTED_RESULTS@: WRONG-ANSWER", 1, wa, 0, ""},
		{"Kattis' words, on another line", "\n\n# @EXPECTED_RESULTS@: TIME_LIMIT_EXCEEDED\n", 3, tle, 0, ""},
		{"several, in mixed case", "@expected_results@: wrong_answer,TimeLimit", 1, wa | tle, 0, ""},
		{"codes", "@EXPECTED_RESULTS@: WA, TLE", 1, wa | tle, 0, ""},
		{"no output is a wrong answer of its own", "@EXPECTED_RESULTS@: NO-OUTPUT", 1, verdict.SetOf(verdict.NO), 0, ""},
		{"one too slow may have written too much", "@EXPECTED_RESULTS@: TIMELIMIT", 1, verdict.SetOf(verdict.TLE, verdict.ILE, verdict.OLE), 0, ""},
		{"somebody has to look", "@EXPECTED_RESULTS@: CHECK-MANUALLY", 1, anyCase | failed, 0, ""},
		{"a crash has finer verdicts", "@EXPECTED_RESULTS@: RUN-ERROR", 1, verdict.SetOf(verdict.RTE, verdict.MLE, verdict.OLE, verdict.SV), 0, ""},
		{"the finer verdicts mean themselves", "@EXPECTED_RESULTS@: MEMORY-LIMIT, output_limit", 1, verdict.SetOf(verdict.MLE, verdict.OLE), 0, ""},
		{"what only a judge gives", "@EXPECTED_RESULTS@: CHECK_FAILED", 1, verdict.SetOf(verdict.JE), 0, ""},
		{"compiling", "@EXPECTED_RESULTS@: COMPILER-ERROR", 1, verdict.SetOf(verdict.CE), 0, ""},
		{"the comment ends on the line", "/* @EXPECTED_RESULTS@: CORRECT */ int x;", 1, verdict.SetOf(verdict.AC), 0, ""},
		{"in OCaml too", "(* @EXPECTED_RESULTS@: CORRECT *)", 1, verdict.SetOf(verdict.AC), 0, ""},
		{"CRLF", "// @EXPECTED_RESULTS@: ACCEPTED\r\nx", 1, verdict.SetOf(verdict.AC), 0, ""},
		{"no blank, a comma too many", "//@EXPECTED_RESULTS@:CORRECT,", 1, verdict.SetOf(verdict.AC), 0, ""},
		{"the old name of the marker", "// @EXPECTED_SCORE@: ACCEPTED", 1, verdict.SetOf(verdict.AC), 0, ""},
		{"a score", "// @EXPECTED_SCORE@: 42.5", 1, 0, 42.5, ""},
		{"a number is no result", "// @EXPECTED_RESULTS@: 42", 1, 0, 0, "unknown result 42"},
		{"one unknown result spoils the promise", "@EXPECTED_RESULTS@: CORRECT, OK?", 1, 0, 0, "unknown result OK?"},
		{"nothing", "@EXPECTED_RESULTS@:\nCORRECT", 1, 0, 0, `unknown result ""`},
		{"two of them contradict", "@EXPECTED_RESULTS@: AC\n@EXPECTED_RESULTS@: WA", 1, 0, 0, "several annotations"},
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
			score = got.score[0]
		}
		if got.line != tt.line || got.final != tt.final || score != tt.score || got.bad != tt.bad {
			t.Errorf("%s: %q is %+v, want line %d, %v, score %v, bad %q", tt.why, tt.source, got, tt.line, tt.final, tt.score, tt.bad)
		}
	}
}

func TestMatchPath(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, pattern, name string
		want               bool
	}{
		{"itself", "accepted/a.py", "accepted/a.py", true},
		{"a folder that it is in", "accepted", "accepted/a.py", true},
		{"but not a beginning of a name", "accept", "accepted/a.py", false},
		{"deeper than the name", "accepted/a.py/x", "accepted/a.py", false},
		{"a star", "*/a.py", "accepted/a.py", true},
		{"a star is not a slash", "*.py", "accepted/a.py", false},
		{"a star in a name", "secret/*-easy", "secret/01-easy", true},
		{"a star may be nothing", "a*b", "ab", true},
		{"stars that go back", "a*b*c", "abbxbc", true},
		{"stars and more", "a*b*c", "abbxb", false},
		{"braces", "{accepted,rejected}/x.{py,cpp}", "rejected/x.cpp", true},
		{"none of the braces", "{accepted,rejected}/x.{py,cpp}", "rejected/x.c", false},
		{"braces in braces", "{a,{b,c}d}", "cd", true},
		{"an empty choice", "a{,b}", "a", true},
		{"a brace that is not closed is a letter", "a{b,c", "a{b,c", true},
		{"braces without a comma are letters", "a{b}", "a{b}", true},
		{"a question mark is a letter", "a?", "ab", false},
		{"brackets are letters", "[ab]", "a", false},
		{"too many choices match nothing", "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}", "aaaaaaaaaa", false},
	} {
		if got := problem.MatchPath(tt.pattern, tt.name); got != tt.want {
			t.Errorf("%s: problem.MatchPath(%q, %q) = %v", tt.why, tt.pattern, tt.name, got)
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
		{"what must be accepted must not be too slow", defaultRules["accepted"], problem.TimeLower},
		{"nor what must be wrong", defaultRules["wrong_answer"], problem.TimeLower},
		{"what must be too slow", defaultRules["time_limit_exceeded"], problem.TimeUpper},
		{"what may be too slow says nothing", defaultRules["brute_force"], problem.TimeIgnore},
		{"nor what is rejected", defaultRules["rejected"], problem.TimeIgnore},
		{"what must crash, or write too much, must not be too slow", defaultRules["run_time_error"], problem.TimeLower},
		{"said otherwise", problem.Rule{Permitted: accepted, Required: anyCase, Time: problem.TimeIgnore}, problem.TimeIgnore},
		{"said so", problem.Rule{Permitted: anyCase, Required: anyCase, Time: problem.TimeUpper}, problem.TimeUpper},
	} {
		if got := tt.rule.Bound(); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.why, got, tt.want)
		}
	}
}
