package pkgformat

import "testing"

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
