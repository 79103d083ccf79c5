package pkgformat

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tribunal/judge/packages/pairs"
)

func TestPairs(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why     string
		archive string
		facts   string
		notes   string
	}{
		{
			why: "cases sort by number, .ans is preferred to .out, and other files are noted",
			archive: `
-- 10.in --
-- 10.out --
-- 2.in --
-- 2.ans --
-- 2.out --
-- sub/1.in --
-- sub/1.out --
-- sample/9.in --
-- sample/9.ans --
-- lost.ans --
-- README --
`,
			facts: `
format pairs
name hello
memory 2GiB output 64MiB code 0B
case sample/9
case sub/1 in sub: sub/1.in sub/1.out
case tests/2 in tests: 2.in 2.ans
case tests/10 in tests: 10.in 10.out
`,
			notes: `
hello: answers that are not read, because the input has another answer: 2.out
hello: files that are not read: README
hello: answers without an input, not read: lost.ans
`,
		},
		{
			why: "words in the names of files and folders distinguish inputs from answers",
			archive: `
-- a/input01.txt --
-- a/output01.txt --
-- b/in/1.txt --
-- b/out/1.txt --
-- b/in/README.md --
-- input/input10 --
-- output/output10 --
-- input/input9 --
-- output/output9 --
-- c/in/x.in --
-- c/out/x.ans --
-- d/trip.in.1 --
-- d/trip.out.1 --
-- e/I.1 --
-- e/O.1 --
-- f/1.in --
-- f/1.a --
-- g/input.in --
-- g/input.out --
-- h/input2.in --
-- h/output2.out --
-- Test01/TRIP.INP --
-- Test01/TRIP.OUT --
-- t/2/input.txt --
-- t/2/answer.txt --
-- text/input.tex --
-- text/output.tex --
-- main.txt --
`,
			facts: `
case Test01/TRIP in Test01: Test01/TRIP.INP Test01/TRIP.OUT
case a/01 in a: a/input01.txt a/output01.txt
case b/1 in b: b/in/1.txt b/out/1.txt
case c/x in c: c/in/x.in c/out/x.ans
case d/trip.1 in d: d/trip.in.1 d/trip.out.1
case e/1 in e: e/I.1 e/O.1
case f/1 in f: f/1.in f/1.a
case g/input in g: g/input.in g/input.out
case h/2 in h: h/input2.in h/output2.out
case t/2 in t: t/2/input.txt t/2/answer.txt
case tests/9 in tests: input/input9 output/output9
case tests/10 in tests: input/input10 output/output10
`,
			notes: `
hello/b/in: files that are not read: b/in/README.md
hello: files that are not read: main.txt
hello/text: files that are not read: text/input.tex and 1 more
`,
		},
		{
			why: "checkers and validators use testlib's protocol",
			archive: `
-- 1.in --
-- 1.out --
-- chk.cpp --
-- testlib.h --
-- val.py --
`,
			facts: `
validated by [chk.cpp] with testlib, headers [testlib.h]
inputs validated by [val.py] with testlib
`,
		},
		{
			why: "a plain folder may have a time limit and submissions",
			archive: `
-- a.in --
-- a.out --
-- .timelimit --
2
-- submissions/accepted/a.py --
`,
			facts: `
time 2s from .timelimit, ×2 ×1.5 in 1s
submissions/accepted/a.py: every case AC
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

// TestSchemes checks the names that people and platforms give inputs and answers, and that a template of tribunal.yaml
// beside them changes none.
func TestSchemes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ in, answer, name string }{
		{"a.in", "a.expected", "tests/a"}, {"a.in", "a.exp", "tests/a"}, {"a.in", "a.gold", "tests/a"}, {"a.in", "a.ref", "tests/a"},
		{"a.in", "a.sol", "tests/a"}, {"a.in", "a.correct", "tests/a"}, {"a.in", "a.ok", "tests/a"}, {"a.in", "a.answer", "tests/a"},
		{"a.inp", "a.oup", "tests/a"}, {"a.stdin", "a.stdout", "tests/a"}, {"input/1", "expected/1", "tests/1"}, {"input/1.txt", "expected/1.txt", "tests/1"},
		{"test01/input.txt", "test01/expected_output.txt", "tests/1"}, {"test01/input.txt", "test01/expected.txt", "tests/1"},
		{"case1.txt", "case1_expected.txt", "tests/case1"}, {"stdin/01", "stdout/01", "tests/01"}, {"1-input.txt", "1-expected-output.txt", "tests/1"},
		{"in1.txt", "ref1.txt", "tests/1"}, {"input1.TXT", "output1.TXT", "tests/1"}, {"t01_input", "t01_output", "tests/t01"},
		{"inputs/1", "outputs/1", "tests/1"}, {"Test 1 in.txt", "Test 1 out.txt", "tests/Test 1"}, {"Übung 1.in", "Übung 1.ans", "tests/Übung 1"},
		{"INPUT1.txt", "OUTPUT1.txt", "tests/1"}, {"Input1.txt", "Output1.txt", "tests/1"}, {"sumInput.txt", "sumOutput.txt", "tests/sum"},
		{"Input/1.txt", "Expected/1.txt", "tests/1"}, {"inputs/1.txt", "expected_outputs/1.txt", "tests/1"}, {"a.in", "a.solution", "tests/a"}, {"a.in", "a.result", "tests/a"},
	} {
		dir := unpack(t, "-- "+tt.in+" --\n1\n-- "+tt.answer+" --\n2\n")
		p, err := openDraft(t.Context(), dir, Options{})
		if err != nil {
			t.Errorf("%s, %s: %v", tt.in, tt.answer, err)
			continue
		}
		if len(p.Cases) != 1 || p.Cases[0].Name != tt.name || !strings.HasSuffix(tt.in, p.Cases[0].Input) || !strings.HasSuffix(tt.answer, p.Cases[0].Answer) {
			t.Errorf("%s, %s: %+v, want the name %s", tt.in, tt.answer, p.Cases[0], tt.name)
		}
		if err := os.WriteFile(filepath.Join(p.Root, pairs.File), pairs.Template(p), 0o644); err != nil {
			t.Fatal(err)
		}
		if again := readPackage(t, dir); again.Cases[0].Name != tt.name {
			t.Errorf("%s, %s: with a template, %+v", tt.in, tt.answer, again.Cases[0])
		}
	}
}

// TestNamedPairs checks names of inputs and answers that the user says.
func TestNamedPairs(t *testing.T) {
	t.Parallel()
	const archive = "-- a/t1.frage --\n1\n-- a/t1.antwort --\n2\n-- b/t2.frage --\n1\n-- b/t2.antwort --\n2\n-- x.in --\n1\n"
	for _, tt := range []struct{ pairs, want string }{
		{"{}.frage:{}.antwort", "a/t1 b/t2"},
		{"a/t{}.frage:a/t{}.antwort", "tests/1"},
		{"{}.in:{}.gold", "hello/x.in: an input without an answer (hint: add x.gold beside it)"},
		{"{}.q:{}.r", "hello: no cases among a/t1.antwort, a/t1.frage, b/t2.antwort, b/t2.frage, … (hint: " + pairs.Family.Empty + ")"},
		{"{}.in", "--pairs {}.in: want the names of inputs and answers, each with one {} (hint: --pairs '{}.in:{}.gold')"},
		{"{}{}:{}", "--pairs {}{}:{}: want the names of inputs and answers, each with one {} (hint: --pairs '{}.in:{}.gold')"},
		{"{}.in:{}.in", "--pairs {}.in:{}.in: want the names of inputs and answers, each with one {} (hint: --pairs '{}.in:{}.gold')"},
	} {
		dir := unpack(t, archive)
		p, err := openDraft(t.Context(), dir, Options{Pairs: tt.pairs})
		got := ""
		if err != nil {
			got = strings.ReplaceAll(err.Error(), filepath.Dir(dir)+"/", "")
		} else {
			var names []string
			for _, c := range p.Cases {
				names = append(names, c.Name)
			}
			got = strings.Join(names, " ")
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.pairs, got, tt.want)
		}
	}
}
