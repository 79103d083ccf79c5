"""Verdict: no output. A maze of one cell is skipped, because it has no commands; but it
must be drawn, too. Shown by edge/one-cell."""
import re
import sys
from itertools import chain

UP, DOWN, LEFT, RIGHT = 1j, -1j, -1, 1
WAY = {"U": UP, "D": DOWN, "L": LEFT, "R": RIGHT}

source = re.finditer(r"[UDLR]|F (\d+)|\d+", sys.stdin.read())
number = lambda: int(next(source).group())

for _ in range(number()):
    rows, columns = number(), number()
    y, x = number(), number()
    if rows == columns == 1:
        continue
    # a cell is a complex number, the row its imaginary part
    unvisited = {complex(c, r) for r in range(1, rows + 1) for c in range(1, columns + 1)}
    gone = set()
    todo = [complex(x, y)]
    unvisited.discard(todo[0])
    while todo:
        cell = todo[-1]
        if not any(cell + way in unvisited for way in WAY.values()):
            todo.pop()
            continue
        match = next(source)
        if match.group(1):
            k = int(match.group(1))
            todo = list(chain(todo[:k - 1], reversed(todo[k - 1:])))
        else:
            to = cell + WAY[match.group()]
            gone.add((cell + to) / 2)
            unvisited.remove(to)
            todo.append(to)
    print(" _" * columns)
    for r in range(rows, 0, -1):
        row = ["|"]
        for c in range(1, columns + 1):
            row.append("_ "[complex(c, r - 0.5) in gone] + "| "[complex(c + 0.5, r) in gone])
        print("".join(row))
    print()
