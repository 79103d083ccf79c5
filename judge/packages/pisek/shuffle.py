"""Judges an output whose lines or words may be in another order than those of the answer.

    shuffle.py input answer feedback/ MODE IGNORE_CASE < output

MODE says what may be in another order: lines, words (those of a line), lines_words (both) or tokens
(all words, wherever lines break). IGNORE_CASE is yes or no. Lines without words do not count. The exit
status is 42 if the output is right and 43 if it is wrong; then judgemessage.txt says why.
"""

import re
import sys
from collections import Counter
from itertools import zip_longest

WORD = re.compile(rb"[^ \t\r\n]+")


def items(stream, mode, fold, most=float("inf")):
    """Yields what may be in another order, or a line for the mode words, each with its line's number.

    In place of one of more than most bytes, it yields None: an output may have very long lines.
    """
    for number, line in enumerate(stream, 1):
        words = (word.group().upper() if fold else word.group() for word in WORD.finditer(line))
        if mode == "tokens":
            for word in words:
                yield number, word
            continue
        found, size = [], -1
        for word in words:
            found.append(word)
            size += 1 + len(word)
            if size > most:
                yield number, None
                break
        else:
            if mode != "lines":
                found.sort()
            if found:
                yield number, b" ".join(found)


def differ(answer, output, mode, fold):
    """Returns why the items of the output are not those of the answer; None if they are."""
    want = list(items(answer, mode, fold))
    got = items(output, mode, fold, max((len(item) for _, item in want), default=0))
    if mode == "words":
        for expected, written in zip_longest(want, got):
            if written is None:
                return "ends before line %d of the answer" % expected[0]
            if expected is None or expected[1] != written[1]:
                return "line %d is not the expected one" % written[0]
        return None
    left = Counter(item for _, item in want)
    for number, item in got:
        if item is None:
            return "line %d is longer than any expected one" % number
        if left[item] == 0:
            return "line %d: not expected, or too often: %s" % (number, shown(item))
        left[item] -= 1
    missing = +left
    return "missing: " + shown(next(iter(missing))) if missing else None


def shown(item):
    return item[:60].decode(errors="replace")


def main():
    _, _, answer, feedback, mode, fold = sys.argv
    with open(answer, "rb") as file:
        message = differ(file, sys.stdin.buffer, mode, fold == "yes")
    if message is None:
        sys.exit(42)
    with open(feedback + "judgemessage.txt", "w", encoding="utf-8") as file:
        file.write(message + "\n")
    sys.exit(43)


if __name__ == "__main__":
    main()
