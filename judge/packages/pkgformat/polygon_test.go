package pkgformat

import (
	"testing"
)

func TestPolygon(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why     string
		archive string
		facts   string
		notes   string
	}{
		{
			why: "problem.xml names the files",
			archive: `
-- problem.xml --
<?xml version="1.0" encoding="utf-8" standalone="no"?>
<problem revision="3" short-name="sum">
  <names><name language="russian" value="Сумма"/><name language="english" value="Sum"/></names>
  <judging input-file="" output-file="out.txt">
    <testset name="pretests"><test-count>1</test-count></testset>
    <testset name="tests">
      <time-limit>1500</time-limit>
      <memory-limit>268435456</memory-limit>
      <test-count>2</test-count>
      <input-path-pattern>tests/%02d</input-path-pattern>
      <answer-path-pattern>tests/%02d.a</answer-path-pattern>
      <tests><test method="manual" sample="true"/><test method="generated"/></tests>
    </testset>
  </judging>
  <files><resources><file path="files/testlib.h" type="h.g++"/></resources></files>
  <assets>
    <checker name="std::ncmp.cpp" type="testlib"><source path="files/check.cpp" type="cpp.g++17"/><testset>
      <input-path-pattern>files/tests/checker-tests/%02d</input-path-pattern>
      <output-path-pattern>files/tests/checker-tests/%02d.o</output-path-pattern>
      <answer-path-pattern>files/tests/checker-tests/%02d.a</answer-path-pattern>
      <tests><test verdict="ok"/><test verdict="wrong-answer"/><test verdict="crashed"/></tests>
    </testset></checker>
    <interactor><source path="files/talk.cpp" type="cpp.g++17"/></interactor>
    <validators><validator><source path="files/val.cpp" type="cpp.g++17"/><testset>
      <input-path-pattern>files/tests/validator-tests/%02d</input-path-pattern>
      <tests><test verdict="valid" testset="tests" group="1"/><test verdict="invalid"/><test verdict="valid"/></tests>
    </testset></validator></validators>
    <solutions>
      <solution tag="main"><source path="solutions/a.cpp" type="cpp.g++17"/></solution>
      <solution tag="time-limit-exceeded-or-accepted"><source path="solutions/b.cpp" type="cpp.g++17"/></solution>
      <solution tag="wrong-answer"><source path="solutions/c.py" type="python.3"/></solution>
      <solution tag="do-not-run"><source path="solutions/e.py" type="python.3"/></solution>
      <solution tag="strange"><source path="solutions/d.py" type="python.3"/></solution>
    </solutions>
  </assets>
</problem>
-- files/testlib.h --
-- files/check.cpp --
-- files/val.cpp --
-- files/tests/checker-tests/01 --
-- files/tests/checker-tests/01.o --
-- files/tests/checker-tests/01.a --
-- files/tests/checker-tests/02 --
-- files/tests/checker-tests/02.o --
-- files/tests/checker-tests/02.a --
-- files/tests/validator-tests/01 --
-- files/tests/validator-tests/02 --
-- files/talk.cpp --
-- solutions/a.cpp --
-- solutions/b.cpp --
-- solutions/c.py --
-- solutions/d.py --
-- tests/01 --
-- tests/01.a --
-- tests/02 --
-- tests/02.a --
`,
			facts: `
format polygon
name Sum
name[russian] Сумма
interactive
files [out.txt]
time 1.5s from problem.xml, ×2 ×1.5 in 1s
memory 256MiB output 64MiB code 0B
validated by [files/check.cpp] with testlib, headers [files/testlib.h]
interactor files/talk.cpp
inputs validated by [files/val.cpp] with testlib
case sample/01 in sample: tests/01 tests/01.a
case tests/02 in tests: tests/02 tests/02.a
case tests/02 args [] input {["--testset" "tests"] map[]} output []
invalid_input files/tests/validator-tests/02: files/tests/validator-tests/02
invalid_output files/tests/checker-tests/02: files/tests/checker-tests/02 files/tests/checker-tests/02.a files/tests/checker-tests/02.o
valid_input files/tests/validator-tests/01: files/tests/validator-tests/01
valid_output files/tests/checker-tests/01: files/tests/checker-tests/01 files/tests/checker-tests/01.a files/tests/checker-tests/01.o
solutions/a.cpp: AC
solutions/a.cpp from its tag main
solutions/a.cpp is cpp.g++17  by [] model true
solutions/b.cpp: AC or TLE
solutions/c.py: WA
solutions/d.py:
`,
			notes: `
hello/solutions/e.py: not judged: its tag is do-not-run
hello/solutions/d.py: no verdict is expected: unknown tag strange
hello/problem.xml: testset pretests is not used
hello/files/tests/validator-tests/03: no such file; the test is not read (hint: download the full package, which includes the generated tests)
hello/files/tests/checker-tests/03: not used: a test with the unsupported verdict crashed
`,
		},
		{
			why: "groups have points, and their tests are judged together",
			archive: `
-- problem.xml --
<problem><judging><testset name="tests">
  <time-limit>1000</time-limit>
  <input-path-pattern>tests/%d</input-path-pattern>
  <answer-path-pattern>tests/%d.a</answer-path-pattern>
  <tests>
    <test sample="true"/>
    <test group="1" points="2.5"/>
    <test group="2" points="0.0"/>
    <test group="1"/>
    <test/>
  </tests>
  <groups>
    <group name="1" points-policy="each-test"/>
    <group name="2" points-policy="complete-group"><dependencies><dependency group="1"/></dependencies></group>
    <group name="3"/>
  </groups>
</testset></judging>
<assets><solutions>
  <solution tag="main"><source path="a.cpp"/></solution>
  <solution tag="rejected"><source path="b.cpp"/><extra-tags>
    <extra-tag group="1" tag="accepted"/><extra-tag group="2" tag="wrong-answer"/>
    <extra-tag testset="pretests" tag="accepted"/><extra-tag group="2" tag="odd"/>
  </extra-tags></solution>
  <solution tag="time-limit-exceeded"><source path="c.cpp"/></solution>
</solutions></assets></problem>
-- a.cpp --
-- b.cpp --
-- c.cpp --
-- tests/1 --
-- tests/1.a --
-- tests/2 --
-- tests/2.a --
-- tests/3 --
-- tests/3.a --
-- tests/4 --
-- tests/4.a --
-- tests/5 --
-- tests/5.a --
`,
			facts: `
scoring
case sample/1 in sample: tests/1 tests/1.a
case 1/2 in 1: tests/2 tests/2.a
case 1/2 has 2.5 points
case 1/4 in 1: tests/4 tests/4.a
case 1/4 args [] input {["--testset" "tests" "--group" "1"] map[]} output []
case 2/3 in 2: tests/3 tests/3.a
case tests/5 in tests: tests/5 tests/5.a
a.cpp: AC
b.cpp: AC or WA or TLE or RTE or CE; a part of the score; every case of 1 AC; every case of 2 AC or WA, one WA
c.cpp: TLE
`,
			notes: `
hello/b.cpp: extra tag accepted of pretests is ignored: only tags of single groups are supported
hello/b.cpp: no verdict is expected: unknown tag odd
hello/problem.xml: a group without tests: 3
`,
		},
		{
			why: "without problem.xml, files are recognized by their names",
			archive: `
-- tests/1 --
-- tests/1.a --
-- tests/10 --
-- tests/10.a --
-- tests/2 --
-- tests/2.a --
-- tests/notes.txt --
-- check.cpp --
-- files/check.cpp --
-- files/interactor.cpp --
-- validator.py --
-- files/testlib.h --
-- solutions/ok.cpp --
-- solutions/ok.cpp.desc --
File name: ok.cpp
Tag: MAIN
-- solutions/slow.cpp --
-- solutions/slow.cpp.desc --
Tag: TIME_LIMIT_EXCEEDED
-- solutions/what.cpp --
`,
			facts: `
format polygon
name hello
interactive
validated by [check.cpp] with testlib, headers [files/testlib.h]
interactor files/interactor.cpp
inputs validated by [validator.py] with testlib
case tests/1
case tests/2
case tests/10 in tests: tests/10 tests/10.a
solutions/ok.cpp: AC
solutions/slow.cpp: TLE
solutions/what.cpp:
`,
			notes: `
hello/files/check.cpp: not used: the checker is check.cpp
hello/tests: files that are not read: tests/notes.txt
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
