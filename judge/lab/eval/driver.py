# The main program of a submission to a task that calls a function. It reads the arguments from standard
# input, as JSON, one on a line, and prints what the function returns, as JSON, with a token on each line.
# What the submission prints itself goes to standard error.
import json
import os
import sys
import types


def names():
    """Returns what submissions may use without importing it, as where such tasks come from."""
    space = {}
    modules = "bisect collections copy datetime functools heapq io itertools json math operator random re statistics string sys typing"
    for name in modules.split():
        module = __import__(name)
        public = getattr(module, "__all__", None) or [n for n in vars(module) if not n.startswith("_")]
        space.update((n, getattr(module, n)) for n in public if n not in vars(__builtins__))
    space.update((name, __import__(name)) for name in modules.split())
    return space


def solution(path):
    """Returns the function of the submission."""
    module = types.ModuleType("solution")
    sys.modules["solution"] = module  # where dataclasses look for what a name in a type means
    space = vars(module)
    space.update(names())
    with open(path, encoding="utf-8") as file:
        exec(compile(file.read(), os.path.basename(path), "exec"), space)
    owner = space.get("Solution")
    if isinstance(owner, type) and hasattr(owner, function):
        return getattr(owner(), function)
    if callable(space.get(function)):
        return space[function]
    sys.exit("there is no function " + function)


def main():
    output = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    sys.setrecursionlimit(50000)
    getattr(sys, "set_int_max_str_digits", int)(50000)  # new in Python 3.11
    lines = sys.stdin.buffer.read().decode().split("\n")
    arguments = [json.loads(line) for line in lines if line.strip()]
    if unwrap and arguments and isinstance(arguments[0], dict):
        try:
            arguments[0] = {int(key): value for key, value in arguments[0].items()}
        except ValueError:
            pass
    value = solution(os.path.join(os.path.dirname(os.path.abspath(__file__)), "solution.py"))(*arguments)
    while unwrap and isinstance(value, (list, tuple)) and len(value) == 1:
        value = value[0]
    value = json.loads(json.dumps(value, default=repr))
    output.write(json.dumps(value, sort_keys=True, indent=0, separators=("\n,", "\n:\n")).replace(" ", "\\u0020") + "\n")
    output.close()


main()
