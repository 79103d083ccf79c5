package pkgformat

import (
	"testing"
)

func TestOpen(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why     string
		archive string
		facts   string
		notes   string
	}{
		{
			why: "without a format in problem.yaml, the format is legacy, with its defaults",
			archive: `
-- problem.yaml --
name: Hello
-- data/secret/1.in --
-- data/secret/1.ans --
`,
			facts: `
format legacy
name Hello
name[en] Hello
passes 1
time 0s from , ×5 ×2 in 1s
memory 2GiB output 8MiB code 0B
compile 0s 0B, validate 1m0s 2GiB 8MiB
validated by [] with icpc, headers []
case secret/1 in secret: data/secret/1.in data/secret/1.ans
`,
		},
		{
			why: "a DOMjudge package needs no problem.yaml; domjudge-problem.ini has the time limit",
			archive: `
-- domjudge-problem.ini --
; a comment
name = "Hello; world" ; really
timelimit='1.5'
color = #ff0000
special_compare = float
novelty = 1
nonsense
-- data/sample/a.in --
-- data/sample/a.ans --
`,
			facts: `
format legacy
name Hello; world
time 1.5s from domjudge-problem.ini, ×5 ×2 in 1s
case sample/a
`,
			notes: `
hello/domjudge-problem.ini:5: special_compare names a program that is not in the package: not supported
hello/domjudge-problem.ini:6: unknown key novelty
hello/domjudge-problem.ini:7: not of the form key = value: nonsense
`,
		},
		{
			why: "problem.yaml overrides domjudge-problem.ini, which overrides .timelimit",
			archive: `
-- problem.yaml --
name: Yaml
limits:
  time_limit: 3
-- domjudge-problem.ini --
name = Ini
timelimit = 2
-- .timelimit --
3
-- data/secret/1.in --
-- data/secret/1.ans --
`,
			facts: `
name Yaml
time 3s from problem.yaml:3, ×5 ×2 in 1s
`,
			notes: `
hello/domjudge-problem.ini:2: time limit 2s is ignored: problem.yaml:3 sets 3s
`,
		},
		{
			why: "without a name and a time limit in problem.yaml, the folder gives the name and .timelimit the limit",
			archive: `
-- problem.yaml --
-- .timelimit --
4
-- data/secret/1.in --
-- data/secret/1.ans --
`,
			facts: `
name hello
time 4s from .timelimit, ×5 ×2 in 1s
`,
		},
		{
			why: "limits are numbers in a unit that depends on the key, or texts, or have a unit",
			archive: `
-- problem.yaml --
limits:
  time_multiplier: 4
  time_safety_margin: "3"
  memory: 512
  output: '16'
  code: 64 KiB
  compilation_time: 30 s
  compilation_memory: 1GB
  validation_time: 5
  validation_memory: 256
  validation_output: 1
-- data/secret/1.in --
-- data/secret/1.ans --
`,
			facts: `
time 0s from , ×4 ×3 in 1s
memory 512MiB output 16MiB code 64KiB
compile 30s 1GiB, validate 5s 256MiB 1MiB
`,
			notes: `
`,
		},
		{
			why: "problem.yaml may have a byte order mark, CRLF and anchors",
			archive: "-- problem.yaml --\n\uFEFFname: Hello\r\nlimits: {memory: &m 64, output: *m}\r\n" +
				"-- data/secret/1.in --\n-- data/secret/1.ans --\n",
			facts: `
name Hello
memory 64MiB output 64MiB code 0B
`,
		},
		{
			why:     "domjudge-problem.ini may have a byte order mark and CRLF",
			archive: "-- domjudge-problem.ini --\n\uFEFFname = Hello\r\ntimelimit = 2\r\n-- data/secret/1.in --\n-- data/secret/1.ans --\n",
			facts:   "name Hello\ntime 2s from domjudge-problem.ini, ×5 ×2 in 1s",
		},
		{
			why: "the format 2025-09 with nearly all of its keys",
			archive: `
-- problem.yaml --
problem_format_version: 2025-09
type: [scoring, interactive, multi-pass]
name:
  sv: Hej
  en: Hello
uuid: 1b2c
version: 1
credits: {authors: A <a@example.org>}
source: [{name: First, url: u}, Second]
license: cc by-sa
rights_owner: A
embargo_until: 2026-01-01
limits:
  time_multipliers: {ac_to_time_limit: 3, time_limit_to_tle: 2.5}
  time_limit: 0.5
  time_resolution: 0.1
  validation_passes: 4
keywords: [a, b]
languages: [cpp, python3]
allow_file_writing: true
constants: {n: 10}
-- statement/problem.en.tex --
-- statement/problem.sv.md --
-- statement/logo.png --
-- input_validators/a.py --
-- input_validators/b/b.cpp --
-- input_validators/c.ctd --
-- input_validators/d/d.ctd --
-- input_validators/d/e.ctd --
-- input_validators/f/f.ctd --
-- input_validators/f/f.py --
-- answer_validators/c.py --
-- output_validator/validate.cpp --
-- output_validator/common.h --
-- include/cpp/grader.cpp --
-- include/default/x --
-- data/secret/1.in --
-- data/secret/1.ans --
`,
			facts: `
format 2025-09
name Hello
name[en] Hello
name[sv] Hej
scoring
interactive
multi-pass
writes files
passes 4
time 500ms from problem.yaml:15, ×3 ×2.5 in 100ms
languages [cpp python3]
validated by [output_validator] with icpc, headers []
inputs validated by [input_validators/a.py input_validators/b input_validators/c.ctd input_validators/d/d.ctd input_validators/d/e.ctd input_validators/f] with icpc
answers validated by [answer_validators/c.py]
include [grader.cpp] for cpp
include [x] for default
statement statement/problem.en.tex in en
statement statement/problem.sv.md in sv
`,
			notes: `
`,
		},
		{
			why: "the draft has its own name; multi-pass means two passes by default; types may be words of one text",
			archive: `
-- problem.yaml --
problem_format_version: 2023-07-draft
type: pass-fail multi-pass
name: X
-- output_validator/v/v.cpp --
-- data/secret/1.in --
-- data/secret/1.ans --
`,
			facts: `
format 2023-07
multi-pass
passes 2
time 0s from , ×2 ×1.5 in 1s
validated by [output_validator/v] with icpc, headers []
`,
		},
		{
			why: "legacy: validation gives the type; every program in output_validators is an output validator",
			archive: `
-- problem.yaml --
problem_format_version: legacy-icpc
validation: custom interactive score
type: scoring
grading: {objective: min, show_test_data_groups: yes}
-- output_validators/a/a.cc --
-- output_validators/b.py --
-- output_validators/README.md --
-- data/secret/1.in --
-- data/secret/2.in --
`,
			facts: `
scoring
interactive
validated by [output_validators/a output_validators/b.py] with icpc, headers []
case secret/1 in secret: data/secret/1.in
`,
			notes: `
hello/data/secret: inputs without an answer, taken as empty: data/secret/1.in and 1 more
`,
		},
		{
			why: "a folder with build and run scripts is one program",
			archive: `
-- problem.yaml --
validation: custom
-- output_validators/build --
-- output_validators/run --
-- output_validators/x.cpp --
-- data/secret/1.in --
-- data/secret/1.ans --
`,
			facts: `validated by [output_validators] with icpc, headers []`,
		},
		{
			why: "unknown and unsupported parts are noted with their file and line",
			archive: `
-- problem.yaml --
nane: Hello
type: submit-answer
limits:
  memori: 64
  zzz: 1
-- contest.yaml --
-- other/x --
-- graders/g.py --
-- static_validator/s.py --
-- output_visualizer/s.py --
-- output_validators/v.py --
-- input_validators/x.viva --
-- include/stray.h --
-- data/testdata.yaml --
grading: custom
colour: red
-- data/bad/1.in --
-- data/note.txt --
-- data/secret/1.in --
-- data/secret/1.ans --
-- data/secret/2.ans --
-- data/secret/1.xyz --
-- data/secret/1.png --
-- data/secret/make.py --
-- data/secret/x.interaction --
`,
			facts: `
format legacy
submit-answer
validated by [] with icpc, headers []
`,
			notes: `
hello/problem.yaml:1: unknown key nane (did you mean name?)
hello/problem.yaml:4: unknown key memori (did you mean memory?)
hello/problem.yaml:5: unknown key zzz
hello/problem.yaml:2: submit-answer problems are not supported
hello/contest.yaml: not read
hello/other: not read: no format has such a folder
hello/input_validators/x.viva: VIVA validators are not supported
hello/output_validators/v.py: not used: problem.yaml does not set validation: custom
hello/include/stray.h: not read: a file to include belongs in a folder named for its language
hello/static_validator: not supported
hello/output_visualizer: not supported
hello/data/testdata.yaml:2: unknown key colour
hello/data: folders that are not read: data/bad
hello/data: files that are not read: data/note.txt
hello/data/secret: files that belong to no case: data/secret/1.xyz and 1 more
hello/data/secret: answers without an input, not read: data/secret/2.ans
`,
		},
		{
			why: "a folder may wrap the package, as in many archives",
			archive: `
-- inner/problem.yaml --
nane: x
-- inner/data/secret/1.in --
-- inner/data/secret/1.ans --
`,
			facts: `name inner`,
			notes: `hello/inner/problem.yaml:1: unknown key nane (did you mean name?)`,
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
