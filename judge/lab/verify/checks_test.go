package verify

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/grade/gradetest"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/regen"
	"tribunal/judge/internal/repo"
)

// An edit changes a repository.
type edit func(*gradetest.Repository)

func replace(file, from, to string) edit {
	return func(r *gradetest.Repository) { r.Edit(file, from, to) }
}
func write(file, text string) edit { return func(r *gradetest.Repository) { r.Write(file, text) } }
func remove(file string) edit      { return func(r *gradetest.Repository) { r.Edit(file, "", "") } }

// move moves a file or folder.
func move(from, to string) edit {
	return func(r *gradetest.Repository) {
		if err := os.Rename(filepath.Join(r.Root, from), filepath.Join(r.Root, to)); err != nil {
			panic(err)
		}
	}
}

// Files of the repository.
const (
	problemFile = "problems/pair.yaml"
	sample      = "cases/pair/sample.yaml"
	edge        = "cases/pair/edge.yaml"
	lock        = "cases/pair/lock.yaml"
	reference   = "reference/pair/main.play"
	generator   = "reference/pair/gen/main.play"
	validator   = "reference/pair/check/main.play"
	brute       = "reference/pair/brute/main.play"
	sum         = "reference/pair/submissions/accepted/sum.play"
	loop        = "reference/pair/submissions/time_limit_exceeded/loop.play"
	product     = "reference/pair/submissions/wrong_answer/product.play"
)

// TestChecks changes the repository of testdata/pair.txtar, in which nothing is wrong, and compares what the checks find
// then. The edits in before are made before the lock is written, and those in after are made later.
func TestChecks(t *testing.T) {
	t.Parallel()
	base, err := txtar.ParseFile("testdata/pair.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		why           string
		before, after []edit
		only          string // names of the checks, separated by blanks; all if empty
		want          string // findings and notes, each in a line
		summary       string // "" if it does not matter
	}{
		{why: "nothing is wrong", summary: "4 cases, 3 examples, 0 unchecked, brute agrees on 4, beyond 0, declined 0; " +
			"cpu 100ms of 200ms by sum.play on sample/small, memory 32.0 MiB of 64.0 MiB by sum.play on sample/small, output 4 B of 64.0 KiB by pair on edge/most"},

		// bounds
		{why: "no case reaches a bound", after: []edit{replace(problemFile, "a: [-9, 99]", "a: [-10, 100]")}, want: `
problems/pair.yaml:5: bounds: a: no case reaches -10, the smallest value is -9 (hint: add a case, or correct the bound)
problems/pair.yaml:5: bounds: a: no case reaches 100, the largest value is 99 (hint: add a case, or correct the bound)`},
		{why: "a value beyond its bound", after: []edit{replace(problemFile, "a: [-9, 99]", "a: [-9, 98]")}, want: `
cases/pair/edge.yaml:9: bounds: case most: a is 99 to 99, beyond its bounds -9 to 98 (hint: correct the case or the bound)`},
		{why: "a bound of something that the validator never prints", after: []edit{replace(problemFile, "a: [-9, 99]", "a: [-9, 99], c: [1, 1]")}, want: `
problems/pair.yaml:5: bounds: c: check -input never prints it (hint: it must print a line NAME LO HI for each quantity in bounds)`},
		{why: "a quantity without a bound", after: []edit{replace(problemFile, ", b: [0, 99]", "")}, want: `
problems/pair.yaml:5: bounds: b: check -input prints it, but it has no bound (hint: write b: [smallest, largest])`},

		// brute
		{why: "the brute disagrees", after: []edit{replace(brute, "*: add", "99 99: print 197\n*: add")}, want: `
cases/pair/edge.yaml:11: brute: case most: brute disagrees: differs from line 1, column 3 (hint: the brute or the reference is wrong)`},
		{why: "the brute exceeds a limit, and declines", after: []edit{replace(brute, "*: add", "99 99: fill 70000\n14 3: cpu 6s\n-9 0: exit 3\n*: cpu 4s, add")},
			summary: "4 cases, 3 examples, 0 unchecked, brute agrees on 1, beyond 2, declined 1"},
		{why: "the brute fails", after: []edit{replace(brute, "*: add", "99 99: exit 7\n*: add")}, want: `
cases/pair/edge.yaml:8: brute: case most: brute gets RTE: exited with status 7 (hint: a brute declines a case by exit status 3)`},
		{why: "the brute's compiler is not installed", after: []edit{move(brute, "reference/pair/brute/main.absent")}, want: `
note: pair: brute: not checked: language absent: compiler-of-old not found (hint: install it, or set languages.absent in runner.yaml)`},
		{why: "there is no brute", after: []edit{remove("reference/pair/brute")}, want: `
note: pair: brute: not checked: there is no reference/pair/brute`},

		// drawings
		{why: "the draw program draws the sample", after: []edit{write("reference/pair/draw/main.play", "*: exit 3 line 1: no\nIN: x\n")}, want: `
cases/pair/sample.yaml:2: drawings: case small: reference/pair/draw: exited with status 3: line 1: no`},
		{why: "a picture", after: []edit{write("reference/pair/draw/main.play", `*: print <svg xmlns="http://www.w3.org/2000/svg"/>`)}},
		{why: "no picture", after: []edit{write("reference/pair/draw/main.play", "*: print <html>")}, want: `
cases/pair/sample.yaml:2: drawings: case small: reference/pair/draw: prints no SVG: the first element is "html" (hint: a draw program prints one SVG picture without scripts)`},
		{why: "no draw program", only: "drawings", want: `
note: pair: drawings: not checked: there is no program that draws cases (draw)`},
		{why: "a draw program that does not compile", after: []edit{write("reference/pair/draw/main.typo", "x")}, want: `
reference/pair/draw: drawings: does not compile: the compiler exited with status 1 without a message`},
		{why: "a folder without a draw program", after: []edit{write("reference/pair/draw/README.md", "")}, only: "orphans", want: `
reference/pair/draw: orphans: contains no program (hint: its main file is main.go, main.py or the like)`},

		// examples
		{why: "without a certain case a wrong program is accepted", after: []edit{replace(product, "multiply", "add")}, want: `
reference/pair/submissions/wrong_answer/product.play: examples: gets AC, not WA (promised by its folder) (hint: correct the cases, or the promise)`},
		{why: "one case is enough", after: []edit{replace(product, "*: multiply", "99 99: print 0\n*: add")}},
		{why: "an accepted program is wrong", after: []edit{replace(sum, "add", "multiply")}, want: `
reference/pair/submissions/accepted/sum.play: examples: gets WA on sample/small, not AC: differs from line 1, column 1 (promised by its folder) (hint: correct the cases, or the promise)`},
		{why: "an accepted program that does not compile", after: []edit{move(sum, "reference/pair/submissions/accepted/sum.typo")}, want: `
reference/pair/submissions/accepted/sum.typo: examples: does not compile: the compiler exited with status 1 without a message (promised by its folder) (hint: correct the program or its promise, or set the standard of its language in runner.yaml)`},
		{why: "a program of no language", after: []edit{write("reference/pair/submissions/accepted/sum.txt", "")}, want: `
reference/pair/submissions/accepted/sum.txt: examples: no language has files that end in ".txt" (hint: give it the file name extension of its language, or add --lang .EXT=LANGUAGE)`},
		{why: "a compiler that is not installed", after: []edit{write("reference/pair/submissions/accepted/other.absent", "")}, want: `
note: pair: examples: not checked: reference/pair/submissions/accepted/other.absent: language absent: compiler-of-old not found (hint: install it, or set languages.absent in runner.yaml)`,
			summary: "4 cases, 3 examples, 1 unchecked, "},

		{why: "at the edge of the limit on some cases", after: []edit{replace(sum, "*: ", "99 99: cpu 198ms, add\n14 3: cpu 202ms, add\n*: ")}, only: "examples", want: `
reference/pair/submissions/accepted/sum.play: examples: is at the edge of the time limit: 198ms of CPU time at a limit of 200ms on edge/most, which may be AC or TLE on another machine, and likewise on 1 other case (promised by its folder) (hint: change the cases or the limit so that it takes less than 0.8 or more than 1.2 times the limit)`},
		{why: "at the edge only at first", after: []edit{replace(sum, "*: ", "first 99 99: cpu 198ms, add\n*: ")}, only: "examples"},
		{why: "too slow only at first, and wrong", after: []edit{replace(loop, "*: loops", "first 99 99: cpu 202ms, add\n14 3: print 5\n*: add")}, only: "examples", want: `
reference/pair/submissions/time_limit_exceeded/loop.play: examples: gets WA on edge/seeded, not TLE: differs from line 1, column 1 (promised by its folder) (hint: correct the cases, or the promise)`},
		{why: "at the edge in a group with points", before: []edit{withPoints}, after: []edit{replace(sum, "*: ", "99 99: cpu 202ms, add\n*: ")}, only: "examples", want: `
reference/pair/submissions/accepted/sum.play: examples: is at the edge of the time limit: 202ms of CPU time at a limit of 200ms on edge/most, which may be AC or TLE on another machine (promised by its folder) (hint: change the cases or the limit so that it takes less than 0.8 or more than 1.2 times the limit)`},
		{why: "at the edge only at first in a group with points", before: []edit{withPoints}, after: []edit{replace(sum, "*: ", "first 99 99: cpu 202ms, add\n*: ")}, only: "examples"},
		{why: "too slow only at first, and wrong in a group with points", before: []edit{withPoints}, after: []edit{replace(loop, "*: loops", "first 99 99: cpu 202ms, add\n14 3: print 5\n*: add")}, only: "examples", want: `
reference/pair/submissions/time_limit_exceeded/loop.play: examples: gets WA on edge/seeded, not TLE: differs from line 1, column 1 (promised by its folder) (hint: correct the cases, or the promise)`},

		// generators
		{why: "an input that depends on the environment", after: []edit{replace(generator, "*: ", "again *: print 14 4\n*: ")}, only: "generators", want: `
cases/pair/edge.yaml:15: generators: case seeded: the generator makes a different input when run again (hint: an input must depend only on arguments and seed)`},
		{why: "a generator that fails in another environment", after: []edit{replace(generator, "*: ", "again *: exit 5 out of time\n*: ")}, only: "generators", want: `
cases/pair/edge.yaml:15: generators: case seeded: the generator fails when run again: exited with status 5: out of time`},

		// inputs
		{why: "an input that is not valid", before: []edit{replace(edge, "-9 0", "-9  0")}, want: `
cases/pair/edge.yaml:3: inputs: case least: the input is not valid: line 1: not two numbers
note: pair: bounds: not checked: whether some case reaches each bound, because only 3 of 4 cases could be validated`},
		{why: "a validator that says nothing about an input", after: []edit{replace(validator, "*: ", "-9 0: exit 43\n*: ")}, only: "inputs", want: `
cases/pair/edge.yaml:3: inputs: case least: the input is not valid`},
		{why: "a validator that fails", after: []edit{replace(validator, "*: ", "1 2: exit 0\n*: ")}, only: "inputs", want: `
reference/pair/check: inputs: on sample/small: exited with status 0 (hint: exit status 42 means valid, 43 invalid)`},
		{why: "a validator that prints something else", after: []edit{replace(validator, "*: ", "1 2: print a is 1, exit 42\n*: ")}, only: "inputs", want: `
reference/pair/check: inputs: on sample/small: "a is 1\n" is not NAME LO HI (hint: for a valid input it must print a line NAME LO HI for each quantity in bounds)`},
		{why: "a validator that does not compile", after: []edit{move(validator, "reference/pair/check/main.typo")}, want: `
reference/pair/check: inputs: does not compile: the compiler exited with status 1 without a message`},
		{why: "no validator", after: []edit{remove("reference/pair/check")}, want: `
reference/pair/check: inputs: no such folder (hint: the problem needs its program there)`},

		// limits
		{why: "an accepted program needs more than half of the memory", after: []edit{replace(sum, "memory 32MiB", "memory 33MiB")}, want: `
problems/pair.yaml:4: limits: memory: reference/pair/submissions/accepted/sum.play needs 33.0 MiB of 64.0 MiB on sample/small, more than half (hint: raise the limit, or make the case smaller)`},
		{why: "an accepted program needs more than half of the time", after: []edit{replace(sum, "cpu 100ms", "cpu 101ms")}, want: `
problems/pair.yaml:4: limits: cpu: reference/pair/submissions/accepted/sum.play needs 101ms of 200ms on sample/small, more than half (hint: raise the limit, or make the case smaller)`},
		{why: "a time that is too long is measured again", after: []edit{replace(sum, "*: ", "first 99 99: cpu 150ms, memory 40MiB, add\n*: ")}},
		{why: "no example is too slow", after: []edit{remove(loop)}, want: `
problems/pair.yaml:4: limits: cpu: no example exceeds it (hint: add one to reference/pair/submissions/time_limit_exceeded)`},
		{why: "an example that is hardly too slow", after: []edit{write("reference/pair/submissions/time_limit_exceeded/slow.play", "*: cpu 250ms, add")}, want: `
problems/pair.yaml:4: limits: cpu: reference/pair/submissions/time_limit_exceeded/slow.play exceeds 200ms but not 300ms (hint: add a larger case, or lower the limit)`},
		{why: "an example that is slow enough", after: []edit{replace(loop, "loops", "cpu 300ms, add")}},
		{why: "an example that would be on a machine twice as fast", after: []edit{replace(loop, "loops", "cpu 299ms, add")}, want: `
problems/pair.yaml:4: limits: cpu: reference/pair/submissions/time_limit_exceeded/loop.play exceeds 200ms but not 300ms (hint: add a larger case, or lower the limit)`},
		{why: "a wall limit that is not above the CPU limit", after: []edit{replace(problemFile, "wall: 1m", "wall: 200ms"), replace(sum, "cpu 100ms", "cpu 10ms")}, want: `
problems/pair.yaml:4: limits: cpu: 200ms cannot be reached in 200ms of wall time (hint: raise wall or lower cpu)`},

		// lock
		{why: "a case is not in the lock", after: []edit{func(r *gradetest.Repository) { cutLine(r, lock, "  edge/least: ") }}, want: `
cases/pair/edge.yaml:2: lock: case least: not in lock.yaml (hint: run judge regen pair)`},
		{why: "the lock has a case under another name", after: []edit{replace(lock, "edge/most", "edge/moat")}, only: "lock", want: `
cases/pair/edge.yaml:8: lock: case most: not in lock.yaml (hint: run judge regen pair)
cases/pair/lock.yaml: lock: has edge/moat, which is not a case (hint: run judge regen pair)`},
		{why: "a new case is reported once, by the first check", after: []edit{write("cases/pair/new.yaml", "cases:\n  - name: fresh\n    input: 3 4\n...\n")}, only: "names lock", want: `
cases/pair/new.yaml:2: names: case fresh: no expected output (hint: run judge regen pair)`},
		{why: "a new case is reported by lock alone", after: []edit{write("cases/pair/new.yaml", "cases:\n  - name: fresh\n    input: 3 4\n...\n")}, only: "lock", want: `
cases/pair/new.yaml:2: lock: case fresh: no expected output (hint: run judge regen pair)`},
		{why: "no lock", after: []edit{remove(lock)}, only: "lock", want: `
cases/pair/lock.yaml: lock: no such file (hint: run judge regen pair)`},
		{why: "another reference with the same outputs", after: []edit{replace(reference, "*: add", "0 0: add\n*: add")}, want: `
note: pair: lock: lock.yaml records other versions of the programs, whose outputs are the same (run judge regen pair)`},
		{why: "another output of the reference", after: []edit{replace(reference, "*: add", "99 99: print 199\n*: add")}, only: "lock", want: `
cases/pair/edge.yaml:11: lock: case most: the expected output differs from that of the reference (hint: run judge regen pair)`},
		{why: "another output than the pinned one", after: []edit{replace(reference, "*: add", "1 2: print 4\n*: add")}, only: "lock", want: `
cases/pair/sample.yaml:6: lock: case small: the reference disagrees with the pinned output (hint: pinned outputs are never rewritten: correct the reference or the case)`},

		// names
		{why: "an input that occurs twice", before: []edit{replace(edge, "\n...", "  - name: again\n    input: |\n      99 99\n\n...")}, want: `
cases/pair/edge.yaml:19: names: case again: the same input as edge/most (hint: it tests nothing that the other does not)`},
		{why: "an input that the generator makes too", before: []edit{replace(edge, "\n...", "  - name: again\n    input: |\n      14 3\n\n...")}, only: "names", want: `
cases/pair/edge.yaml:19: names: case again: the same input as edge/seeded (hint: it tests nothing that the other does not)`},
		{why: "inputs that look like others", before: []edit{replace(edge, "\n...", "  - name: windows\n    input: \"1\\r\\n2 \\r\\n\"\n\n  - name: cut\n    input: \"4\\r\\n5\"\n\n...")}, only: "text", want: `
note: pair: text: 2 files have CRLF line ends, the first cases/pair/edge.yaml:20: line 1 of the input of edge/windows
note: pair: text: 1 file has blanks at the ends of lines: cases/pair/edge.yaml:20: line 2 of the input of edge/windows
note: pair: text: 1 file has no newline at the end: cases/pair/edge.yaml:25: line 2 of the input of edge/cut`},
		{why: "outputs are as the reference prints them", after: []edit{replace(sample, "output: |\n      3\n", "output: \"3 \\n\"\n")}, only: "text"},
		{why: "a title that another problem has", after: []edit{write("problems/apair.yaml", `id: apair
title: PAIR
source: nowhere
limits: {cpu: 1s, memory: 64MiB, output: 64KiB}
statement: S.
input: I.
output: O.
`)}, only: "names", want: `
cases/apair: documents: no such folder (hint: the cases of a problem are in cases/<problem>/<group>.yaml)
problems/pair.yaml:2: names: problem apair has the title "PAIR" as well (hint: say in the title how they differ)`},

		// orphans
		{why: "files of editors and notes", after: []edit{
			write("cases/pair/edge.yaml~", ""), write("reference/pair/.main.play.swp", ""), write("reference/pair/#main.play#", ""),
			write("reference/pair/README.md", ""), write("reference/README.md", ""),
		}, only: "orphans"},
		{why: "files that nothing uses", after: []edit{write("cases/pair/edge.yaml.orig", ""), write("problems/pair.txt", "")}, only: "orphans", want: `
cases/pair/edge.yaml.orig: orphans: nothing uses it (hint: groups of cases are files NAME.yaml)
problems/pair.txt: orphans: nothing uses it (hint: there is no problem pair)`},
		{why: "folders of no problem", after: []edit{write("cases/pear/a.yaml", ""), write("reference/pear/a.play", "")}, only: "orphans", want: `
cases/pear: orphans: nothing uses it (hint: there is no problem pear)
reference/pear: orphans: nothing uses it (hint: there is no problem pear)`},
		{why: "files beside a program in Go", after: []edit{remove(reference), write("reference/pair/main.go", "package main\n"), write("reference/pair/table.txt", ""), write("reference/pair/generator/a.txt", "")}, only: "orphans", want: `
reference/pair/generator: orphans: nothing uses it (hint: programs are in gen, check, brute, draw; packages that they import are used too)
reference/pair/table.txt: orphans: nothing uses it (hint: remove it, or embed it into a program)`},
		{why: "no program", after: []edit{move(brute, "reference/pair/brute/brute.md")}, only: "orphans", want: `
reference/pair/brute: orphans: contains no program (hint: its main file is main.go, main.py or the like)`},
		{why: "a folder of no verdict", after: []edit{move("reference/pair/submissions/wrong_answer", "reference/pair/submissions/wrong")}, only: "orphans", want: `
reference/pair/submissions/wrong: orphans: is not the folder of a verdict (hint: the folders are accepted, presentation_error, wrong_answer, no_output, time_limit_exceeded, idleness_limit_exceeded, memory_limit_exceeded, output_limit_exceeded, run_time_error, security_violation, compile_error)`},
		{why: "a submission in no folder", after: []edit{write("reference/pair/submissions/sum.play", "")}, only: "orphans", want: `
reference/pair/submissions/sum.play: orphans: is not in the folder of a verdict (hint: move it into the folder of the verdict that it must get)`},
		{why: "files that Go programs import or embed, even if a build constraint excludes them", after: []edit{
			remove(reference), write("go.mod", "module example\n\ngo 1.26\n"), write("reference/common/add/add.go", "package add\n"),
			write("reference/pair/main.go", "package main\n\nimport (\n\t_ \"embed\"\n\n\t_ \"example/reference/common/add\"\n)\n\n//go:embed table.txt\nvar table string\n"),
			write("reference/pair/table.txt", ""), write("reference/pair/other_plan9.go", "package main\n"),
		}, only: "orphans"},
		{why: "files that Go programs do not import", after: []edit{
			remove(reference), write("go.mod", "module example\n\ngo 1.26\n"), write("reference/common/add/add.go", "package add\n"),
			write("reference/pair/main.go", "package main\n"), write("reference/pair/table.txt", ""),
		}, only: "orphans", want: `
reference/common: orphans: nothing uses it (hint: there is no problem common)
reference/pair/table.txt: orphans: nothing uses it (hint: remove it, or embed it into a program)`},
		{why: "a package of another module", after: []edit{
			remove(reference), write("reference/pair/main.go", "package main\n\nimport _ \"example.com/third\"\n"),
		}, only: "orphans", want: `
reference/pair/main.go:3: orphans: imports example.com/third (hint: a problem's programs may use the standard library and packages of their own module)`},
		{why: "folders that the problem file names", after: []edit{
			replace(problemFile, "samples:", "answer_validators: [{name: a}]\nsamples:"), write("reference/pair/answer_validators/a/a.play", "*: exit 42"),
			write("reference/pair/submission_include/play/own.h", ""), write("reference/pair/submission_include/klingon/f.h", ""), write("reference/pair/submission_include/loose.h", ""),
		}, only: "orphans", want: `
reference/pair/submission_include/klingon: orphans: nothing uses it (hint: put files to include into a folder named after a language, or default)
reference/pair/submission_include/loose.h: orphans: nothing uses it (hint: put files to include into a folder named after a language, or default)`},
		{why: "a link to a file of this machine among those that submissions get", after: []edit{func(r *gradetest.Repository) {
			r.Write("reference/pair/submission_include/play/own.h", "")
			if err := os.Symlink("/etc/passwd", filepath.Join(r.Root, "reference/pair/submission_include/play/host.h")); err != nil {
				t.Fatal(err)
			}
		}}, only: "orphans", want: `
reference/pair/submission_include/play/host.h: orphans: not a regular file (hint: symbolic links are not followed, because submissions get these files)`},

		// outputs
		{why: "answer validators that accept, refuse and fail", after: []edit{
			replace(problemFile, "samples:", "answer_validators: [{name: a}, {name: b}, {name: c}, {name: d}]\nsamples:"),
			write("reference/pair/answer_validators/a/a.play", "3: exit 43 not a sum\n198: exit 7 out of memory\n*: exit 42"),
			write("reference/pair/answer_validators/b/b.absent", "x"), write("reference/pair/answer_validators/c/c.typo", "x"),
			write("reference/pair/answer_validators/d/d.play", "-9: exit 43\n*: exit 42"),
		}, only: "outputs", want: `
cases/pair/edge.yaml:5: outputs: case least: d does not accept it: wrong, without a message
cases/pair/edge.yaml:11: outputs: case most: checker a: exited with status 7: out of memory
cases/pair/sample.yaml:6: outputs: case small: a does not accept it: not a sum
reference/pair/answer_validators/c: outputs: does not compile: the compiler exited with status 1 without a message
note: pair: outputs: not checked: language absent: compiler-of-old not found (hint: install it, or set languages.absent in runner.yaml)`},

		// reference
		{why: "the reference needs more than half of the output", after: []edit{replace(problemFile, "output: 64KiB", "output: 7B")}, only: "reference", want: `
problems/pair.yaml:4: reference: output: reference/pair needs 4 B of 7 B on edge/most, more than half (hint: raise the limit, or make the case smaller)`},
		{why: "half is enough", after: []edit{replace(problemFile, "output: 64KiB", "output: 8B"), replace(reference, "*: ", "*: cpu 100ms, memory 32MiB, ")}, only: "reference"},
		{why: "the reference needs more than half of the time", before: []edit{replace(reference, "*: ", "*: cpu 130ms, ")}, only: "reference", want: `
problems/pair.yaml:4: reference: cpu: reference/pair needs 130ms of 200ms on sample/small, more than half (hint: raise the limit, or make the case smaller)`},
		{why: "the reference sleeps", after: []edit{replace(reference, "*: add", "99 99: sleeps\n*: add")}, only: "reference", want: `
cases/pair/edge.yaml:8: reference: case most: the reference gets ILE: took longer than 1m0s of wall time (hint: correct the reference or the case)`},
		{why: "the reference disagrees; the other checks run all the same", after: []edit{replace(reference, "*: add", "99 99: print 199\n*: add")}, want: `
cases/pair/edge.yaml:8: reference: case most: the reference gets WA: differs from line 1, column 3 (hint: correct the reference or the case)
cases/pair/edge.yaml:11: lock: case most: the expected output differs from that of the reference (hint: run judge regen pair)`,
			summary: "4 cases, 3 examples, 0 unchecked, brute agrees on 4"},
		{why: "the reference does not compile", after: []edit{move(reference, "reference/pair/main.typo")}, want: `
reference/pair: lock: does not compile: the compiler exited with status 1 without a message`},

		// samples
		{why: "a sample that is not pinned", after: []edit{replace(sample, "    pinned: true\n", "")}, only: "samples", want: `
cases/pair/sample.yaml:5: samples: case small: the output of a sample is not pinned (hint: add pinned: true when you have checked it by hand)`},
		{why: "a sample that is not a case", after: []edit{replace(problemFile, "sample/small", "sample/smal")}, want: `
problems/pair.yaml:6: samples: sample sample/smal is not a case of pair (hint: did you mean sample/small?)`},
		{why: "a sample that is generated", after: []edit{replace(problemFile, "sample/small", "edge/seeded")}, want: `
cases/pair/edge.yaml:14: samples: case seeded: a sample of the statement must be written out in the case file (hint: give it a literal input and a pinned output)`},
		{why: "no sample", after: []edit{replace(problemFile, "samples: [sample/small]\n", "")}, want: `
problems/pair.yaml:1: samples: the statement shows no sample (hint: write samples: [sample/statement], and add that case)`},
		{why: "a sample in an optional group", after: []edit{
			replace(problemFile, "sample/small", "rare/twins"), write("cases/pair/rare.yaml", "note: Rare.\noptional: true\ncases:\n  - name: twins\n    input: 3 3\n    pinned: true\n    output: \"6\\n\"\n..."),
		}, only: "samples", want: `
cases/pair/rare.yaml:4: samples: case twins: a sample of the statement is in an optional group (hint: move it to a group that always counts)`},
	} {
		t.Run(strings.ReplaceAll(tt.why, " ", "-"), func(t *testing.T) {
			t.Parallel()
			r := gradetest.New(t, base)
			for _, e := range tt.before {
				e(r)
			}
			writeLock(t, r)
			for _, e := range tt.after {
				e(r)
			}
			report, err := checkAll(t.Context(), r, strings.Fields(tt.only))
			if err != nil {
				t.Fatal(err)
			}
			found, summary := describeReport(r, report)
			if d := cmp.Diff(strings.TrimPrefix(tt.want, "\n"), found); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			if !strings.HasPrefix(summary, tt.summary) {
				t.Errorf("the summary is\n%s\nwant\n%s", summary, tt.summary)
			}
		})
	}
}

// cutLine removes the only line of a file that has a prefix.
func cutLine(r *gradetest.Repository, file, prefix string) {
	text, err := os.ReadFile(filepath.Join(r.Root, file))
	if err != nil {
		panic(err)
	}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, prefix) {
			r.Edit(file, line, "")
		}
	}
}

// writeLock regenerates the expected outputs and writes the lock.
func writeLock(t *testing.T, r *gradetest.Repository) {
	t.Helper()
	p, err := repo.Load(r.Root, "pair")
	if err != nil {
		t.Fatal(err)
	}
	j := r.Judge(p)
	plan, err := regen.Make(t.Context(), j.CaseData, regen.Options{Judge: j})
	if err := errors.Join(err, plan.Apply()); err != nil {
		t.Fatal(err)
	}
}

// checkAll runs the checks with these names, or all, on the whole repository.
func checkAll(ctx context.Context, r *gradetest.Repository, only []string) (*Report, error) {
	known, err := repo.List(r.Root)
	if err != nil {
		return nil, err
	}
	return Run(ctx, &Environment{
		Root: r.Root, Known: known,
		Load: func(_ context.Context, name string) (*problem.Problem, func() error, error) {
			p, err := repo.Load(r.Root, name)
			return p, func() error { return nil }, err
		},
		Judge: r.Judge,
		Limits: func(_ context.Context, _ *grade.Judge, t grade.Task) (limits.Limits, string, error) {
			l := t.Problem.Limits
			l.Processes = limits.Processes
			return l, "", nil
		},
	}, nil, Options{Only: only})
}

// describeReport returns the findings and notes of a report, each in a line, and the summary of its last problem.
func describeReport(r *gradetest.Repository, report *Report) (found, summary string) {
	var lines []string
	for _, f := range report.Findings {
		lines = append(lines, f.String())
	}
	for _, n := range report.Notes {
		lines = append(lines, "note: "+n.String())
	}
	found = strings.ReplaceAll(strings.Join(lines, "\n"), r.Root+"/", "")
	if len(report.Problems) == 0 {
		return found, ""
	}
	s := report.Problems[len(report.Problems)-1]
	summary = fmt.Sprintf("%d cases, %d examples, %d unchecked, brute agrees on %d, beyond %d, declined %d", s.Cases, s.Examples, s.Unchecked, s.Brute.Agrees, s.Brute.Beyond, s.Brute.Declined)
	sep := "; "
	for _, m := range s.Margins {
		if m.Limit == "wall" {
			continue // twice the same as cpu
		}
		text := size
		if m.Unit == "ns" {
			text = duration
		}
		summary += fmt.Sprintf("%s%s %s of %s by %s on %s", sep, m.Limit, text(m.Need), text(m.Have), filepath.Base(m.By), m.Case)
		sep = ", "
	}
	return found, summary
}
