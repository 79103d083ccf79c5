package pkgformat

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// TestEffort reads small packages that once took minutes or gigabytes to read.
func TestEffort(t *testing.T) {
	t.Parallel()
	const limits = "timeLimit: 1000\nmemoryLimit: 256\nsolutions: [{path: a.c, outcome: ac}]\n"
	const files = "-- tests/1.in --\n-- tests/1.ans --\n-- a.c --\n"
	repeat := func(n int, line func(i int) string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(line(i))
		}
		return b.String()
	}
	rbx := func(text string) string { return "-- problem.rbx.yml --\n" + limits + text + files }
	group := func(i int, more string) string {
		return fmt.Sprintf("  - {name: g%d, testcaseGlob: tests/*.in%s}\n", i, more)
	}
	const tooMuch = "hello/problem.rbx.yml: too much work to read (hint: split or shorten its lists)"
	const tps = "-- problem.json --\n{\"type\": \"Batch\", \"has_checker\": false}\n-- gen/manual/1.in --\n-- gen/data --\n@subtask a\n"
	for _, tt := range []struct{ why, files, want string }{
		{"groups that depend on all before", rbx("scoring: points\ntestcases:\n" + repeat(40, func(i int) string {
			return group(i, ", score: 1, deps: ["+strings.TrimPrefix(repeat(i, func(i int) string { return fmt.Sprintf(",g%d", i) }), ",")+"]")
		})), ""},
		{"a chain of groups", rbx("scoring: points\ntestcases:\n" + repeat(2500, func(i int) string {
			return group(i, fmt.Sprintf(", score: 1, deps: [g%d]", i+1))
		}) + group(2500, "")), tooMuch},
		{"a pattern with many **", rbx("testcases: [{name: main, testcaseGlob: '"+strings.Repeat("**/*/", 15)+"**/*.in'}, {name: other, testcaseGlob: tests/*.in}]\n") +
			"-- " + strings.Repeat("a/", 24) + "1.txt --\n", ""},
		{"variables for many groups", rbx("vars:\n" + repeat(1000, func(i int) string { return fmt.Sprintf("  a%d: 1\n", i) }) +
			"testcases:\n" + repeat(1000, func(i int) string { return group(i, ", vars: {x: 1}") })), tooMuch},
		{"very many variables", rbx("vars:\n" + repeat(20000, func(i int) string { return fmt.Sprintf("  a%d: 1\n", i) }) + "testcases:\n" + group(0, "")), tooMuch},
		{"a long script for many groups", rbx("generators: [{name: gen, path: a.c}]\ngeneratorScript: {path: s.txt}\ntestcases:\n"+
			repeat(30, func(i int) string { return fmt.Sprintf("  - {name: g%d}\n", i) })) + "-- s.txt --\n" + strings.Repeat("gen 1\n", 9000),
			"hello/problem.rbx.yml:18: more than 100000 tests of all groups together"},
		{"a script whose tests are for none of many groups", rbx("generators: [{name: gen, path: a.c}]\ngeneratorScript: {path: s.txt}\ntestcases:\n"+
			repeat(300, func(i int) string { return fmt.Sprintf("  - {name: g%d}\n", i) })) + "-- s.txt --\n@testgroup other {\n" + strings.Repeat("gen 1\n", 9000) + "}\n",
			"hello/s.txt: too much work to read (hint: split or shorten its lists)"},
		{"a test set that is included again and again", tps + strings.Repeat("manual 1.in\n", 3000) + "@subtask b\n" + strings.Repeat("@include a\n", 3000),
			"hello/gen/data: too much work to read (hint: split or shorten its lists)"},
		{"tests for each of many subtasks", tps + strings.Repeat("manual 1.in\n", 300) + repeat(14000, func(i int) string { return fmt.Sprintf("@subtask s%d\n", i) }),
			"hello/gen/data: too much work to read (hint: split or shorten its lists)"},
		{"globs of pisek for tests that depend on all before", pisekTask("[task]\nversion=v3\n[tests]\nout_check=tokens\npredecessors=@previous\nin_globs=" +
			strings.Repeat("x.in ", 1000) + "\n" + repeat(99, func(i int) string { return fmt.Sprintf("[test%02d]\npoints=1\n", i+1) })),
			"hello/config: too much work to read (hint: split or shorten its lists)"},
		{"many globs of pisek for each test", pisekTask("[task]\nversion=v3\n[tests]\nout_check=tokens\nstatic_subdir=none\nin_globs=" + strings.Repeat("x.in ", 20000) + "\n" +
			repeat(99, func(i int) string { return fmt.Sprintf("[test%02d]\npoints=1\n", i+1) })),
			"hello/config: too much work to read (hint: split or shorten its lists)"},
		{"globs of pisek for many tests", pisekTask("[task]\nversion=v3\n[tests]\nout_check=tokens\nin_globs=" + strings.Repeat("x.in ", 2500) + "0*.in\n" +
			repeat(99, func(i int) string { return fmt.Sprintf("[test%02d]\npoints=1\n", i+1) })),
			"hello/config: too much work to read (hint: split or shorten its lists)"},
		{"a value of many lines", pisekTask("[task]\nx=a\n" + strings.Repeat("  b\n", 300_000) + "[tests]\n"),
			"hello/config: unknown out_check \"\" (hint: write diff, tokens, shuffle or judge)"},
		{"a constraint of many numbers", cmsTask(": GEN g gen/a.py N\n: CONSTRAINT "+strings.Repeat("1 <= ", 1000)+"1\n: SUBTASK 100 a\n1\n", 1),
			"hello/gen/cases.gen:2: the constraint " + strings.Repeat("1 <= ", 12) + "… compares more than 100 numbers (hint: write : CONSTRAINT 1 <= $N <= 1000)"},
		{"many dependencies", cmsTask(": GEN g gen/a.py N\n: SUBTASK 100 a\n: STDEP "+repeat(20000, func(i int) string { return fmt.Sprintf("s%d ", i) })+"\n1\n", 1),
			"hello/gen/cases.gen: too much work to read (hint: split or shorten its lists)"},
		{"many promises", cmsTask(": GEN g gen/a.py N\n: SUBTASK 100 a\n1\n", 1) + "-- sol/other.py --\n# @check-zero: " + strings.Repeat("x ", 40_000) + "\n",
			"hello/sol/other.py: too much work to read (hint: split or shorten its lists)"},
		{"many expressions for many tests", "-- task.yaml --\nname: hello\nn_input: 100000\nscore_type: GroupMin\nscore_type_parameters: [" +
			strings.Repeat("[1, '000'], ", 40) + "[1, 1]]\n-- sol/solution.py --\n-- gen/generator.py --\n-- input/input0.txt --\n-- output/output0.txt --\n",
			"hello/task.yaml: too much work to read (hint: split or shorten its lists)"},
		{"many subtasks with all tests", "-- task.yaml --\nname: hello\nn_input: 100000\nscore_type: GroupMin\nscore_type_parameters: [" +
			strings.Repeat("[1, '.*'], ", 40) + "[1, 1]]\n-- sol/solution.py --\n-- gen/generator.py --\n-- input/input0.txt --\n-- output/output0.txt --\n",
			"hello/task.yaml:4: more than 1000 subtasks, or more than 1000000 tests of all together"},
	} {
		t.Run(tt.why, func(t *testing.T) {
			dir := unpack(t, tt.files)
			p, err := openDraft(t.Context(), dir, Options{Scratch: In(t.TempDir())})
			got := ""
			if err != nil {
				got = openError(t, dir)
			} else {
				p.Close()
			}
			if got != tt.want {
				t.Errorf("%.300s\nwant %s", got, tt.want)
			}
		})
	}
}

// TestInterrupted stops reading when the context ends.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	dir := unpack(t, "-- problem.rbx.yml --\nvars: {a: 1}\n"+rbxOne[1:])
	if _, err := openDraft(ctx, dir, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want that the context was cancelled", err)
	}
}
