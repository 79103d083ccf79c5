"""The classes that custom judges of DMOJ derive, and the submission that they talk to."""

import io
import threading

from values import CheckerResult, InternalError, Result, Submission, WrongAnswer, utf8text


class Process:
    """The submission, to which standard input and output of this program are connected."""

    returncode = signal = 0
    is_ir = is_rte = is_tle = is_mle = is_ole = False

    def __init__(self):
        self.stdin, self.stdout, self.stderr = open(1, "wb"), open(0, "rb"), io.BytesIO()

    def communicate(self, input=None, outlimit=None, errlimit=None):
        def send():
            try:
                self.stdin.write(input or b"")
                self.stdin.close()
            except OSError:
                pass  # the submission has ended without reading everything

        sender = threading.Thread(target=send, daemon=True)
        sender.start()
        return self.stdout.read(), b""

    def wait(self, timeout=None):
        if not self.stdout.closed:
            self.stdout.read()
        return self.returncode

    def kill(self):
        pass


class Binary:
    launched = False

    def launch(self, *args, **kwargs):
        if args or self.launched:
            raise InternalError("a submission can be started only once per case, without arguments")
        self.launched = True
        return Process()

    def populate_result(self, error, result, process):
        pass  # the judge itself sees how the submission ends


class StandardGrader:
    def __init__(self, problem):
        self.problem, self.language, self.source, self.binary = problem, Submission.language, Submission.source, Binary()

    def grade(self, case):
        result = Result(case)
        self._current_proc = self.binary.launch()
        self._interact_with_process(case, result)
        check = case.result(self.check_result(case, result))
        result.result_flag |= Result.AC if check.passed else Result.WA
        result.points, result.feedback, result.extended_feedback = check.points, check.feedback, check.extended_feedback
        return result

    def _interact_with_process(self, case, result):
        result.proc_output, error = self._current_proc.communicate(case.input_data())
        return error

    def check_result(self, case, result):
        return case.check(result, self.problem)


class InteractiveGrader(StandardGrader):
    check, feedback = False, None

    def interact(self, case, interactor):
        raise NotImplementedError

    def _interact_with_process(self, case, result):
        interactor = Interactor(self._current_proc)
        try:
            self.check = self.interact(case, interactor)
            interactor.close()
        except WrongAnswer as wrong:
            self.feedback = str(wrong)
        except OSError:
            pass  # the submission has closed its input or output
        return b""

    def check_result(self, case, result):
        check = case.result(self.check)
        check.feedback = check.feedback or self.feedback
        return check


class Interactor:
    def __init__(self, process):
        self.process, self._rest = process, None

    def _some(self, data):
        if not data:
            raise OSError("the submission has closed its output")
        return data

    def read(self):
        return self._some(self.process.stdout.read())

    def readln(self, strip_newline=True):
        line = self._some(self.process.stdout.readline())
        return line.rstrip() if strip_newline else line

    def readtoken(self, delim=None):
        if not self._rest:
            self._rest = self.readln()
        parts = self._rest.split(delim, 1)
        token, self._rest = parts if len(parts) == 2 else (self._rest, None)
        return token

    def _number(self, kind, what, lo, hi, delim):
        token = self.readtoken(delim)
        shown = utf8text(token, "replace")
        shown = shown if len(shown) <= 40 else shown[:40] + "\u2026"
        if len(token) > 10000:
            raise WrongAnswer("a number of more than 10000 characters")
        try:
            number = kind(token)
        except ValueError:
            raise WrongAnswer("%r is no %s" % (shown, what))
        if not lo <= number <= hi:
            raise WrongAnswer("%s is not between %s and %s" % (shown, lo, hi))
        return number

    def readint(self, lo=float("-inf"), hi=float("inf"), delim=None):
        return self._number(int, "integer", lo, hi, delim)

    def readfloat(self, lo=float("-inf"), hi=float("inf"), delim=None):
        return self._number(float, "number", lo, hi, delim)

    def write(self, val):
        self.process.stdin.write(str(val).encode())
        self.process.stdin.flush()

    def writeln(self, val):
        self.write("%s\n" % (val,))

    def close(self):
        self.process.stdin.close()
