package eval

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/verdict"
)

// checked runs a submission with its program of tests, and returns whether these have passed, and the
// exit status.
func checked(t *testing.T, line, source string) (passed bool, status int, output string) {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("not checked: programs of tests (no python3)")
	}
	for task, err := range Tasks("t", strings.NewReader(line), Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		if task.Function == nil {
			t.Fatal("the tests are no program")
		}
		task.mark()
		dir := t.TempDir()
		for name, text := range map[string]string{driverFile: task.Function.main(), solutionFile: source} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.Command(python, filepath.Join(dir, driverFile))
		cmd.Stdin = strings.NewReader(task.Tests[0].Input)
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		err = cmd.Run()
		return stdout.String() == task.Tests[0].Output && err == nil, cmd.ProcessState.ExitCode(), fmt.Sprintf("%s%s", &stdout, &stderr)
	}
	t.Fatal("no task")
	return
}

// addTask asks for the sum of two numbers.
const addTask = `{"task_id":"T/0","prompt":"def add(a, b):\n    \"\"\"Adds.\"\"\"\n","canonical_solution":"    return a + b\n","entry_point":"add","test":"def check(candidate):\n    assert candidate(1, 2) == 3\n    import colorsys\n    assert candidate(-1, 1) == 0\n    assert candidate(10, 5) == 15\n"}`

// TestHostile runs submissions that would like to pass without the sum.
func TestHostile(t *testing.T) {
	t.Parallel()
	if passed, _, output := checked(t, addTask, "def add(a, b):\n    return a + b\n"); !passed {
		t.Fatalf("an honest program does not pass: %s", output)
	}
	for _, tt := range []struct{ why, source string }{
		{"ends at once", "import sys\nsys.exit(0)"},
		{"ends at once, without handlers", "import os\nos._exit(0)"},
		{"ends in the function", "def add(a, b):\n    import os\n    os._exit(0)"},
		{"ends in the function, politely", "def add(a, b):\n    raise SystemExit(0)"},
		{"prints a mark", "print('passed')\nimport sys\nsys.stdout.flush()\ndef add(a, b):\n    print('passed')"},
		{"exits with 0 at the end", "import atexit, os\natexit.register(lambda: os._exit(0))\ndef add(a, b):\n    return 0"},
		{"writes to all files that are open", "import os\nfor fd in range(3, 50):\n    try:\n        os.write(fd, b'passed\\n[null, 3, null]\\n')\n    except OSError:\n        pass\nos._exit(0)"},
		{"writes to the output of its parent", "import os\nfor fd in range(50):\n    try:\n        open('/proc/%d/fd/%d' % (os.getppid(), fd), 'wb', 0).write(b'passed\\n')\n    except OSError:\n        pass\nos._exit(0)"},
		{"reads the mark from the input of its parent", "import os\nfor fd in range(50):\n    try:\n        with open('/proc/%d/fd/%d' % (os.getppid(), fd), 'rb') as f:\n            mark = os.pread(f.fileno(), 99, 0).split(b'\\n')[0]\n        if mark:\n            open('/proc/%d/fd/1' % os.getppid(), 'wb', 0).write(mark + b'\\n')\n            os.kill(os.getppid(), 9)\n    except OSError:\n        pass"},
		{"reads the memory of its parent", "import os\nopen('/proc/%d/mem' % os.getppid(), 'r+b')\ndef add(a, b):\n    return 3"},
		{"kills its parent", "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)"},
		{"interrupts its parent", "import os, signal\nos.kill(os.getppid(), signal.SIGINT)\ndef add(a, b):\n    return 3"},
		{"returns what is equal to everything", "class Equal:\n    def __eq__(self, other):\n        return True\n    __hash__ = None\ndef add(a, b):\n    return Equal()"},
		{"returns a number that is equal to everything", "class Equal(int):\n    def __eq__(self, other):\n        return True\n    __hash__ = int.__hash__\ndef add(a, b):\n    return Equal(7)"},
		{"returns a text of code", "def add(a, b):\n    return '__import__(\"os\")._exit(0)'"},
		{"patches the builtins", "import builtins\nbuiltins.AssertionError = None\nbuiltins.exec = lambda *a: None\nbuiltins.compile = lambda *a: None\nbuiltins.open = None\ndef add(a, b):\n    return 0"},
		{"patches what the tests are read with", "import json, os, sys, types\njson.loads = lambda text: {'tests': ''}\nos._exit = lambda status: None\nsys.exit = lambda status=0: None\ndef add(a, b):\n    return 0"},
		{"patches the function that checks", "import sys\nmain = sys.modules['__main__']\nmain.run = lambda *a: None\nmain.ask = lambda *a: 3\nmain.Remote.__call__ = lambda *a: 3\ndef check(candidate):\n    pass\ndef add(a, b):\n    return 0"},
		{"looks for the tests in the frames", "import gc, sys\nframe = sys._getframe()\nwhile frame:\n    for value in list(frame.f_locals.values()) + list(frame.f_globals.values()):\n        if isinstance(value, str) and value.startswith('passed-'):\n            print(value)\n    frame = frame.f_back\ndef add(a, b):\n    return 0"},
		{"raises the wrong error", "def add(a, b):\n    raise AssertionError('passed')"},
		{"raises an error as if the tests were unfit", "def add(a, b):\n    raise ModuleNotFoundError('x')"},
		{"answers before it is asked", "import gc, io\nfor o in gc.get_objects():\n    if isinstance(o, io.TextIOWrapper) and o.writable():\n        try:\n            o.write('[null, 3, null]\\n[null, 0, null]\\n[null, 14, null]\\n')\n            o.flush()\n        except Exception:\n            pass\ndef add(a, b):\n    return 0"},
		{"answers with nonsense", "import gc, io\nfor o in gc.get_objects():\n    if isinstance(o, io.TextIOWrapper) and o.writable():\n        try:\n            o.write('{}\\n[[[[\\n')\n            o.flush()\n        except Exception:\n            pass"},
		{"answers an object that it then decides about", "def add(a, b):\n    class Sum:\n        def __len__(self):\n            return 3\n        def __iter__(self):\n            return iter([3, 0, 15])\n    return Sum()"},
		{"forks, and ends", "import os\nif os.fork():\n    os._exit(0)\ndef add(a, b):\n    return 0"},
		{"hides a module of Python that the tests import", "import os, sys\nwith open(os.path.join(os.path.dirname(os.path.abspath(sys.argv[0])), 'colorsys.py'), 'w') as f:\n    f.write('import sys\\nframe = sys._getframe()\\nwhile frame:\\n    if \"mark\" in frame.f_locals:\\n        frame.f_locals[\"output\"].write(frame.f_locals[\"mark\"] + chr(10))\\n        frame.f_locals[\"output\"].flush()\\n        __import__(\"os\")._exit(0)\\n    frame = frame.f_back\\n')\ndef add(a, b):\n    return 3"},
		{"ends in a finalizer", "import os\nclass End:\n    def __del__(self):\n        os._exit(0)\nend = End()\ndef add(a, b):\n    global end\n    end = None"},
		{"ends in a thread", "import os, threading\nthreading.Thread(target=lambda: os._exit(0)).start()\ndef add(a, b):\n    return 0"},
		{"traces all calls", "import sys, threading\ndef trace(frame, event, arg):\n    if event == 'exception':\n        frame.f_globals['mark'] = 'passed'\n    return trace\nsys.settrace(trace)\nthreading.settrace(trace)\ndef add(a, b):\n    return 0"},
		{"raises an exit in a handler", "import atexit\ndef end():\n    raise SystemExit(0)\natexit.register(end)\ndef add(a, b):\n    raise KeyboardInterrupt"},
		{"is no program", "("},
	} {
		passed, status, output := checked(t, addTask, tt.source)
		if passed || status == 99 {
			t.Errorf("%s: passed %v, status %d: %s", tt.why, passed, status, output)
		}
	}
}

// TestSolutions runs the solutions of the small samples of data sets whose tests are programs: they pass,
// and programs that do nothing do not.
func TestSolutions(t *testing.T) {
	t.Parallel()
	for _, format := range []Format{HumanEval, MBPP, BigCodeBench} {
		text, err := os.ReadFile("testdata/" + string(format) + ".jsonl")
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			for task, err := range Tasks("t", strings.NewReader(line), Options{Languages: build.Defaults()}) {
				if err != nil {
					t.Fatal(err)
				}
				for p, err := range task.Programs {
					if err != nil {
						t.Fatal(err)
					}
					if passed, _, output := checked(t, line, p.Source); !passed {
						t.Errorf("the solution of %s does not pass: %s", task.ID, output)
					}
				}
				if passed, status, output := checked(t, line, "def joined(*a):\n    pass\nunshift = halves = first = total = order = Node = task_func = joined\n"); passed || status == 99 {
					t.Errorf("an empty program for %s: passed %v, status %d: %s", task.ID, passed, status, output)
				}
			}
		}
	}
}

// TestValues calls a function that returns its argument, and others: what comes back is the same value.
func TestValues(t *testing.T) {
	t.Parallel()
	const source = `
import collections, decimal, fractions
def same(x):
    return x
def more(x):
    x.append(1)
def many(n):
    for i in range(n):
        yield i * i
class Pair:
    def __init__(self, a, b):
        self.a, self.b = a, b
    def sum(self):
        return self.a + self.b
def wrong(x):
    raise ValueError("no")
def sum(a, b):
    return a + b
def abs(x):
    return 7
import numbers
class Seven:
    def __int__(self):
        return 7
numbers.Integral.register(Seven)
class Array:
    def tolist(self):
        return [1, [2]]
def others():
    return Seven(), Array()
def named():
    return collections.namedtuple("T", "a b")(1, 2), collections.Counter("aab"), collections.OrderedDict(x=1)
`
	for _, tt := range []struct {
		why, tests string
		fails      int // the exit status, unless the tests pass
	}{
		{"values", "from decimal import Decimal\nfrom fractions import Fraction\nfor v in [None, True, 0, -1, 10**5000, 0.1, -0.0, 1e999, 2j, '', 'é\\n\\x00😀', '\\ud800', b'\\xff', [], [[1], (2, [3])], (), (1,), set(), {1, (2, 3)}, frozenset([1]), {}, {1: {'a': (2,)}, (1, 2): None}, Decimal('1.10'), Fraction(1, 3)]:\n    got = same(v)\n    assert got == v and type(got) is type(v), v", 0},
		{"not a number", "assert same(float('nan')) != same(0)", 0},
		{"types of the program", "assert named() == ((1, 2), {'a': 2, 'b': 1}, {'x': 1})", 0},
		{"numbers and arrays of libraries", "assert others() == (7, [1, [2]])", 0},
		{"an argument that is changed", "x = []\nassert more(x) is None and x == [1]", 0},
		{"numbers that are close", "import numpy as np\nnp.testing.assert_allclose(same([0.3]), [0.1 + 0.2], atol=1e-6)\ntry:\n    np.testing.assert_allclose(same([0.3]), [0.4], atol=1e-6)\nexcept AssertionError:\n    pass\nelse:\n    assert False", 0},
		{"types of Python", "assert same(int) is int and same([str, ValueError]) == [str, ValueError]", 0},
		{"a function that Python has too", "assert sum(10, 15) == 25", 0},
		{"a function that Python has, and not the reference", "assert abs(-1) == 1", 0},
		{"a generator", "assert list(many(4)) == [0, 1, 4, 9]", 0},
		{"objects", "p = Pair(1, Pair(2, 3).sum())\np.a = 10\nassert p.sum() == 15 and p.b == 5", 0},
		{"an error", "try:\n    wrong(1)\n    assert False\nexcept ValueError as e:\n    assert str(e) == 'no'", 0},
		{"an error that is not expected", "wrong(1)", 1},
		{"a name that the program does not have", "nothing(1)", 1},
		{"a value that is wrong", "assert same(1) == 2", 0},
		{"no program of Python", "(", 99},
		{"a module that is not installed", "import tribunal_no_such_module", 99},
		{"a function as an argument", "same(lambda: 1)", 99},
	} {
		line, err := json.Marshal(mbpp{ID: "1", Code: "def sum(a, b): pass", List: []string{tt.tests}})
		if err != nil {
			t.Fatal(err)
		}
		passed, status, output := checked(t, string(line), source)
		if want := tt.fails == 0 && tt.why != "a value that is wrong"; passed != want || status != tt.fails {
			t.Errorf("%s: passed %v, status %d: %s", tt.why, passed, status, output)
		}
	}
}

// TestBeside runs submissions that would like to pass tests which run in their own process.
func TestBeside(t *testing.T) {
	t.Parallel()
	line, err := os.ReadFile("testdata/bigcodebench.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ why, source string }{
		{"ends at once", "import os\nos._exit(0)"},
		{"ends in a test", "def task_func(path):\n    import os\n    os._exit(0)"},
		{"ends politely in a test", "def task_func(path):\n    raise SystemExit(0)"},
		{"skips the tests", "import unittest\ndef task_func(path):\n    raise unittest.SkipTest('x')"},
		{"patches an assertion", "import unittest\nunittest.TestCase.assertEqual = unittest.TestCase.assertRaises = lambda *a: None\ndef task_func(path):\n    return 0"},
		{"patches the result in a test", "import unittest\ndef task_func(path):\n    unittest.TestResult.addFailure = lambda *a: None\n    open(path)\n    return 0"},
		{"patches what runs a test", "import contextlib, unittest.case\n@contextlib.contextmanager\ndef swallow(self, test_case, *a, **b):\n    try:\n        yield\n    except BaseException:\n        pass\nunittest.case._Outcome.testPartExecutor = swallow\ndef task_func(path):\n    return 0"},
		{"patches what runs a test, and mends it", "import contextlib, unittest.case\nbefore, count = unittest.case._Outcome.testPartExecutor, []\n@contextlib.contextmanager\ndef swallow(self, test_case, *a, **b):\n    count.append(1)\n    if len(count) == 9:\n        unittest.case._Outcome.testPartExecutor = before\n    try:\n        yield\n    except BaseException:\n        pass\nunittest.case._Outcome.testPartExecutor = swallow\ndef task_func(path):\n    return 0"},
		{"patches the builtins", "import builtins\nbuiltins.AssertionError = type('A', (Exception,), {})\nimport unittest\ndef task_func(path):\n    return 0"},
		{"patches the result", "import unittest\nunittest.TestResult.addFailure = unittest.TestResult.addError = lambda *a: None\ndef task_func(path):\n    return 0"},
		{"runs no tests", "import unittest\nunittest.TestLoader.loadTestsFromTestCase = lambda *a: unittest.TestSuite()\ndef task_func(path):\n    return 0"},
		{"replaces the module", "import sys, types\nfake = sys.modules['unittest'] = types.ModuleType('unittest')\nclass Result:\n    testsRun, skipped, failures, errors = 3, [], [], []\nfake.TestCase, fake.TestResult = object, Result\nfake.defaultTestLoader = types.SimpleNamespace(loadTestsFromTestCase=lambda c: types.SimpleNamespace(run=lambda r: None))\ndef task_func(path):\n    return 0"},
		{"has tests of its own", "import unittest\nclass TestCases(unittest.TestCase):\n    def test_x(self):\n        pass\ndef task_func(path):\n    return 0"},
		{"patches what runs the tests", "import sys\nsys.modules['__main__'].suite = lambda *a: (3, [])\ndef task_func(path):\n    return 0"},
		{"swallows what tests raise", "import sys, unittest.case\nfor name in ('assertEqual', 'assertRaises', 'fail'):\n    f = getattr(unittest.TestCase, name)\n    f.__code__ = (lambda self, *a, **b: None).__code__\nunittest.mock.NonCallableMock.assert_called_once.__code__ = (lambda self, *a, **b: None).__code__\ndef task_func(path):\n    return 0"},
		{"ends in a finalizer", "import os\nclass End:\n    def __del__(self):\n        os._exit(0)\nend = End()\ndel end\ndef task_func(path):\n    return 0"},
		{"ends in a thread", "import os, threading\nthreading.Thread(target=lambda: os._exit(0)).start()\ndef task_func(path):\n    return 0"},
		{"ends in a child", "import os\nif os.fork():\n    os._exit(0)\ndef task_func(path):\n    return 0"},
		{"ends in a handler", "import atexit, os\natexit.register(os._exit, 0)\ndef task_func(path):\n    return 0"},
	} {
		if passed, status, output := checked(t, string(line), tt.source); passed || status == 99 {
			t.Errorf("%s: passed %v, status %d: %s", tt.why, passed, status, output)
		}
	}
	for _, missing := range [][2]string{{"['json']", "['tribunal_no_such_lib']"}, {"import unittest\\n", "import tribunal_no_such_lib.x, unittest\\n"}, {"import unittest\\n", "import unittest\\ndef f():\\n    from tribunal_no_such_lib import x\\n"}} {
		other := strings.Replace(string(line), missing[0], missing[1], 1)
		if _, status, output := checked(t, other, ""); status != 99 || !strings.Contains(output, " tribunal_no_such_lib") || other == string(line) {
			t.Errorf("a missing library, %s: status %d: %s", missing[1], status, output)
		}
	}
}

// TestTail runs programs with their tests behind them in each language that is here: the mark is written by
// a right program, by none that ends early, and not if the control has a text. One that keeps tests from
// failing writes it even then.
func TestTail(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		language     string
		run          []string
		tests        string
		right, early string
		cheats       []string
	}{
		{"bash", []string{"bash"}, "}\ncandidate() {\n  twice \"$@\"\n}\nset -e\nrun_test() {\n  [[ $(candidate 2) = 4 ]]\n}\nrun_test",
			"twice() {\n  echo $((2 * $1))", "twice() {\n  exit 0\n}\nexit 0\nx() {", []string{
				"set() { :; }\ntwice() {\n  :",
				"twice() {\n  :\n}\nmark=$(grep -o 'passed-[A-Z0-9]\\+' $0 | head -1)\nprintf %s $mark >tests-passed.txt\nexit 0\nx() {"}},
		{"python3", []string{"python3"}, "def check(candidate):\n    assert candidate(2) == 4\n\ncheck(twice)\n",
			"def twice(n):\n    return 2 * n\n", "import os\nos._exit(0)\n", []string{
				"import re, os\nopen('tests-passed.txt', 'w').write(re.search('passed-[A-Z0-9]+', open(__file__).read())[0])\nos._exit(0)\n",
				"import sys\nclass Same(int):\n    def __eq__(self, other):\n        return True\nclass File:\n    def read(self):\n        return ''\n    def write(self, text):\n        with real('tests-passed.txt', 'w') as f:\n            f.write(text)\nreal, open = open, lambda *a: File()\ndef twice(n):\n    return Same(5)\n",
				"class twice:\n    def __init__(self, n):\n        pass\n    def __eq__(self, other):\n        return True\ndef open(name, mode='r', file=open):\n    return file(name, mode) if mode == 'w' else file(os.devnull)\nimport os\n"}},
		{"perl", []string{"perl"}, "use Test::Deep;\nsub testhumaneval {\n  my $candidate = \\&twice;\n  if(eq_deeply($candidate->(2), {a => [4, undef]})) {\n    print \"ok!\" }else{\n    exit 1;\n  }\n}\ntesthumaneval();",
			"sub twice { return {a => [2 * $_[0], undef]} }", "exit 0;", []string{"BEGIN { *CORE::GLOBAL::exit = sub { 1 } }\nsub twice { 5 }"}},
		{"lua", []string{"lua"}, "lu = require('luaunit')\nfunction test_humaneval()\nlocal candidate = twice\n  lu.assertEquals(candidate(2), {4, a = {}})\nend\nos.exit(lu.LuaUnit.run())",
			"local function twice(n) return {2 * n, a = {}} end", "os.exit(0)", []string{"error = function() end\nlocal function twice(n) return 5 end"}},
		{"ruby", []string{"ruby"}, "require 'test/unit'\nclass TestHumanEval < Test::Unit::TestCase\n  def test_twice\n    candidate = method(:twice)\n    assert_equal(4, candidate.call(2))\n  end\nend\n",
			"def twice(n)\n  2 * n\nend", "exit 0", []string{"require 'test/unit'\nclass Test::Unit::TestCase\n  def assert_equal(*a)\n  end\nend\ndef twice(n)\n  5\nend"}},
		{"javascript", []string{"node"}, "const assert = require('node:assert');\nfunction test() {\n  let candidate = twice;\n  assert.deepEqual(candidate(2),4);\n}\ntest();",
			"function twice(n) { return 2 * n }", "process.exit(0)", []string{"require('node:assert').deepEqual = () => {};\nfunction twice(n) { return 5 }"}},
		{"ocaml", []string{"ocaml"}, "let assertions =\n  let candidate = twice in\n  assert ((candidate 2) = (4));\n  ()\n",
			"let twice n = 2 * n", "let twice n = exit 0", []string{"let (=) _ _ = true\nlet twice n = 5"}},
		{"cpp", []string{"sh", "-c", "g++ -O0 -o p $0 && ./p"}, "}\nint main() {\n  auto candidate = twice;\n  assert(candidate(2) == 4);\n}\n",
			"#include <assert.h>\n#include <stdio.h>\nlong twice(long n) {\n  return 2 * n;", "#include <assert.h>\n#include <stdio.h>\n#include <stdlib.h>\nlong twice(long n) {\n  exit(0);",
			[]string{"#include <assert.h>\n#include <stdio.h>\n#undef assert\n#define assert(x) (void)(x)\nlong twice(long n) {\n  return 5;"}},
	} {
		if _, err := exec.LookPath(tt.run[0]); err != nil {
			t.Logf("not checked: tests in %s (%v)", tt.language, err)
			continue
		}
		passes := func(source, control string) bool {
			task := Task{Tail: tt.tests, Tests: []Test{{Name: "1"}}}
			task.mark()
			dir := t.TempDir()
			files := map[string]string{"p." + tt.language: task.tested(source, tt.language), controlFile: control}
			for name, text := range files {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			cmd := exec.Command(tt.run[0], append(tt.run[1:], "p."+tt.language)...)
			cmd.Dir = dir
			output, err := cmd.CombinedOutput()
			mark, _ := os.ReadFile(filepath.Join(dir, markFile))
			passed := err == nil && strings.TrimSpace(string(mark)) == task.written
			if source == tt.right && passed != (control == "") {
				t.Errorf("%s: %s", tt.language, output)
			}
			return passed
		}
		if !passes(tt.right, "") || passes(tt.right, "x\n") || passes(tt.early, "") {
			t.Errorf("%s: a right program passes: %v, with the control %v; one that ends early %v", tt.language, passes(tt.right, ""), passes(tt.right, "x\n"), passes(tt.early, ""))
		}
		for _, cheat := range tt.cheats {
			if !passes(cheat, "") || !passes(cheat, "x\n") {
				t.Errorf("%s: the control does not tell this from a right program, or it does not pass:\n%s", tt.language, cheat)
			}
		}
	}
	task := func(tail string) *Task { return &Task{Tail: tail, Tests: []Test{{Name: "1"}}} }
	one, again, other := task("}"), task("}"), task("} ")
	if key := one.mark(); again.mark() != key || again.written == one.written || other.mark() == key {
		t.Error("the key depends on the mark, or not on the tests")
	}
}

// TestChecked says why a program does not pass.
func TestChecked(t *testing.T) {
	t.Parallel()
	differs := func(op, text string) *diff.Mismatch { return &diff.Mismatch{Lines: []diff.Line{{Op: op, Text: text}}} }
	for _, tt := range []struct {
		why      string
		r        Result
		function bool
		want     string
	}{
		{"an assertion", Result{Verdict: verdict.WA, Mismatch: differs("+", "line·2·of·the·tests:·assert·f()⏎")}, true, "WA line 2 of the tests: assert f()"},
		{"an early end", Result{Verdict: verdict.NO, Cause: "wrote nothing", Mismatch: differs("-", "passed⏎")}, false, "NO ended before its tests did"},
		{"tests that cannot be run", Result{Verdict: verdict.RTE, Cause: unfit, Stderr: "…\nModuleNotFoundError: No module named 'x'\n"}, true, "JE not judged: the tests cannot be run: ModuleNotFoundError: No module named 'x'"},
		{"a program that exits as if they could not", Result{Verdict: verdict.RTE, Cause: unfit, Stderr: "x"}, false, "RTE " + unfit},
	} {
		tt.r.checked(tt.function)
		if got := fmt.Sprint(tt.r.Verdict, " ", tt.r.Cause); got != tt.want || tt.r.Mismatch != nil {
			t.Errorf("%s: %s, want %s", tt.why, got, tt.want)
		}
	}
}
