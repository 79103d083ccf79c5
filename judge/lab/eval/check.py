# The main program of a submission whose tests are a program, after a line that sets beside. Two processes share the work, so that the
# submission cannot decide whether it passes: the first runs the tests, and the second the submission, of
# which it gives to the first only values. The first alone knows the tests and the mark that it prints
# after them, and none of its memory and files can be opened by the second. Only tests that must run beside
# the submission, because they replace what it calls, are run by the second process.
import ast
import builtins
import decimal
import fractions
import importlib.util
import json
import linecache
import numbers
import os
import signal
import sys
import tempfile
import traceback
import types

UNFIT = 99  # the exit status if the tests cannot be run, whatever the submission
KINDS = {kind.__name__: kind for kind in (list, tuple, set, frozenset)}
WORDS = {kind.__name__: kind for kind in (complex, decimal.Decimal, fractions.Fraction)}


class Unfit(Exception):
    """The tests ask for what two processes cannot do."""


def pack(value, remember):
    """Returns a value for JSON. remember names an object that is none of the known values."""
    if value is None or isinstance(value, (int, float, str)):
        return value
    if isinstance(value, dict):
        return ["dict", [[pack(k, remember), pack(v, remember)] for k, v in value.items()]]
    for name, kind in KINDS.items():
        if isinstance(value, kind):
            return [name, [pack(item, remember) for item in value]]
    for name, kind in WORDS.items():
        if isinstance(value, kind):
            return [name, str(value)]
    if isinstance(value, (bytes, bytearray)):
        return ["bytes", value.hex()]
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, type) and getattr(builtins, value.__name__, None) is value:
        return ["type", value.__name__]
    if not isinstance(value, (Remote, type)) and hasattr(value, "tolist"):  # of numpy
        return pack(value.tolist(), remember)
    return ["object", remember(value)]


def unpack(data, find):
    """Returns the value that was packed. find returns the object with a name."""
    if not isinstance(data, list):
        return data
    kind, value = data
    if kind in KINDS:
        return KINDS[kind](unpack(item, find) for item in value)
    if kind in WORDS:
        return WORDS[kind](value)
    if kind == "type" and isinstance(getattr(builtins, value), type):
        return getattr(builtins, value)
    if kind == "dict":
        return {unpack(k, find): unpack(v, find) for k, v in value}
    return bytes.fromhex(value) if kind == "bytes" else find(value)


class Remote:
    """An object of the submission. It is equal to nothing else, because the submission would decide that."""

    def __init__(self, name, link):
        self.__dict__.update(name=name, link=link)

    def __call__(self, *args, **options):
        return ask(self, "call", args, options)

    def __getattr__(self, name):
        return ask(self, "get", (name,), {})

    def __setattr__(self, name, value):
        ask(self, "set", (name, value), {})

    def __getitem__(self, key):
        return ask(self, "item", (key,), {})

    def __bool__(self):
        return True

    def __len__(self):
        return int(ask(self, "len", (), {}))

    def __iter__(self):
        return ask(self, "iter", (), {})

    def __next__(self):
        return ask(self, "next", (), {})


def suite(module, tests, before):
    """Runs the class TestCases in the module. Returns how many tests there were, and what failed."""
    import unittest

    failed = ["the program has changed unittest or the builtins"]
    if before.changed():
        return 0, failed
    os.chdir(tempfile.mkdtemp())
    linecache.cache["tests"] = (len(tests), None, tests.splitlines(True), "tests")
    exec(compile(tests, "tests", "exec"), vars(module))
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(vars(module)["TestCases"]).run(result)
    if not before.changed():
        failed = ["%s: %s" % (test.id().split(".")[-1], text) for test, text in result.failures + result.errors]
    return result.testsRun - len(result.skipped), failed


class Before:
    """What unittest and the builtins were before the submission."""

    def __init__(self):
        import unittest.mock

        self.modules = {name: m for name, m in sys.modules.items() if name.split(".")[0] in ("builtins", "unittest")}
        classes = [kind for m in self.modules.values() for kind in vars(m).values() if isinstance(kind, type)]
        self.values = [(owner, dict(vars(owner))) for owner in [*self.modules.values(), *classes]]

    def changed(self):
        if any(sys.modules.get(name) is not m for name, m in self.modules.items()):
            return True
        kept = ((owner, key, value) for owner, values in self.values for key, value in values.items())
        return any(value is not None and vars(owner).get(key) is not value for owner, key, value in kept)  # mock sets some


OPERATIONS = {
    "call": lambda target, *args, **options: target(*args, **options),
    "get": getattr, "set": setattr, "item": lambda target, key: target[key],
    "len": len, "iter": iter, "next": next,
}


def ask(remote, operation, args, options):
    """Returns what an operation on an object of the submission returns."""
    name, (requests, replies) = remote.__dict__["name"], remote.__dict__["link"]
    find = lambda name: Remote(name, (requests, replies))

    def known(value):
        if isinstance(value, Remote):
            return value.__dict__["name"]
        raise Unfit("the tests pass a value of the type " + type(value).__name__)

    packed = [pack(item, known) for item in args]
    try:
        requests.write(json.dumps([name, operation, packed, pack(options, known)]) + "\n")
        requests.flush()
        line = replies.readline()
    except BrokenPipeError:
        line = ""
    if not line:
        sys.exit("the program ended before the tests did")
    error, value, changed = json.loads(line)
    if error is not None:
        kind = getattr(builtins, str(error), None)
        try:
            raised = kind(value)
        except TypeError:
            raised = None
        if not isinstance(raised, Exception):
            raised = RuntimeError("%s: %s" % (error, value))
        raised.of_submission = True
        raise raised
    for argument, after in zip(args, changed or ()):
        if isinstance(argument, list):
            argument[:] = unpack(after, find)
        elif isinstance(argument, (dict, set)):
            argument.clear()
            argument.update(unpack(after, find))
    return unpack(value, find)


def serve(path, requests, replies):
    """Runs the submission, and answers what the tests ask."""
    before = Before() if beside else None
    module = types.ModuleType("solution")
    sys.modules["solution"] = module  # where dataclasses look for what a name in a type means
    with open(path, encoding="utf-8") as file:
        exec(compile(file.read(), os.path.basename(path), "exec"), vars(module))
    objects = []

    def remember(value):
        objects.append(value)
        return len(objects) - 1

    def find(name):
        if isinstance(name, int):
            return objects[name]
        if not hasattr(module, name):
            raise NameError("the program does not define " + name)
        return getattr(module, name)

    for line in requests:
        error = value = changed = None
        try:
            name, operation, packed, options = json.loads(line)
            args = [unpack(item, find) for item in packed]
            if operation == "suite":
                value = suite(module, args[0], before)
            else:
                value = OPERATIONS[operation](find(name), *args, **unpack(options, find))
            value = pack(value, remember)
            if operation == "call":
                changed = [pack(item, remember) for item in args]
                changed = None if changed == packed else changed
            reply = json.dumps([None, value, changed])
        except Exception as caught:
            if not isinstance(caught, StopIteration):
                traceback.print_exc()
            reply = json.dumps([type(caught).__name__, str(caught), None])
        replies.write(reply + "\n")
        replies.flush()


def start(path):
    """Starts the second process, and returns its id and the files to ask it."""
    try:
        import ctypes

        ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)  # PR_SET_DUMPABLE: closes /proc/PID of both processes
    except (ImportError, AttributeError, OSError):
        pass
    (requests, asking), (answers, answering) = os.pipe(), os.pipe()
    child = os.fork()
    if child:
        os.close(requests)
        os.close(answering)
        return child, (os.fdopen(asking, "w"), os.fdopen(answers))
    try:
        os.close(asking)
        os.close(answers)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(2, 1)
        serve(path, os.fdopen(requests), os.fdopen(answering, "w"))
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        os._exit(1)


def names(code):
    """Returns all names in a code."""
    found = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            found |= names(constant)
    return found


def near(a, b, atol=1e-8, rtol=1e-5):
    """Does for lists of numbers what allclose of numpy does."""
    if isinstance(b, (list, tuple)):
        return isinstance(a, (list, tuple)) and len(a) == len(b) and all(near(x, y, atol, rtol) for x, y in zip(a, b))
    return a == b or abs(a - b) <= atol + rtol * abs(b)


def assert_near(a, b, rtol=1e-7, atol=0):
    """Does what assert_allclose of numpy does."""
    assert near(a, b, atol, rtol), "not close"


def standin():
    """Makes a numpy of what published tests use, if there is none."""
    if importlib.util.find_spec("numpy") is None:
        numpy = sys.modules["numpy"] = types.ModuleType("numpy")
        numpy.allclose = lambda a, b, rtol=1e-5, atol=1e-8: near(a, b, atol, rtol)
        numpy.testing = types.SimpleNamespace(assert_allclose=assert_near)
        numpy.ndarray, numpy.float64, numpy.float32 = type("ndarray", (), {}), float, float
        numpy.inf, numpy.nan = float("inf"), float("nan")


def run(space, name, text):
    """Runs a trusted text."""
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    exec(compile(text, name, "exec"), space)


CONTROL = "import unittest\n\nclass TestCases(unittest.TestCase):\n    def test_control(self):\n        self.assertEqual(1, 2)\n"


def whole(tests, link):
    """Fails unless all tests of the class TestCases have run beside the submission, none has failed, and a
    control that must fail does so."""
    parsed = ast.parse(tests)
    for node in ast.walk(parsed):
        for name in [a.name for a in node.names] if isinstance(node, ast.Import) else [getattr(node, "module", None)]:
            if name and importlib.util.find_spec(name.split(".")[0]) is None:
                raise Unfit("the tests need " + name)
    there = [c for c in parsed.body if isinstance(c, ast.ClassDef) and c.name == "TestCases"]
    count = len({f.name for c in there for f in c.body if hasattr(f, "name") and f.name.startswith("test")})
    ran, failed = ask(Remote("", link), "suite", (tests,), {})
    print(*failed, sep="\n", file=sys.stderr)
    if not failed and ask(Remote("", link), "suite", (CONTROL,), {})[1] == []:
        raise AssertionError("passes even if the tests fail")
    if failed or not there or ran != count:
        raise AssertionError(str(failed[0]).split(":")[0] if failed else "%s of %d tests have run" % (ran, count))


def main():
    getattr(sys, "set_int_max_str_digits", int)(0)  # new in Python 3.11
    child, link = start(os.path.join(os.path.dirname(os.path.abspath(__file__)), "solution.py"))
    output = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    mark, text = sys.stdin.buffer.read().decode().split("\n", 1)
    task = json.loads(text)
    status = UNFIT
    try:
        sys.path.pop(0)  # where the submission is
        standin()
        space = {"__name__": "tests"}
        run(space, "setup", task["setup"])
        known = {"near": near, "inputs": task["inputs"], "atol": task["atol"], "name": task["name"]}
        space = dict(space, reference=space.get(task["name"]), candidate=Remote(task["name"], link), **known)
        defined = {d.name for d in ast.parse(task.get("code", "")).body if hasattr(d, "name")} | {task["name"]}
        for name in names(compile(task["tests"], "tests", "exec")) | {task["name"]}:
            if name and (name in defined or name not in space and not hasattr(builtins, name)):
                space[name] = Remote(name, link)
        status = 1
        if beside:
            whole(task["tests"], link)
        else:
            run(space, "tests", task["tests"])
        output.write(mark + "\n")
        status = 0
    except AssertionError as error:
        frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == "tests"]
        text = "line %d of the tests: %s" % (frames[-1].lineno, frames[-1].line) if frames else "failed: %.200s" % error
        output.write(text + "\n")
        status = 0
    except SystemExit as error:
        print(error, file=sys.stderr)
    except BaseException as error:
        traceback.print_exc()
        if not isinstance(error, Exception):  # such as a signal
            status = 1
        elif isinstance(error, (Unfit, ModuleNotFoundError)) and not hasattr(error, "of_submission"):
            status = UNFIT
    output.flush()
    os.kill(child, signal.SIGKILL)
    os._exit(status)


main()
