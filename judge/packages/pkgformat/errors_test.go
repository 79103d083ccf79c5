package pkgformat

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/yamlstrict"
	"tribunal/judge/packages/tree"
)

// openError opens a package and returns the text of the error, without the path of the parent
// folder, or "nothing" if there is none.
func openError(t testing.TB, path string) string {
	t.Helper()
	p, err := openDraft(t.Context(), path, Options{Scratch: In(t.TempDir())})
	if err == nil {
		p.Close()
		return "nothing"
	}
	if _, ok := err.(*yamlstrict.Error); !ok {
		t.Errorf("%T is not a located error: %v", err, err)
	}
	return strings.ReplaceAll(err.Error(), filepath.Dir(path)+"/", "")
}

const oneCase = `
-- data/secret/1.in --
-- data/secret/1.ans --
`

func TestErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, archive, want string
	}{
		{"an empty folder", "-- x/ --\n", "hello/x: no cases (hint: a package needs data/secret/*.in, tests/01 or *.in, each with its answer; --pairs names others)"},
		{"no cases", "-- problem.yaml --\n-- data/secret/ --\n", "hello: no cases (hint: add data/secret/*.in, each with its answer *.ans)"},
		{"an input without an answer", "-- problem.yaml --\n-- data/secret/1.in --\n", "hello/data/secret/1.in: an input without an answer (hint: add 1.ans beside it)"},
		{"an input without an answer in a plain folder", "-- 1.in --\n", "hello/1.in: an input without an answer (hint: add 1.ans beside it)"},
		{"an input whose answer is called otherwise", "-- 1.in --\n-- 1.desired --\n", "hello/1.in: an input without an answer (hint: add 1.ans beside it, or --pairs '{}.in:{}.desired')"},
		{"an input without an answer in tests/", "-- tests/01 --\n-- tests/01.a --\n-- tests/02 --\n", "hello/tests/02: an input without an answer (hint: add 02.a beside it)"},
		{"a folder as an input", "-- problem.yaml --\n-- data/secret/1.in/x --\n", "hello/data/secret/1.in: a folder instead of the input of a case"},
		{"a folder as an answer", "-- problem.yaml --\n-- data/secret/1.in --\n-- data/secret/1.ans/x --\n", "hello/data/secret/1.ans: a folder instead of a file of a case"},
		{"a folder as an input in a plain folder", "-- a.in/x --\n-- b.in --\n-- b.ans --\n", "hello/a.in: a folder instead of a file of a case"},
		{"too much to include", "-- problem.yaml --\n-- include/default/a --\n" + strings.Repeat("a", 16<<20) + "\n" + oneCase, "hello/include/default: more than 16 MiB of files"},
		{"a case with a reserved name", "-- problem.yaml --\n-- data/secret/test_group.in --\n", "hello/data/secret/test_group.in: a name that is reserved for the settings of a group (hint: rename it)"},
		{"an input without an answer beside one with an answer", "-- input1.txt --\n-- output1.txt --\n-- input2.txt --\n", "hello/input2.txt: an input without an answer (hint: add answer2.txt beside it)"},
		{"an input without an answer, with a number as its extension", "-- trip.in.1 --\n-- trip.out.1 --\n-- trip.in.2 --\n", "hello/trip.in.2: an input without an answer (hint: add trip.ans.2 beside it)"},
		{"two inputs with the same answer", "-- 1.in --\n-- 1.inp --\n-- 1.out --\n", "hello/1.inp: two cases are called tests/1 (hint: rename it)"},
		{"two pairs with one name", "-- a.in --\n-- a.ans --\n-- tests/a.in --\n-- tests/a.ans --\n", "hello/tests/a.in: two cases are called tests/a (hint: rename it)"},
		{"a folder called problem.yaml", "-- problem.yaml/x --\n" + oneCase, "hello/problem.yaml: not a regular file"},
		{"Latin-1", "-- problem.yaml --\nname: Hello\nauthor: Andr\xe9\n" + oneCase, "hello/problem.yaml:2: not UTF-8 text: byte 0xE9 at offset 24 (hint: save the file as UTF-8)"},
		{"invalid UTF-8 after a byte order mark, which the offset counts", "-- problem.yaml --\n\uFEFFa: \xff\n" + oneCase, "hello/problem.yaml:1: not UTF-8 text: byte 0xFF at offset 6 (hint: save the file as UTF-8)"},
		{"a NUL byte", "-- problem.yaml --\nname: a\x00\n" + oneCase, "hello/problem.yaml:1: not UTF-8 text: byte 0x00 at offset 7 (hint: save the file as UTF-8)"},
		{"not YAML", "-- problem.yaml --\nname: a\n\tb: c\n" + oneCase, "hello/problem.yaml:2: not YAML: found a tab character that violates indentation"},
		{"not a mapping", "-- problem.yaml --\n- a\n" + oneCase, "hello/problem.yaml:1: a text or a list instead of a mapping"},
		{"two documents", "-- problem.yaml --\nname: a\n---\nname: b\n" + oneCase, "hello/problem.yaml:2: a second document begins here (hint: keep one document in a file)"},
		{"a merge key", "-- problem.yaml --\nlimits: {<<: {memory: 1}}\n" + oneCase, "hello/problem.yaml:1: merge key << (hint: write the keys out)"},
		{"a key that is an alias", "-- problem.yaml --\nname: &a x\n? *a\n: y\n" + oneCase, "hello/problem.yaml:2: a key that is not a text (hint: put a key with * or brackets in quotes)"},
		{"an unknown format", "-- problem.yaml --\nproblem_format_version: 2031-01\n" + oneCase, "hello/problem.yaml:1: unknown problem_format_version 2031-01 (hint: the formats are legacy, legacy-icpc, 2023-07-draft and 2025-09)"},
		{"an unknown type", "-- problem.yaml --\nname: x\ntype: golf\n" + oneCase, "hello/problem.yaml:2: unknown type golf (hint: the types are pass-fail, scoring, interactive, multi-pass and submit-answer)"},
		{"two types that exclude each other", "-- problem.yaml --\ntype: [pass-fail, scoring]\n" + oneCase, "hello/problem.yaml:1: both pass-fail and scoring"},
		{"an unknown validation", "-- problem.yaml --\nvalidation: magic\n" + oneCase, "hello/problem.yaml:1: unknown validation magic (hint: begin with default or custom)"},
		{"validation: custom without a validator", "-- problem.yaml --\nvalidation: custom\n" + oneCase, "hello/problem.yaml:1: the problem needs an output validator, but there is none (hint: put it into output_validators/)"},
		{"an interactive problem without a validator", "-- problem.yaml --\nproblem_format_version: 2025-09\ntype: interactive\n" + oneCase, "hello/problem.yaml:2: interactive and multi-pass problems need an output validator, but there is none (hint: put it into output_validator/)"},
		{"a limit that is not a number", "-- problem.yaml --\nlimits:\n  memory: much\n" + oneCase, "hello/problem.yaml:2: limits.memory: much is not a number above 0"},
		{"a limit below zero", "-- problem.yaml --\nlimits: {memory: -1}\n" + oneCase, "hello/problem.yaml:1: limits.memory: -1 is not a number above 0"},
		{"too little memory to start a program", "-- problem.yaml --\nlimits:\n  memory: 0.5\n" + oneCase, "hello/problem.yaml:2: limits.memory: 512KiB of memory: no program starts with less than 1MiB"},
		{"a limit that is not finite", "-- problem.yaml --\nlimits: {time_limit: .inf}\n" + oneCase, "hello/problem.yaml:1: limits.time_limit: .inf is not a number above 0"},
		{"a size that is too large", "-- problem.yaml --\nlimits: {memory: 1e300}\n" + oneCase, "hello/problem.yaml:1: limits.memory: more than 1024 TiB"},
		{"a time that is too long", "-- problem.yaml --\nlimits: {time_limit: 1e12}\n" + oneCase, "hello/problem.yaml:1: limits.time_limit: 1e12 is more than 1000h0m0s"},
		{"a time that is too short", "-- problem.yaml --\nlimits: {time_limit: 1e-9}\n" + oneCase, "hello/problem.yaml:1: limits.time_limit: 1e-9 is less than 1ms"},
		{"an unknown unit", "-- problem.yaml --\nlimits: {memory: 5 pages}\n" + oneCase, "hello/problem.yaml:1: limits.memory: unknown unit pages"},
		{"a factor below one", "-- problem.yaml --\nlimits: {time_multiplier: 0.5}\n" + oneCase, "hello/problem.yaml:1: limits.time_multiplier: 0.5 is less than 1"},
		{"a list as a file format", "-- problem.yaml --\nproblem_format_version: [a]\n" + oneCase, "hello/problem.yaml:1: problem_format_version: a list or a mapping instead of a text"},
		{"an invalid boolean", "-- problem.yaml --\nallow_file_writing: perhaps\n" + oneCase, "hello/problem.yaml:1: allow_file_writing: perhaps is neither true nor false (hint: write true or false)"},
		{"an invalid .timelimit", "-- problem.yaml --\n-- .timelimit --\nsoon\n" + oneCase, "hello/.timelimit:1: the time limit: soon is not a number above 0"},
		{"an unknown on_reject", "-- problem.yaml --\ntype: scoring\n-- data/testdata.yaml --\non_reject: shrug\n" + oneCase, "hello/data/testdata.yaml:1: unknown on_reject shrug (hint: write break or continue)"},
		{"a range with the greater score first", "-- problem.yaml --\ntype: scoring\n-- data/testdata.yaml --\nrange: 5 1\n" + oneCase, "hello/data/testdata.yaml:1: not a range of two numbers (hint: write the least and the greatest score, such as 0 100)"},
		{"an unknown aggregation", "-- problem.yaml --\ntype: scoring\n-- data/secret/test_group.yaml --\nscore_aggregation: max\n" + oneCase, "hello/data/secret/test_group.yaml:1: unknown aggregation max (hint: write pass-fail, sum or min)"},
		{"an unclosed quote", "-- problem.yaml --\nvalidator_flags: it's\n" + oneCase, "hello/problem.yaml:1: validator_flags: unclosed quote: it's"},
		{"JSON of another form", "-- problem.yaml --\n-- submissions.json --\n[]\n" + oneCase, "hello/submissions.json: invalid JSON: array instead of an object or a string"},
		{"an unknown output validator", "-- problem.yaml --\nvalidation: custom\n-- output_validators/a.py --\n-- data/testdata.yaml --\noutput_validator_flags: {name: b}\n" + oneCase, "hello/data/testdata.yaml:1: no output validator is called b (hint: they are output_validators/a.py)"},
		{"too many arguments of a group", "-- problem.yaml --\n-- data/testdata.yaml --\noutput_validator_flags: " + strings.Repeat("a ", 300) + "\n" + oneCase, "hello/data/testdata.yaml:1: more than 256 arguments"},
		{"too many flags of the problem", "-- problem.yaml --\nvalidator_flags: " + strings.Repeat("a ", 300) + "\n" + oneCase, "hello/problem.yaml:1: more than 256 arguments"},
		{"too many bytes of constants in arguments", "-- problem.yaml --\nconstants: {a: " + strings.Repeat("a", 1<<20) + "}\n-- data/testdata.yaml --\nargs: [" + strings.Repeat("'{{a}}{{a}}', ", 40) + "]\n" + oneCase, "hello/data/testdata.yaml:1: with constants filled in, arguments larger than 64 MiB"},
		{"an unknown verdict", "-- problem.yaml --\n-- submissions/submissions.yaml --\naccepted:\n  permitted: [AC, OK]\n" + oneCase, "hello/submissions/submissions.yaml:2: unknown verdict OK (hint: the verdicts of the format are AC, WA, TLE and RTE; tribunal adds PE, NO, ILE, MLE, OLE, SV)"},
		{"an empty list of verdicts", "-- problem.yaml --\n-- submissions/submissions.yaml --\naccepted: {permitted: []}\n" + oneCase, "hello/submissions/submissions.yaml:1: no verdicts (hint: name a verdict, or leave the key out)"},
		{"a pattern with too many alternatives", "-- problem.yaml --\n-- submissions/submissions.yaml --\n'" + strings.Repeat("{a,b}", 20) + "': {}\n" + oneCase, "hello/submissions/submissions.yaml:1: a pattern with more than 1000 alternatives"},
		{"an alias that contains itself", "-- problem.yaml --\ntype: &a [*a]\n" + oneCase, "hello/problem.yaml:1: type[0]: a list or a mapping instead of a text"},
		{"not XML", "-- problem.xml --\n<problem>\n<a></b>\n", "hello/problem.xml:2: invalid XML: element <a> closed by </b>"},
		{"XML in another encoding", "-- problem.xml --\n<?xml version=\"1.0\" encoding=\"windows-1251\"?><problem/>\n", "hello/problem.xml: invalid XML: xml: encoding \"windows-1251\" declared but Decoder.CharsetReader is nil"},
		{"large arguments of a checker", "-- init.yml --\nchecker: {name: sorted, args: {x: " + strings.Repeat("y", 64<<10) + "}}\n",
			"hello/init.yml:1: checker: arguments larger than 64 KiB (hint: read them from a file)"},
		{"no header of a signature grader", "-- init.yml --\nsignature_grader: {allow_main: true}\n",
			"hello/init.yml:1: signature_grader: no entry (hint: it has the keys entry and header)"},
		{"problem.xml without tests", "-- problem.xml --\n<problem/>\n", "hello/problem.xml: no testset"},
		{"tests whose files are missing", polygonTests("2", "tests/%d", "tests/%d.a"), "hello/tests/2: no such file (hint: download the full package, which includes the generated tests)"},
		{"too many tests", polygonTests("2000000000", "tests/1", "tests/1.a"), "hello/problem.xml: 2000000000 tests do not fit the file pattern tests/1"},
		{"several tests in one file", polygonTests("3", "tests/1", "tests/%d.a"), "hello/problem.xml: 3 tests do not fit the file pattern tests/1"},
		{"two tests with one name", strings.Replace(polygonTests("2", "%d/t", "%d/a"), "-- tests/1 --\n-- tests/1.a --\n", "-- 1/t --\n-- 1/a --\n-- 2/t --\n-- 2/a --\n", 1), "hello/2/t: two cases are called tests/t (hint: the other input is 1/t)"},
		{"too little memory, in a Polygon package", polygonTests("1", "tests/1", "tests/1.a", "<memory-limit>1000</memory-limit>"), `hello/problem.xml: the memory-limit of testset tests is 1000B: no program starts with less than 1MiB`},
		{"points that are not a number", polygonTests("1", "tests/1", "tests/1.a", `<tests><test points="many"/></tests>`), "hello/problem.xml: invalid points of test 1: many"},
		{"negative points", polygonTests("1", "tests/1", "tests/1.a", `<tests><test points="-1"/></tests>`), "hello/problem.xml: invalid points of test 1: -1"},
		{"a group name that is a path", polygonTests("1", "tests/1", "tests/1.a", `<tests><test group="../a"/></tests>`), "hello/problem.xml: test 1: invalid group name ../a"},
		{"an unknown points policy", polygonTests("1", "tests/1", "tests/1.a", `<tests><test group="a"/></tests><groups><group name="a" points-policy="half"/></groups>`), "hello/problem.xml: unknown points-policy of group a: half (hint: write complete-group or each-test)"},
		{"a test outside of the package", polygonTests("1", "../../etc/passwd", "tests/1.a"), "hello/../../etc/passwd: leads out of the package (hint: a package may only link to its own files, by relative paths: replace the link by the file)"},
	} {
		t.Run(tt.why, func(t *testing.T) {
			t.Parallel()
			if got := openError(t, unpack(t, tt.archive)); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// polygonTests returns a Polygon package with the files of one test. Its problem.xml has the given
// count of tests and patterns of inputs and answers, and more elements of the testset.
func polygonTests(count, inputs, answers string, more ...string) string {
	return "-- problem.xml --\n<problem><judging><testset name='tests'><test-count>" + count + "</test-count><input-path-pattern>" + inputs +
		"</input-path-pattern><answer-path-pattern>" + answers + "</answer-path-pattern>" + strings.Join(more, "") + "</testset></judging></problem>\n-- tests/1 --\n-- tests/1.a --\n"
}

func TestNoPackage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "x.txt")
	if err := os.WriteFile(file, []byte("hello"), 0o644); err != nil {
		t.Fatal(err)
	}
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ why, path, want string }{
		{"a missing file", filepath.Join(dir, "none"), "none: no such file or directory"},
		{"not an archive", file, "x.txt: not a readable zip archive: zip: not a valid zip file (hint: a package is a folder or a .zip of one)"},
		{"a pipe", pipe, "pipe: neither a folder nor an archive"},
		{"an invalid path", dir + "/a\x00b", "a\x00b: invalid argument"},
	} {
		if got := openError(t, tt.path); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.why, got, tt.want)
		}
	}
}

// TestAliasBomb checks that aliases are followed only until a document has too many values.
func TestAliasBomb(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("-- problem.yaml --\n-- submissions/submissions.yaml --\n")
	b.WriteString("accepted: &a\n  permitted: &p [" + strings.TrimSuffix(strings.Repeat("AC, ", 1000), ", ") + "]\n")
	for i := range 1000 {
		fmt.Fprintf(&b, "  secret/%d: {permitted: *p}\n", i)
	}
	for i := range 2000 {
		fmt.Fprintf(&b, "a%d: *a\n", i)
	}
	b.WriteString(oneCase[1:])
	got := openError(t, unpack(t, b.String()))
	if want := "its aliases expand to more than 1048576 values"; !strings.HasSuffix(got, want) {
		t.Errorf("got %s, want …%s", got, want)
	}
}

// TestNesting checks that deeply nested YAML is rejected before anything recurses into it.
func TestNesting(t *testing.T) {
	t.Parallel()
	got := openError(t, unpack(t, "-- problem.yaml --\nname: "+strings.Repeat("[", 5000)+strings.Repeat("]", 5000)+"\n"+oneCase))
	if want := "hello/problem.yaml:1: nested more than 64 deep"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestLargeDocument(t *testing.T) {
	t.Parallel()
	got := openError(t, unpack(t, "-- problem.yaml --\n"+strings.Repeat("# comment\n", tree.MaxDocument/10+1)+oneCase))
	if want := "hello/problem.yaml: larger than 4096 KiB"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestLinks(t *testing.T) {
	t.Parallel()
	secret := filepath.Join(t.TempDir(), "secret.txt")
	if err := os.WriteFile(secret, []byte("// @EXPECTED_RESULTS@: CORRECT"), 0o644); err != nil {
		t.Fatal(err)
	}
	const out = ": leads out of the package (hint: a package may only link to its own files, by relative paths: replace the link by the file)"
	const below = ": leads out of the package (hint: add --root-of-package TOP, or replace the link by the file)"
	for _, tt := range []struct{ why, at, to, want string }{
		{"to a file of the package", "data/secret/2.ans", "1.ans", "nothing"},
		{"to a folder of the package", "data/secret/g", "../sample", "nothing"},
		{"through a folder of the package", "data/secret/2.ans", "../../data/sample/s.ans", "nothing"},
		{"an answer by an absolute path", "data/secret/2.ans", secret, "hello/data/secret/2.ans" + out},
		{"an answer out of the package", "data/secret/2.ans", "../../../other", "hello/data/secret/2.ans" + below},
		{"a folder out of the package", "data/secret/g", "../../..", "hello/data/secret/g" + below},
		{"all data out of the package", "data/invalid_input", "/etc", "hello/data/invalid_input" + out},
		{"a submission, which is skipped", "submissions/accepted/b.cpp", secret, "nothing"},
		{"a file of a submission, which is skipped", "submissions/accepted/c/b.cpp", secret, "nothing"},
		{"a file of an input validator, which judging does not need", "input_validators/v/testlib.h", "../../../x/testlib.h", "nothing"},
		{"a file of an output validator", "output_validators/v/testlib.h", "../../../x/testlib.h", "hello/output_validators/v/testlib.h" + below},
		{"a file to include", "include/cpp/a.h", secret, "hello/include/cpp/a.h" + out},
		{"settings of a group", "data/secret/testdata.yaml", secret, "hello/data/secret/testdata.yaml" + out},
		{"domjudge-problem.ini", "domjudge-problem.ini", secret, "hello/domjudge-problem.ini" + out},
		{"to itself", "data/secret/2.ans", "2.ans", "hello/data/secret/2.ans: a symbolic link that leads to itself"},
		{"to a folder around it", "data/secret/g", "..", "hello/data/secret/g: a symbolic link to a folder that contains it"},
		{"to nothing", "data/secret/2.ans", "3.ans", "hello/data/secret/2.ans: a symbolic link to a file that does not exist"},
		{"a statement, which is not read", "problem_statement/logo.pdf", secret, "nothing"},
		{"a file at the top that is not read", "contest.yaml", "../contest.yaml", "nothing"},
		{"a hidden file, which is skipped", "data/secret/.git", "/", "nothing"},
	} {
		t.Run(tt.why, func(t *testing.T) {
			t.Parallel()
			dir := unpack(t, "-- problem.yaml --\n-- data/secret/2.in --\n-- data/sample/s.in --\n-- data/sample/s.ans --\n"+
				"-- submissions/accepted/c/a.cpp --\n-- input_validators/v/v.cpp --\n-- output_validators/v/v.cpp --\n-- include/cpp/b.h --\n-- problem_statement/problem.tex --\n"+oneCase[1:])
			at := filepath.Join(dir, tt.at)
			if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(tt.to, at); err != nil {
				t.Fatal(err)
			}
			if !strings.HasSuffix(tt.at, "2.ans") {
				if err := os.WriteFile(filepath.Join(dir, "data/secret/2.ans"), nil, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if got, want := openError(t, dir), strings.Replace(tt.want, "TOP", filepath.Dir(dir), 1); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

// TestSkipped checks that bad files that judging does not need are skipped with a note, or are errors
// only when they are used.
func TestSkipped(t *testing.T) {
	t.Parallel()
	dir := unpack(t, "-- submissions/accepted/a.cpp --\n-- submissions/accepted/d/a.cpp --\n-- input_validators/v.py --\n-- answer_validators/v/v.py --\n"+
		"-- data/valid_output/1.in --\n-- data/valid_output/1.ans --\n-- data/invalid_answer/1.in --\n"+oneCase[1:])
	for _, rel := range []string{"submissions/accepted/b.cpp", "submissions/accepted/d/b.h", "input_validators/w.py", "answer_validators/v/w.py"} {
		if err := os.Symlink("/etc/passwd", filepath.Join(dir, rel)); err != nil {
			t.Fatal(err)
		}
	}
	p := readPackage(t, dir)
	const hint = " (hint: a package may only link to its own files, by relative paths: replace the link by the file)"
	if len(p.Submissions) != 1 || len(p.InputPrograms) != 2 || len(p.AnswerPrograms) != 1 || p.ValidOutput != nil || p.InvalidAnswer != nil {
		t.Errorf("read: %v", facts(p))
	}
	for rel, file := range map[string]string{"input_validators/w.py": "input_validators/w.py", "answer_validators/v": "answer_validators/v/w.py"} {
		if _, err := p.Program(rel, build.Defaults()); err == nil || err.Error() != p.Show(file)+": leads out of the package"+hint {
			t.Errorf("%s: %v", rel, err)
		}
	}
	wantNotes(t, p, `
hello/submissions/accepted/b.cpp: leads out of the package`+hint+`
hello/submissions/accepted/d/b.h: leads out of the package; submissions/accepted/d is not read`+hint+`
hello/data/invalid_answer: inputs without an answer, not used: data/invalid_answer/1.in
hello/data/valid_output: inputs without an answer or without an output, not used: data/valid_output/1.in
`)
}

// TestWithoutCases checks that the hint for a package without cases is in the words of its family.
func TestWithoutCases(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ format, archive, want string }{
		{"dmoj", "-- init.yml --\ntest_cases: []\n", "hello: no cases (hint: list them under test_cases in init.yml)"},
		{"rbx", "-- problem.rbx.yml --\ntimeLimit: 1000\nmemoryLimit: 256\ntestcases: []\n",
			"hello: no cases (hint: list them, or globs that match files, under testcases in problem.rbx.yml)"},
		{"tps", "-- problem.json --\n{\"has_checker\": false, \"type\": \"Batch\"}\n-- gen/data --\n", "hello: no cases (hint: list them in gen/data after @subtask NAME)"},
		{"rime", "-- PROBLEM --\nproblem(title='x', id='A', time_limit=1.0)\n-- tests/TESTSET --\n", "hello: no cases (hint: add *.in beside TESTSET, each with *.diff, or a generator in TESTSET)"},
		{"pisek", "-- config --\n[task]\n[tests]\nout_check=diff\n-- solve.py --\n", "hello: no cases (hint: add inputs that in_globs of [test01] matches, or in_gen in [tests])"},
		{"cms", "-- task.yaml --\n-- gen/GEN --\n", "hello/task.yaml: no tests (hint: list them in gen/GEN, or add input/input0.txt)"},
		{"sinol", "-- config.yml --\n-- prog/hello.cpp --\n",
			"hello: no cases (hint: add in/abc1a.in with out/abc1a.out if the task is called abc, or prog/abcingen.cpp, which makes inputs)"},
		{"legacy", "-- problem.yaml --\n", "hello: no cases (hint: add data/secret/*.in, each with its answer *.ans)"},
		{"polygon", "-- problem.xml --\n<problem><judging><testset name=\"tests\"/></judging></problem>\n",
			"hello: no cases (hint: add tests/01 with tests/01.a, or a command for each test in problem.xml)"},
		{"library", "-- info.toml --\n-- gen/x --\n-- checker.cpp --\n-- verifier.cpp --\n-- sol/correct.cpp --\n", "hello: no cases (hint: list generators as [[tests]] in info.toml)"},
		{"cph", "-- .cph/x.prob --\n{}\n", "hello/.cph/x.prob: no cases (hint: add some in the editor)"},
		{"pairs", "-- notes.txt --\n", "hello: no cases among notes.txt (hint: a package needs data/secret/*.in, tests/01 or *.in, each with its answer; --pairs names others)"},
	} {
		if got := openError(t, unpack(t, tt.archive)); got != tt.want {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.format, got, tt.want)
		}
	}
}

func TestSpecialFiles(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ why, at, want string }{
		{"an input", "data/secret/2.in", "hello/data/secret/2.in: neither a file nor a folder"},
		{"problem.yaml", "problem.yaml", "hello/problem.yaml: not a regular file"},
		{"a submission, which is skipped", "submissions/accepted/x.py", "nothing"},
		{"an output validator", "output_validators/x.py", "hello/output_validators/x.py: neither a file nor a folder"},
		{"settings of a case", "data/secret/1.yaml", "hello/data/secret/1.yaml: neither a file nor a folder"},
	} {
		t.Run(tt.why, func(t *testing.T) {
			t.Parallel()
			dir := unpack(t, "-- submissions/accepted/a.py --\n-- output_validators/a.py --\n"+oneCase[1:])
			if err := syscall.Mkfifo(filepath.Join(dir, tt.at), 0o600); err != nil {
				t.Fatal(err)
			}
			if got := openError(t, dir); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestDeepFolders(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("d/", tree.MaxDepth+1)
	got := openError(t, unpack(t, "-- problem.yaml --\n-- data/secret/"+deep+"1.in --\n"))
	if want := ": folders nested more than 32 deep"; !strings.HasSuffix(got, want) {
		t.Errorf("got %s, want …%s", got, want)
	}
}

func TestUnreadable(t *testing.T) {
	t.Parallel()
	if os.Getuid() == 0 {
		t.Skip("not checked: root may read everything")
	}
	dir := unpack(t, "-- problem.yaml --\n"+oneCase[1:])
	if err := os.Chmod(filepath.Join(dir, "problem.yaml"), 0); err != nil {
		t.Fatal(err)
	}
	if got, want := openError(t, dir), "hello/problem.yaml: permission denied"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	p, err := openDraft(t.Context(), dir, Options{Scratch: In(t.TempDir())})
	if err == nil || !errors.Is(err, os.ErrPermission) {
		t.Errorf("got %v, %v, want the error of the operating system", p, err)
	}
}
