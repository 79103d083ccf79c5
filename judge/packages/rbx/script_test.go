package rbx

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"tribunal/judge/internal/verdict"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/tree"
	"tribunal/judge/packages/yamlloose"
)

// TestRbxOutcomes reads the names that rbx has for outcomes.
func TestRbxOutcomes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ names, want string }{
		{"ACCEPTED, ac, Correct", "AC"},
		{"WRONG_ANSWER, wrong answer, WA", "PE WA NO"},
		{"time-limit-exceeded, TLE, tl, timeout", "TLE ILE"},
		{"RUNTIME_ERROR, re, RTE", "RTE SV"},
		{"memory limit exceeded, ML", "MLE"},
		{"OLE, output_limit_exceeded", "OLE"},
		{"ac/tle, ACCEPTED_OR_TLE, accepted or time limit exceeded", "AC TLE ILE"},
		{"TLE_OR_RTE, tle+re", "TLE ILE RTE SV"},
		{"incorrect, FAIL", "PE WA NO TLE ILE MLE OLE RTE SV"},
		{"compilation error", "CE"},
		{"judge failed, jf", "JE"},
	} {
		for name := range strings.SplitSeq(tt.names, ", ") {
			set, err := rbxOutcome(yamlloose.Node{Doc: &yamlloose.Document{Left: yamlloose.MaxNodes}, Raw: &yaml.Node{Kind: yaml.ScalarNode, Value: name}})
			var got []string
			for _, v := range set.List() {
				got = append(got, v.String())
			}
			if text := strings.Join(got, " "); err != nil || text != tt.want {
				t.Errorf("%s: %s, %v, want %s", name, text, err, tt.want)
			}
		}
	}
	if all := outcomes()["any"]; all != draft.AnyCase || all.Has(verdict.CE) {
		t.Errorf("any: %v", all.List())
	}
}

// TestRbxScripts reads generator scripts.
func TestRbxScripts(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, text string
		want      []string // line, group, call and arguments, file, text
		fails     string
	}{
		{"calls and comments", "# a\ngen 1  2 # 3\n// b\n\n  dir/gen\n", []string{`2 "" "gen" " 1  2 # 3" "" ""`, `5 "" "dir/gen" "" "" ""`}, ""},
		{"a tab", "gen\t1 2\r\n", []string{`1 "" "gen" " 1 2" "" ""`}, ""},
		{"files", "@copy tests/a.in \n", []string{`1 "" "" "" "tests/a.in" ""`}, ""},
		{"texts", "@input '1\\n\\t2\\''\n@input \"a\\qb\"\n", []string{`1 "" "" "" "" "1\n\t2'"`, `2 "" "" "" "" "a\\qb"`}, ""},
		{"long texts", "@input \"\"\"\n\n 1\n  2 \n\n\"\"\"\n@input {\n  3  4\n 5\n}\n@input {}", []string{`1 "" "" "" "" "1\n  2\n"`, `7 "" "" "" "" "3  4\n5\n"`, `11 "" "" "" "" ""`}, ""},
		{"groups", "@testgroup a {\n gen 1\n @testgroup b/c { // x\n  gen 2\n }\n}\n@testgroup a/b { @copy x\n}\n", []string{`2 "a" "gen" " 1" "" ""`, `4 "a/b/c" "gen" " 2" "" ""`, `7 "a/b" "" "" "x" ""`}, ""},
		{"a brace in a call", "@testgroup a {\ngen }\n}\n", []string{`2 "a" "gen" " }" "" ""`}, ""},
		{"an unknown word", "\n@copies x\n", nil, "hello/s:2: @copies is no statement (hint: it is a generator with its arguments, @copy, @input or @testgroup)"},
		{"a path from the root", "/bin/x\n", nil, "hello/s:1: /bin/x is no statement (hint: it is a generator with its arguments, @copy, @input or @testgroup)"},
		{"a group without a name", "@testgroup {\n}\n", nil, "hello/s:1: a group without a name or without { (hint: write @testgroup NAME { and close it with } on a line of its own)"},
		{"a group with an empty part of its path", "@testgroup a//b {\n}\n", nil, "hello/s:1: a group without a name or without { (hint: write @testgroup NAME { and close it with } on a line of its own)"},
		{"no file", "@copy\n", nil, "hello/s:1: @copy without a file (hint: write @copy FILE)"},
		{"no text", "@input x\n", nil, "hello/s:1: a text is missing (hint: write it in quotes, or in { })"},
		{"a text without an end", "@input { 1\n", nil, "hello/s:1: a text without an end (hint: close it with })"},
		{"a quote without an end", "@input 'a\n'\n", nil, "hello/s:1: a text without an end (hint: close it with the same quote on the same line)"},
	} {
		list, err := parseScript(rbxTree(), "s", tt.text)
		checkScript(t, tt.why, list, err, tt.want, tt.fails)
	}
	list, err := parseBox(rbxTree(), "s", "# a\n1 ; gen.exe 1 2\n\n2;copy tests/x.in\n")
	checkScript(t, "a script of BOX", list, err, []string{`2 "" "gen" " 1 2" "" ""`, `4 "" "" "" "tests/x.in" ""`}, "")
	_, err = parseBox(rbxTree(), "s", "\nx ; gen\n")
	checkScript(t, "a bad script of BOX", nil, err, nil, "hello/s:2: x ; gen is no line of a script in the format box (hint: write NUMBER ; GENERATOR ARGUMENTS)")
}

func rbxTree() *tree.Tree { return &tree.Tree{Show: func(rel string) string { return "hello/" + rel }} }

func checkScript(t *testing.T, why string, list []test, err error, want []string, fails string) {
	t.Helper()
	var got []string
	for _, one := range list {
		got = append(got, fmt.Sprintf("%d %q %q %q %q %q", one.line, one.group, one.call, one.args, one.file, one.text))
	}
	text := ""
	if err != nil {
		text = err.Error()
	}
	if text != fails || err == nil && !slices.EqualFunc(got, want, func(a, b string) bool { return strings.ReplaceAll(a, `" `, `"`) == strings.ReplaceAll(b, `" `, `"`) }) {
		t.Errorf("%s: %v, %s\nwant %v, %s", why, got, text, want, fails)
	}
}

// TestRbxUnits reads plans of tests.
func TestRbxUnits(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, text, want string
	}{
		{"inputs", "@input valid '1'\n# c\n@input name invalid {\n 2 \n}\n", `1 valid map[input:1]; 3 invalid map[input:2` + "\n" + `]`},
		{"tests", "@test ac {\n // c\n @input \"1\" @output '2'\n @answer {\n3\n}\n}\n", "1 ac map[answer:3\n input:1 output:2]"},
		{"no outcome", "@input { }\n", "hello/u:1: a test without an expected outcome (hint: write @input valid, for example)"},
		{"no input", "@test a wa {\n @output '' }\n", "hello/u:1: a test without an input (hint: write @input { … } into it)"},
		{"an unknown part", "@test wa {\n @result '' }\n", "hello/u:2: a test without an end, or with an unknown part (hint: they are @input, @output and @answer; close the test with })"},
		{"an unknown word", "input valid ''\n", "hello/u:1: input valid '' is no statement (hint: they are @test and @input)"},
	} {
		list, err := parseUnits(rbxTree(), "u", tt.text)
		var got []string
		for _, u := range list {
			got = append(got, fmt.Sprintf("%d %s %v", u.line, u.outcome, u.given))
		}
		text := strings.Join(got, "; ")
		if err != nil {
			text = err.Error()
		}
		if text != tt.want {
			t.Errorf("%s: %s\nwant %s", tt.why, text, tt.want)
		}
	}
}

// FuzzRbx reads scripts and plans of tests.
func FuzzRbx(f *testing.F) {
	f.Add("@testgroup a { gen 1\n}\n@input '\\n'", "@test ac { @input {1} }")
	f.Fuzz(func(t *testing.T, script, plan string) {
		tests, err := parseScript(rbxTree(), "s", script)
		for i := range tests {
			if one := &tests[i]; one.line < 1 || one.call != "" && one.file != "" || !one.of(one.group) {
				t.Errorf("%+v", one)
			}
		}
		_, bad := parseUnits(rbxTree(), "u", plan)
		for _, err := range []error{err, bad} {
			if err != nil && strings.ContainsAny(err.Error(), "\n\x00") {
				t.Errorf("not one line: %q", err)
			}
		}
	})
}
