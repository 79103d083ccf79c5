"""DMOJ's checkers by name: each is the function check_NAME(process_output, judge_output, …)."""

import collections
import re

from values import CheckerResult, InternalError, utf8bytes


def lines_of(data):
    return [line for line in re.split(b"[\r\n]", utf8bytes(data)) if line]


def check_standard(process_output, judge_output, **kwargs):
    split = lambda data: [words for words in map(bytes.split, lines_of(data)) if words]
    return split(process_output) == split(judge_output)


def check_identical(process_output, judge_output, pe_allowed=True, **kwargs):
    if process_output == judge_output:
        return True
    near = pe_allowed and check_standard(process_output, judge_output)
    return CheckerResult(False, 0, "only the white space is wrong" if near else None)


def check_easy(process_output, judge_output, **kwargs):
    count = lambda data: collections.Counter(b"".join(utf8bytes(data).split()).lower())
    return count(process_output) == count(judge_output)


def check_rstripped(process_output, judge_output, filter_new_line=False, **kwargs):
    split = lines_of if filter_new_line else lambda data: re.split(b"[\r\n]", utf8bytes(data))
    strip = lambda data: [line.rstrip() for line in split(data)]
    return strip(process_output) == strip(judge_output)


def check_sorted(process_output, judge_output, split_on="lines", **kwargs):
    if split_on not in ("lines", "whitespace"):
        raise InternalError("split_on is lines or whitespace")
    split = (lambda data: sorted(map(bytes.split, lines_of(data)))) if split_on == "lines" else lambda data: sorted(utf8bytes(data).split())
    return split(process_output) == split(judge_output)


def check_unordered(process_output, judge_output, **kwargs):
    return check_sorted(process_output, judge_output, split_on="whitespace")


def check_linecount(process_output, judge_output, point_value=0, feedback=True, **kwargs):
    got, want = lines_of(process_output), lines_of(judge_output)
    if len(got) > len(want) or not want:
        return len(got) <= len(want)
    right = [a.strip() == b.strip() for a, b in zip(got, want)] + [False] * (len(want) - len(got))
    marks = "".join("\u2713" if r else "\u2717" for r in right)
    return CheckerResult(all(right), point_value * sum(right) / len(want), extended_feedback="Lines: " + marks if feedback else "")


def check_linematches(process_output, judge_output, point_value=1, point_distribution=(1,), filler_lines_required=True, **kwargs):
    got, want = lines_of(process_output), lines_of(judge_output)
    if len(want) != len(point_distribution) or sum(point_distribution) == 0:
        raise InternalError("point_distribution needs a number for each line of the answer, not all 0")
    if filler_lines_required and len(got) != len(want):
        return False
    points = sum(p for a, b, p in zip(got, want, point_distribution) if a == b)
    return CheckerResult(points > 0, point_value * points / sum(point_distribution))


def check_floats(process_output, judge_output, precision=6, error_mode="default", **kwargs):
    epsilon = 10 ** -int(precision)
    # A NaN is near to nothing, because all comparisons with it are false.
    near = {
        "absolute": lambda got, want: abs(got - want) <= epsilon,
        "relative": lambda got, want: min(want * (1 - epsilon), want * (1 + epsilon)) <= got <= max(want * (1 - epsilon), want * (1 + epsilon)),
        "default": lambda got, want: abs(got - want) <= epsilon or abs(want) >= epsilon and abs(1 - got / want) <= epsilon,
    }.get(error_mode)
    if near is None:
        raise InternalError("error_mode is default, absolute or relative")

    def same(got, want):
        try:
            want_number = float(want)
        except ValueError:
            return got == want
        try:
            return near(float(got), want_number)
        except (ValueError, OverflowError):
            return False

    split = lambda data: [line.split() for line in lines_of(data)]
    got, want = split(process_output), split(judge_output)
    return [len(line) for line in got] == [len(line) for line in want] and all(
        same(a, b) for lines in zip(got, want) for a, b in zip(*lines))


def check_floatsabs(process_output, judge_output, **kwargs):
    return check_floats(process_output, judge_output, **{**kwargs, "error_mode": "absolute"})


def check_floatsrel(process_output, judge_output, **kwargs):
    return check_floats(process_output, judge_output, **{**kwargs, "error_mode": "relative"})
