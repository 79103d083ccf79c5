package pkgexport

import (
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/problem"
)

// shellProgram returns a program that is a script of a shell.
func shellProgram(text string) *program {
	return &program{language: build.Scripts, files: map[string][]byte{"run": []byte("#!/bin/sh\n" + text + "\n")}}
}

// writeProgram writes a program into a new folder.
func writeProgram(t *testing.T, v *program) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range v.files {
		file := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, text, 0o755)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// adapted runs an adapter as a judging system does, with files called input, output and answer and a folder called
// feedback. It returns the exit status, what the adapter printed, and the files that it left.
func adapted(t *testing.T, program string, args []string, stdin string) (status int, stdout, stderr string, left map[string]string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"input": "in\n", "output": "out\n", "answer": "ans\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "feedback"), 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "TMPDIR="+t.TempDir())
	cmd.Stdin = strings.NewReader(stdin)
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); cmd.ProcessState == nil {
		t.Fatal(err)
	}
	left = map[string]string{}
	for _, name := range []string{"output", "feedback/output", "feedback/judgemessage.txt", "feedback/score.txt"} {
		if text, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
			left[name] = string(text)
		}
	}
	if rest, err := os.ReadDir(strings.TrimPrefix(cmd.Env[len(cmd.Env)-1], "TMPDIR=")); err != nil || len(rest) > 0 {
		t.Errorf("left %v in the temporary folder, %v", rest, err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), errs.String(), left
}

// TestAdapters runs the scripts that let a judging system call a program with the protocol of another one. The program
// within is a script, too.
func TestAdapters(t *testing.T) {
	t.Parallel()
	p := &plan{Job: &Job{}}
	icpcSays := func(message, exit string) string {
		return `cat >/dev/null; echo "` + message + `" >"$3judgemessage.txt"; exit ` + exit
	}
	testlibSays := func(message, exit string) string { return `echo "` + message + `" >&2; exit ` + exit }
	icpc := func(script string, args ...string) func(own string) *program {
		return func(own string) *program { return p.asTestlib(script, shellProgram(own), args) }
	}
	checker := func(own string) *program {
		return p.scripted(icpcScript(testlibChecker), part{shellProgram(own), "own", nil})
	}
	interactor := func(own string) *program {
		return p.scripted(icpcScript(testlibInteractor), part{shellProgram(own), "interactor", nil})
	}
	both := func(check string) func(own string) *program {
		return func(own string) *program {
			after := strings.ReplaceAll(testlibCheckerAfter, "{{skip}}", "1")
			return p.scripted(icpcScript(testlibInteractor+after), part{shellProgram(own), "interactor", nil}, part{shellProgram(check), "checker", []string{"x y"}})
		}
	}
	inputs := func(own string) *program {
		return p.scripted(testlibValidator, part{shellProgram(own), "own", nil})
	}
	cms := func(script string) func(own string) *program {
		return func(own string) *program {
			return p.scripted(strings.ReplaceAll(script, "{{status}}", "42"), part{shellProgram(own), "own", []string{"x y"}})
		}
	}
	asTestlib, asICPC := []string{"input", "output", "answer"}, []string{"input", "answer", "feedback", "a b"}
	for _, tt := range []struct {
		why     string
		adapter func(own string) *program
		own     string
		args    []string
		want    string // status and what it prints, and the message for judges
		left    string // file and its text; "" if nothing is asked
	}{
		{"an output validator as a testlib checker: right", icpc(checkerScript), icpcSays("", "42"), asTestlib, "0 ", ""},
		{"… wrong", icpc(checkerScript), icpcSays("3 is odd", "43"), asTestlib, "1 3 is odd", ""},
		{"… fails", icpc(checkerScript), icpcSays("no", "1"), asTestlib, "3 no", ""},
		{"… gets the files and the arguments", icpc(checkerScript, "x y"), `[ "$(cat)" = out ] && [ "$(cat "$1")" = in ] && [ "$(cat "$2")" = ans ] && [ "$4" = "x y" ] && exit 42`, asTestlib, "0 ", ""},
		{"an input validator as one of testlib: right", icpc(validatorScript), `[ "$(cat)" = text ] && exit 42`, nil, "0 ", ""},
		{"… wrong", icpc(validatorScript), testlibSays("negative", "43"), nil, "3 negative", ""},
		{"… that exits with 0", icpc(validatorScript), "exit 0", nil, "3 ", ""},
		{"an interactor as one of testlib: right", icpc(interactorScript), icpcSays("", "42"), asTestlib, "0 ", "output "},
		{"… wrong", icpc(interactorScript), icpcSays("too many", "43"), asTestlib, "1 too many", ""},
		{"… fails", icpc(interactorScript), icpcSays("the number is 7", "1"), asTestlib, "3 the number is 7", ""},
		{"… dies because the submission has exited", icpc(interactorScript), "kill -PIPE $$", asTestlib, "1 the submission exited too early", ""},
		{"… sees that as an error of its language", icpc(interactorScript), "echo 'BrokenPipeError: [Errno 32] Broken pipe' >&2; exit 1", asTestlib, "1 BrokenPipeError: [Errno 32] Broken pipe the submission exited too early", ""},
		{"… talks to the submission", icpc(interactorScript), `read -r line; echo "got $line"; exit 42`, asTestlib, "0 got text", ""},
		{"a testlib checker as an output validator: right", checker, testlibSays("ok", "0"), asICPC, "42 ok", ""},
		{"… wrong", checker, testlibSays("wrong answer 4 is not 2", "1"), asICPC, "43 wrong answer 4 is not 2", ""},
		{"… a wrong format", checker, testlibSays("no number", "2"), asICPC, "43 no number", ""},
		{"… dirty", checker, testlibSays("dirt", "4"), asICPC, "43 dirt", ""},
		{"… an early end", checker, testlibSays("end", "8"), asICPC, "43 end", ""},
		{"… fails", checker, testlibSays("FAIL 100", "3"), asICPC, "3 FAIL 100", ""},
		{"… points", checker, testlibSays("points 5 of some", "7"), asICPC, "42 points 5 of some", "feedback/score.txt 5\n"},
		{"… partly right", checker, testlibSays("partially correct (5)", "0"), asICPC, "3 partially correct (5)", ""},
		{"… gets the files and the arguments", checker, `[ "$(cat "$1")" = in ] && [ "$(cat "$2")" = text ] && [ "$(cat "$3")" = ans ] && [ "$4" = "a b" ] && exit 0; exit 1`, asICPC, "42 ", "feedback/output"},
		{"a testlib interactor as an output validator: right", interactor, testlibSays("", "0"), asICPC, "42 ", "feedback/output"},
		{"… wrong", interactor, testlibSays("no", "1"), asICPC, "43 no", ""},
		{"… dies because the submission has exited", interactor, "kill -PIPE $$", asICPC, "43 the submission exited too early", ""},
		{"… fails", interactor, testlibSays("FAIL 8", "3"), asICPC, "3 FAIL 8", ""},
		{"… talks to the submission", interactor, `read -r line; echo "got $line"`, asICPC, "42 got text", ""},
		{"with a checker: both right", both(`[ "$(cat "$2")" = said ] && [ "$(cat "$3")" = ans ] && [ "$4" = "x y" ] && [ $# = 4 ] && exit 0; exit 1`), `echo said >"$2"`, asICPC, "42 ", "feedback/output"},
		{"… the checker refuses", both(testlibSays("wrong answer 10, expected 11", "1")), `echo said >"$2"`, asICPC, "43 wrong answer 10, expected 11", ""},
		{"… the interactor refuses", both(testlibSays("not asked", "3")), testlibSays("no number", "2"), asICPC, "43 no number", ""},
		{"… the checker fails", both(testlibSays("FAIL 9", "3")), `echo said >"$2"`, asICPC, "3 FAIL 9", ""},
		{"a testlib input validator as one of ICPC: right", inputs, `[ "$(cat)" = text ] && [ "$1" = "a b" ]`, []string{"a b"}, "42 ", ""},
		{"… wrong", inputs, testlibSays("negative", "3"), nil, "43 negative", ""},
		{"an output validator as a comparator of CMS: right", cms(cmsChecker), `[ "$(cat)" = ans ] && [ "$(cat "$1")" = in ] && [ "$(cat "$2")" = out ] && [ "$4" = "x y" ] && exit 42`, asTestlib, "0 1.0", ""},
		{"… wrong", cms(cmsChecker), icpcSays("3 is odd", "43"), asTestlib, "0 0.0 3 is odd", ""},
		{"… partly right", cms(cmsChecker), `echo 0.5 >"$3score_multiplier.txt"; exit 42`, asTestlib, "0 0.5", ""},
		{"… fails", cms(cmsChecker), icpcSays("no", "1"), asTestlib, "3 ", ""},
		{"a testlib checker as a comparator of CMS: right", cms(cmsTestlib), `[ "$(cat "$2")" = ans ] && [ "$(cat "$3")" = out ] && [ "$4" = "x y" ]`, asTestlib, "0 1.0", ""},
		{"… wrong", cms(cmsTestlib), testlibSays("3 is odd", "1"), asTestlib, "0 0.0 3 is odd", ""},
		{"… fails", cms(cmsTestlib), testlibSays("FAIL", "3"), asTestlib, "3 FAIL", ""},
		{"an input validator as one of CMS: right", cms(cmsValidator), `[ "$(cat)" = in ] && [ "$1" = "x y" ] && exit 42`, []string{"input", "0"}, "0 ", ""},
		{"… wrong", cms(cmsValidator), "exit 43", []string{"input", "0"}, "1 ", ""},
	} {
		dir := writeProgram(t, tt.adapter(tt.own))
		status, stdout, stderr, left := adapted(t, filepath.Join(dir, "run"), tt.args, "text\n")
		checkAdapted(t, tt.why, tt.want, status, stdout+left["feedback/judgemessage.txt"]+strings.TrimPrefix(stderr, left["feedback/judgemessage.txt"]))
		if name, text, asked := strings.Cut(tt.left, " "); asked && left[name] != text {
			t.Errorf("%s: left %q in %s, want %q", tt.why, left[name], name, text)
		} else if _, there := left[name]; name != "" && !asked && there {
			t.Errorf("%s: left %s", tt.why, name)
		}
	}
}

// checkAdapted compares the status of an adapter and the words that it printed.
func checkAdapted(t *testing.T, why, want string, status int, text string) {
	t.Helper()
	exit, words, _ := strings.Cut(want, " ")
	if got := strings.Join(strings.Fields(text), " "); exit != strconv.Itoa(status) || got != words {
		t.Errorf("%s: status %d, %q, want %s", why, status, got, want)
	}
}

// TestBridge compiles output validators in C with the source that lets DMOJ run them.
func TestBridge(t *testing.T) {
	t.Parallel()
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("not checked: programs in C for DMOJ (no gcc)")
	}
	const own = `#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) {
	char path[999], output[9] = "", input[9] = "", answer[9] = "";
	fscanf(fopen(argv[1], "r"), "%8s", input);
	fscanf(fopen(argv[2], "r"), "%8s", answer);
	scanf("%8s", output);
	if (argc != 4 || strcmp(input, "in") || strcmp(answer, "ans")) return 1;
	if (!strcmp(output, WANTED)) { puts("said"); return 42; }
	snprintf(path, sizeof path, "%sjudgemessage.txt", argv[3]);
	fprintf(fopen(path, "w"), "%s is odd\n", output);
	return 43;
}
`
	args := []string{"input", "output", "answer"}
	for _, tt := range []struct {
		why, wanted string
		interactor  bool
		args        []string
		want        string
	}{
		{"a checker: right", "out", false, args, "0 said"},
		{"a checker: wrong", "text", false, args, "1 out is odd"},
		{"a checker fails", "out", false, []string{"answer", "output", "input"}, "3 "},
		{"without arguments", "out", false, nil, "3 wanted: input output answer"},
		{"an interactor: right", "text", true, args, "0 said"},
		{"an interactor: wrong", "out", true, args, "1 text is odd"},
	} {
		v := &program{language: "c", files: map[string][]byte{"main.c": []byte(own)}}
		w, ok := v.bridged(tt.interactor)
		if !ok || len(v.files) != 1 {
			t.Fatalf("%s: bridged is %v, the program has the files %v", tt.why, ok, v.files)
		}
		dir := writeProgram(t, w)
		cmd := exec.Command(gcc, "-O0", "-w", `-DWANTED="`+tt.wanted+`"`, "-o", "program", "bridge.c", "main.c")
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %s", tt.why, err, out)
		}
		status, stdout, stderr, _ := adapted(t, filepath.Join(dir, "program"), tt.args, "text\n")
		checkAdapted(t, tt.why, tt.want, status, stdout+stderr)
	}
	for why, v := range map[string]*program{
		"a program in another language":      {language: "python3", files: map[string][]byte{"main.py": nil}},
		"a program with a file of that name": {language: "c", files: map[string][]byte{"main.c": nil, "bridge.c": {}}},
		"a program with a folder":            {language: "c", files: map[string][]byte{"main.c": nil, "lib/a.h": nil}},
	} {
		if _, ok := v.bridged(false); ok {
			t.Errorf("%s is bridged", why)
		}
	}
}

// TestAsICPC checks which programs an output validator of the ICPC formats consists of.
func TestAsICPC(t *testing.T) {
	t.Parallel()
	root := repository(t, map[string]string{"reference/sum/main.go": "", "reference/sum/main.sh": "x", "reference/sum/other/a.sh": "x"})
	p := &plan{Job: job(t, root, Kattis)}
	own := func(protocol problem.Protocol, interactive bool) *problem.Validator {
		return &problem.Validator{Program: "reference/sum/other", Protocol: protocol, Interactive: interactive}
	}
	for _, tt := range []struct {
		why   string
		list  []*problem.Validator
		files string
	}{
		{"its own protocol", []*problem.Validator{own(problem.ICPC, false)}, "a.sh"},
		{"a checker", []*problem.Validator{own(problem.Testlib, false)}, "build own/a.sh run"},
		{"an interactor", []*problem.Validator{own(problem.Testlib, true)}, "build interactor/a.sh run"},
		{"both", []*problem.Validator{own(problem.Testlib, true), own(problem.Testlib, false)}, "build checker/a.sh interactor/a.sh run"},
		{"a checker with the protocol of ICPC", []*problem.Validator{own(problem.Testlib, true), own(problem.ICPC, false)}, "build checker/build checker/own/a.sh checker/run interactor/a.sh run"},
	} {
		v, err := p.asICPC(tt.list)
		if err != nil {
			t.Errorf("%s: %v", tt.why, err)
			continue
		}
		if got := strings.Join(slices.Sorted(maps.Keys(v.files)), " "); got != tt.files {
			t.Errorf("%s: files %s, want %s", tt.why, got, tt.files)
		}
	}
}
