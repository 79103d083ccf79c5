package pkgformat

import (
	"strings"
	"testing"
)

// rbxOne is a problem of rbx with one case, to which the tests add keys.
const rbxOne = `
timeLimit: 1000
memoryLimit: 256
testcases: [{name: main, testcaseGlob: 'tests/*.in'}]
solutions: [{path: a.c, outcome: ac}]
-- tests/1.in --
-- tests/1.ans --
-- a.c --
`

func TestRbxErrors(t *testing.T) {
	t.Parallel()
	only := "timeLimit: 1000\nmemoryLimit: 256\n"
	files := "\n-- tests/1.in --\n-- tests/1.ans --\n-- a.c --\n"
	for _, tt := range []struct {
		why, text, want string
	}{
		{"a problem without a time limit", "name: x\ntestcases: []\n", ": no timeLimit (hint: write timeLimit: 1000, in milliseconds)"},
		{"a problem without tests", only, ": no testcases (hint: write testcases: with at least one group)"},
		{"a time limit that is not a number", "timeLimit: fast\n", ":1: timeLimit: fast is not a number"},
		{"a time limit of nothing", "timeLimit: 0\n", ":1: timeLimit: 0 is less than 1"},
		{"a limit of a language that is not a number", "modifiers: {java: {time: fast}}\n" + rbxOne, ":1: modifiers.java.time: fast is not a number"},
		{"a limit of a language without its name", "modifiers: {java: 5}\n" + rbxOne, ":1: modifiers.java: a text or a list instead of a mapping"},
		{"too little memory for a language", "modifiers: {java: {memory: 0.5}}\n" + rbxOne, ":1: modifiers.java.memory: 512KiB of memory: no program starts with less than 1MiB"},
		{"a text instead of a list", "solutions: sols/*\n" + only, ":1: solutions: a text or a mapping instead of a list (hint: begin each entry with -)"},
		{"a list instead of a mapping", "validator: [a.c]\n" + rbxOne, ":1: validator: a text or a list instead of a mapping"},
		{"a text instead of a program", "validator: a.c\n" + rbxOne, ":1: validator: a text or a list instead of a mapping"},
		{"a program without a path", "validator: {}\n" + rbxOne, ":1: validator: a program without a path (hint: write path: name.cpp)"},
		{"a program that does not exist", "validator: {path: v.c}\n" + rbxOne, ":1: validator.path: there is no v.c (hint: add it)"},
		{"a program outside of the package", "validator: {path: ../v.c}\n" + rbxOne, ":1: validator.path: ../v.c is no path in the package (hint: write a path below the folder of problem.rbx.yml)"},
		{"a program at an absolute path", "validator: {path: /bin/true}\n" + rbxOne, ":1: validator.path: /bin/true is no path in the package (hint: write a path below the folder of problem.rbx.yml)"},
		{"tests outside of the package", only + "testcases: [{name: main, testcaseGlob: '../*.in'}]\n", ":3: testcases[0].testcaseGlob: ../*.in leads out of the package (hint: write a pattern below the folder of problem.rbx.yml)"},
		{"a solution outside of the package", "solutions: [{path: '../*.c'}]\n" + only + "testcases: []\n", ":1: solutions[0].path: ../*.c is no path in the package (hint: write a path below the folder of problem.rbx.yml)"},
		{"tests that no file matches", only + "testcases: [{name: main, testcaseGlob: '*.in'}]\n", ": no cases (hint: list them, or globs that match files, under testcases in problem.rbx.yml)"},
		{"a test that does not exist", only + "testcases: [{name: main, testcases: [{inputPath: 2.in}]}]\n", ":3: testcases[0].testcases[0].inputPath: there is no 2.in (hint: add it)"},
		{"a test without an input", only + "testcases: [{name: main, testcases: [{outputPath: 2.in}]}]\n", ":3: testcases[0].testcases[0]: a test without an input (hint: write inputPath: tests/1.in)"},
		{"a group without a name", only + "testcases: [{score: 5}]\n", ":3: a group of tests with the name \"\" (hint: write name: with letters, digits, - and _)"},
		{"a group with a path as its name", only + "testcases: [{name: ../x}]\n", ":3: a group of tests with the name ../x (hint: write name: with letters, digits, - and _)"},
		{"two groups of the same name", only + "testcases:\n  - name: main\n  - name: main\n", ":5: a second group main (hint: rename one)"},
		{"an unknown generator", only + "testcases: [{name: main, generators: [{name: gen, args: 1}]}]\n", ":3: there is no generator gen (hint: add it to generators, or name a file)"},
		{"a generator outside of the package", only + "testcases: [{name: main, generators: [{name: ../gen}]}]\n", ":3: ../gen is no name of a generator (hint: write the name of a generator)"},
		{"a quote without an end", only + "generators: [{name: gen, path: a.c}]\ntestcases: [{name: main, generators: [{name: gen, args: \"'1\"}]}]\n" + files, ":4: unclosed quote: '1"},
		{"a script in an unknown format", "generatorScript: {path: a.c, format: yaml}\n" + rbxOne, ":1: generatorScript.format: unknown format yaml (hint: it is rbx or box)"},
		{"an unknown outcome", only + "solutions: [{path: a.c, outcome: great}]\n" + "testcases: []\n", ":3: solutions[0].outcome: unknown outcome great (hint: such as accepted, wrong answer, tle or incorrect)"},
		{"an outcome for an unknown group", only + "scoring: points\nsolutions: [{path: a.c, outcome: wa, outcomePerGroup: {other: ac}}]\ntestcases: []\n" + files, ":4: outcomePerGroup.other: there is no group other (hint: write the name of a group of testcases, or *)"},
		{"a score of three numbers", only + "scoring: points\nsolutions: [{path: a.c, score: [1, 2, 3]}]\ntestcases: []\n" + files, ":4: solutions[0].score: a range needs two numbers (hint: write one number, or [30, 60])"},
		{"a solution that does not exist", only + "solutions: [{path: b.c}]\ntestcases: []\n", ":3: solutions[0].path: there is no b.c (hint: add it)"},
		{"a checker that nobody has", "checker: {path: mine.cpp}\n" + rbxOne, ":1: checker.path: there is no mine.cpp (hint: add it; rbx download checker mine.cpp may have it)"},
		{"a checker for another judge", "checker: {path: a.c, mode: boca}\n" + rbxOne, ":1: checker.mode: checkers in the mode boca are not supported (hint: write a checker for testlib)"},
		{"communication without an interactor", "type: communication\n" + rbxOne, ": type: communication without an interactor (hint: write interactor: {path: interactor.cpp})"},
		{"an interactor of a batch problem", "interactor: {path: a.c}\n" + rbxOne, ":1: interactor: only problems of that type have one (hint: write type: communication)"},
		{"an unknown kind of scoring", "scoring: stars\n" + rbxOne, ":1: scoring: unknown kind of scoring stars (hint: it is binary or points)"},
		{"a group that depends on itself", only + "scoring: points\nsolutions: [{path: a.c, outcome: ac}]\ntestcases:\n  - {name: one, score: 1, deps: [two], testcaseGlob: tests/*.in}\n  - {name: two, deps: [one], testcaseGlob: tests/*.in}\n" + files, ":7: testcases[1].deps: one depends on itself"},
		{"a group that depends on an unknown one", only + "scoring: points\nsolutions: [{path: a.c, outcome: ac}]\ntestcases: [{name: one, score: 1, deps: [two], testcaseGlob: tests/*.in}]\n" + files, ":5: testcases[0].deps: there is no group two"},
		{"tests of validators without an outcome", "unitTests: {validator: [{glob: '*.in'}]}\n" + rbxOne, ":1: unitTests.validator[0].glob: tests without an expected outcome (hint: write outcome: beside it)"},
		{"tests of validators without files", "unitTests: {validator: [{outcome: valid}]}\n" + rbxOne, ":1: unitTests.validator[0]: tests without files (hint: write glob: or testplan:)"},
		{"a test of a validator with the outcome of a solution", "unitTests: {validator: [{glob: tests/1.in, outcome: ac}]}\n" + rbxOne, ":1: unitTests.validator[0].outcome: unknown outcome ac (hint: it is valid or invalid)"},
		{"answers that no solution makes", only + "testcases: [{name: main, testcaseGlob: '*.in'}]\n-- 1.in --\n", ": no solution makes the answer to main/000 (hint: give a solution the outcome accepted)"},
	} {
		dir := unpack(t, "-- problem.rbx.yml --\n"+strings.TrimPrefix(tt.text, "\n"))
		if got := openError(t, dir); got != "hello/problem.rbx.yml"+tt.want && got != "hello"+tt.want {
			t.Errorf("%s: %s\nwant %s", tt.why, got, "hello/problem.rbx.yml"+tt.want)
		}
	}
}

// TestRbxNotes finds what is not used.
func TestRbxNotes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, text, want string
	}{
		{"an unknown key", "timelimit: 5\n" + rbxOne, "hello/problem.rbx.yml:1: unknown key timelimit (did you mean timeLimit?)"},
		{"limits of an unknown language", "modifiers: {klingon: {time: 5}}\n" + rbxOne, "hello/problem.rbx.yml:1: unknown language klingon: its limits count if a language of the judge has this name"},
		{"validators of answers", "outputValidators: [{path: a.c}]\n" + rbxOne, "hello/problem.rbx.yml:1: outputValidators are not run"},
		{"Python", "vars: {n: 'py`len(\"x\")`'}\n" + rbxOne, "hello/problem.rbx.yml:1: vars.n is left out: expressions of Python are not computed: py`len(\"x\")` (hint: write its value)"},
		{"a statement that is missing", "statements: [{language: en, file: x.tex}]\n" + rbxOne, "hello/problem.rbx.yml:1: there is no x.tex"},
		{"a promise that the judge fails", "name: x\n" + strings.Replace(rbxOne, "outcome: ac}", "outcome: ac}, {path: a.c, outcome: judge failed}", 1), "hello/problem.rbx.yml:5: not judged: no submission promises that the judge fails"},
		{"tests of a checker that rbx brings", "unitTests: {checker: [{glob: 'x*', outcome: ac}]}\n" + rbxOne, "hello/problem.rbx.yml:1: not run: tests of a checker that is not in the package"},
	} {
		p := readPackage(t, unpack(t, "-- problem.rbx.yml --\n"+strings.ReplaceAll(tt.text, "\n\n", "\n")))
		if got := strings.ReplaceAll(strings.Join(p.Notes, "\n"), p.Path, "hello"); got != tt.want {
			t.Errorf("%s: %s\nwant %s", tt.why, got, tt.want)
		}
	}
}
