"""Verdict: memory limit exceeded. The program keeps a copy of the list for every command,
as if to look at the history later; 50,000 lists of 1,500 cells are more than half a
gigabyte. Shown by large/first-largest."""
import sys

MOVES = {"U": (1, 0), "D": (-1, 0), "L": (0, -1), "R": (0, 1)}


class History:
    def __init__(self, start):
        self.versions = [[start]]

    @property
    def current(self):
        return self.versions[-1]

    def remember(self, cells):
        self.versions.append(cells)


def run(lines, rows, columns, start):
    seen, links = {start}, set()
    history = History(start)

    def free(cell):
        return 1 <= cell[0] <= rows and 1 <= cell[1] <= columns and cell not in seen

    while history.current:
        row, column = last = history.current[-1]
        if not any(free((row + a, column + b)) for a, b in MOVES.values()):
            history.current.pop()
            continue
        command = next(lines).split()
        cells = history.current.copy()
        if command[0] == "F":
            n = int(command[1])
            cells[n - 1:] = cells[:n - 2:-1] if n > 1 else cells[::-1]
        else:
            a, b = MOVES[command[0]]
            step = (row + a, column + b)
            seen.add(step)
            links |= {(last, step), (step, last)}
            cells.append(step)
        history.remember(cells)
    return links


lines = iter(sys.stdin.read().splitlines())
for _ in range(int(next(lines))):
    rows, columns = map(int, next(lines).split())
    links = run(lines, rows, columns, tuple(map(int, next(lines).split())))
    print(" _" * columns)
    for row in range(rows, 0, -1):
        text = "|"
        for column in range(1, columns + 1):
            here = row, column
            text += " " if (here, (row - 1, column)) in links else "_"
            text += " " if (here, (row, column + 1)) in links else "|"
        print(text)
    print()
