# Verdict: accepted.
# A flip is list.reverse, on a slice where only part of the list is meant: the
# cells move at the speed of C, not of Python.
import sys


def carve(words, rows, columns, start):
    width = columns + 1  # one closed column serves as border left and right
    free = bytearray(width * (rows + 2))
    for row in range(1, rows + 1):
        free[row * width + 1:(row + 1) * width] = b"\1" * columns
    free.append(0)
    steps = {"U": width, "D": -width, "L": -1, "R": 1}
    floors, sides = set(), set()  # cells whose floor, or right wall, is gone

    free[start] = 0
    pending = [start]
    while pending:
        here = pending[-1]
        if not (free[here + 1] or free[here - 1] or free[here + width] or free[here - width]):
            pending.pop()
            continue
        command = next(words)
        if command == "F":
            kept = int(next(words)) - 1
            if kept == 0:
                pending.reverse()
            else:
                tail = pending[kept:]
                tail.reverse()
                pending[kept:] = tail
            continue
        there = here + steps[command]
        if command in "UD":
            floors.add(max(here, there))
        else:
            sides.add(min(here, there))
        free[there] = 0
        pending.append(there)

    # The upper one of two cells owns the wall between them.
    lines = [" _" * columns]
    for row in range(rows, 0, -1):
        cells = range(row * width + 1, (row + 1) * width)
        lines.append("|" + "".join((" " if c in floors else "_") + (" " if c in sides else "|") for c in cells))
    lines.append("")
    return lines


def main():
    words = iter(sys.stdin.read().split())
    lines = []
    for _ in range(int(next(words))):
        rows, columns, row, column = (int(next(words)) for _ in range(4))
        lines += carve(words, rows, columns, row * (columns + 1) + column)
    sys.stdout.write("".join(line + "\n" for line in lines))


main()
