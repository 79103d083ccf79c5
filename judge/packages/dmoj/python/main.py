"""Lets checkers and graders that were written in Python for DMOJ's judge follow the ICPC protocol.

    main.py input answer feedback_dir SETTINGS      exit status 42 for right, 43 for wrong

SETTINGS is a JSON object: the name of a checker, or its file below this folder, and its args; perhaps
grader, the file of a custom judge, which then talks to the submission over standard input and output;
and what DMOJ tells about a case. Beside the input there may be the files source and run.json, which
are about the submission.
"""

import json
import os
import sys
import traceback
import types

import checkers
import graders
import values


# DMOJ's names of languages; others differ only in the case of the letters.
LANGUAGES = {"c": "C11", "cpp": "CPP20", "python3": "PY3", "pascal": "PAS", "haskell": "HASK", "javascript": "V8JS", "csharp": "MONOCS"}


def offer():
    """Makes the modules of DMOJ that the package's code may import."""

    def module(name, *names, **more):
        made = sys.modules[name] = types.ModuleType(name)
        for n in names:
            setattr(made, n, getattr(values, n, None) or getattr(graders, n))
        vars(made).update(more)
        outer, _, own = name.rpartition(".")
        if outer:
            setattr(sys.modules[outer], own, made)

    module("dmoj")
    module("dmoj.error", "InternalError")
    module("dmoj.result", "Result", "CheckerResult")
    module("dmoj.problem", TestCase=values.Case)
    module("dmoj.utils")
    module("dmoj.utils.unicode", "utf8bytes", "utf8text")
    module("dmoj.checkers", CheckerOutput=object)
    for name in dir(checkers):
        if name.startswith("check_"):
            module("dmoj.checkers." + name[len("check_"):], check=getattr(checkers, name))
    module("dmoj.graders", "StandardGrader", "InteractiveGrader")
    module("dmoj.graders.standard", "StandardGrader")
    module("dmoj.graders.interactive", "InteractiveGrader", "Interactor", "WrongAnswer", EOF=b"")


def judge(case, settings):
    """Returns whether the submission is right, its points, and an object with feedback."""
    problem = values.Settings(id=settings["problem"], time_limit=0, memory_limit=0)
    if "grader" in settings:
        result = values.load(settings["grader"]).Grader(problem).grade(case)
        return result.result_flag == values.Result.AC, result.points, result
    check = case.check(values.Result(case, proc_output=sys.stdin.buffer.read()), problem)
    return check.passed, check.points, check


def read(*name):
    try:
        with open(os.path.join(*name), "rb") as f:
            return f.read()
    except FileNotFoundError:
        return b""


def main(input_file, answer_file, feedback_dir, settings):
    settings, folder = json.loads(settings), os.path.dirname(input_file)
    values.Submission.source = read(folder, "source")
    for name, value in json.loads(read(folder, "run.json") or "{}").items():
        setattr(values.Submission, name, LANGUAGES.get(value, value.upper()) if name == "language" else value)
    case = values.Case(read(input_file), read(answer_file), settings)
    right, points, about = judge(case, settings)
    message = "\n".join(text for text in (about.feedback, about.extended_feedback) if text)
    if message:
        with open(os.path.join(feedback_dir, "judgemessage.txt"), "w", encoding="utf-8") as f:
            f.write(message)
    if points != (case.points if right else 0):
        with open(os.path.join(feedback_dir, "score.txt"), "w") as f:
            f.write(repr(float(points)))
    return 42 if right else 43


if __name__ == "__main__":
    offer()
    sys.stdout = sys.stderr  # what the package's code prints is no message to the submission
    try:
        status = main(*sys.argv[1:5])
    except Exception as failure:
        # Names the innermost line of the package's code.
        own = [f for f in traceback.extract_tb(failure.__traceback__) if not os.path.isabs(f.filename)]
        where = "%s:%d: " % (os.path.basename(own[-1].filename), own[-1].lineno) if own else ""
        print("%s%s: %s" % (where, type(failure).__name__, failure), file=sys.stderr)
        status = 1
    sys.stderr.flush()
    os._exit(status)  # a thread may still write to a submission that does not read
