"""The values that checkers and graders get and return, with the names that DMOJ gives them."""

import functools
import os
import types


def utf8bytes(text):
    return text.encode() if isinstance(text, str) else text


def utf8text(data, errors="strict"):
    return data.decode("utf-8", errors) if isinstance(data, bytes) else data


class InternalError(Exception):
    pass


class WrongAnswer(BaseException):
    pass


class Submission:
    """What is known about the submission; main.py fills it."""

    source, language, cpu_s, memory_bytes = b"", "", 0, 0


class Result:
    AC, WA, RTE, TLE, MLE, IR, SC, OLE, IE = 0, 1, 2, 4, 8, 16, 32, 64, 1 << 30

    def __init__(self, case, result_flag=0, proc_output=b"", feedback="", extended_feedback="", points=0):
        self.case, self.result_flag, self.proc_output = case, result_flag, proc_output
        self.feedback, self.extended_feedback, self.points = feedback, extended_feedback, points
        self.execution_time, self.max_memory = Submission.cpu_s, Submission.memory_bytes / 1024


class CheckerResult:
    def __init__(self, passed, points, feedback=None, extended_feedback=None):
        if not isinstance(passed, bool):
            raise TypeError("True, False or a CheckerResult is wanted, not %r" % (passed,))
        self.passed, self.points = passed, float(points)
        self.feedback, self.extended_feedback = feedback, extended_feedback


class Settings:
    """A mapping whose values are also attributes; those that it lacks are None."""

    def __init__(self, **values):
        self._values = values

    def __getitem__(self, key):
        return self._values.get(key)

    __getattr__ = __getitem__

    def __contains__(self, key):
        return key in self._values

    def get(self, key, default=None):
        return self._values.get(key, default)


class Case:
    def __init__(self, input_data, output_data, settings):
        self._input, self._output, self._settings = input_data, output_data, settings
        self.points, self.position, self.batch = settings["points"], settings["position"], settings["batch"]
        self.has_binary_data = settings["binary"]
        self.config = Settings(points=self.points, wall_time_factor=3)

    def input_data(self):
        return self._input

    def output_data(self):
        return self._output

    def checker(self):
        own, name = self._settings.get("file"), self._settings.get("name", "standard")
        check = load(own).check if own else getattr(__import__("checkers"), "check_" + name)
        return functools.partial(check, **self._settings.get("args", {}))

    def result(self, check):
        """Returns what a checker returned as a CheckerResult."""
        return check if isinstance(check, CheckerResult) else CheckerResult(check, self.points if check else 0)

    def check(self, result, problem):
        """Asks the checker."""
        try:
            return self.result(self.checker()(
                result.proc_output, self._output, submission_source=Submission.source, judge_input=self._input,
                point_value=self.points, case_position=self.position, batch=self.batch,
                submission_language=Submission.language, binary_data=self.has_binary_data,
                execution_time=result.execution_time, problem_id=problem.id, case=self, result=result))
        except UnicodeDecodeError:
            return CheckerResult(False, 0, "not UTF-8")


def load(name):
    """Runs a file of the package, and returns its module."""
    file = os.path.join(os.path.dirname(os.path.abspath(__file__)), name)
    module = types.ModuleType(os.path.splitext(os.path.basename(name))[0])
    module.__file__ = file
    with open(file, "rb") as f:
        exec(compile(f.read(), name, "exec"), vars(module))
    return module
