"""Verdict: wrong answer. Assumes that a 0 is outside the loop, and starts from there; a
loop can have 0s inside. Shown by sample/statement."""
import sys

OUT, IN = 0, 1


class NoWay(Exception):
    pass


class Cells:
    """Colours of cells, None if not known, with the frame outside."""

    def __init__(self, clues):
        self.clues = clues
        self.r, self.c = len(clues), len(clues[0])
        self.colour = {}
        for i in range(-1, self.r + 1):
            for j in range(-1, self.c + 1):
                inner = 0 <= i < self.r and 0 <= j < self.c
                self.colour[i, j] = None if inner else OUT
        self.clued = {(i, j) for i in range(self.r) for j in range(self.c)}
        self.log = []

    def near(self, cell):
        i, j = cell
        return (i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)

    def put(self, cell, colour):
        todo = [(cell, colour)]
        while todo:
            cell, colour = todo.pop()
            if self.colour[cell] == colour:
                continue
            if self.colour[cell] is not None:
                raise NoWay
            self.colour[cell] = colour
            self.log.append(cell)
            for other in (cell, *self.near(cell)):
                if other in self.clued:
                    todo += self.forced(other)

    def forced(self, cell):
        own = self.colour[cell]
        if own is None:
            return []
        around = self.near(cell)
        unknown = [n for n in around if self.colour[n] is None]
        rest = self.clues[cell[0]][cell[1]] - sum(self.colour[n] == 1 - own for n in around)
        if rest < 0 or rest > len(unknown):
            raise NoWay
        if rest == 0:
            return [(n, own) for n in unknown]
        if rest == len(unknown):
            return [(n, 1 - own) for n in unknown]
        return []

    def undo(self, size):
        while len(self.log) > size:
            self.colour[self.log.pop()] = None

    def whole(self):
        parts = {OUT: 0, IN: 0}
        left = set(self.colour)
        while left:
            todo = [left.pop()]
            parts[self.colour[todo[0]]] += 1
            while todo:
                cell = todo.pop()
                for n in self.near(cell):
                    if n in left and self.colour[n] == self.colour[cell]:
                        left.remove(n)
                        todo.append(n)
        return parts == {OUT: 1, IN: 1}

    def solve(self):
        free = min((cell for cell, colour in self.colour.items() if colour is None), key=sum, default=None)
        if free is None:
            return self.whole()
        for colour in (IN, OUT):
            mark = len(self.log)
            try:
                self.put(free, colour)
                if self.solve():
                    return True
            except NoWay:
                pass
            self.undo(mark)
        return False


def draw(cells):
    r, c, at = cells.r, cells.c, cells.colour
    rule, blank = "#" * (4 * c + 5), "#" + " " * (4 * c + 3) + "#"
    print(rule, blank, sep="\n")
    for i in range(r + 1):
        line = ["# "]
        for j in range(c + 1):
            up = at[i - 1, j - 1] != at[i - 1, j]
            down = at[i, j - 1] != at[i, j]
            left = at[i - 1, j - 1] != at[i, j - 1]
            right = at[i - 1, j] != at[i, j]
            line.append("|" if up and down else "-" if left and right else " +"[up or down])
            if j < c:
                line.append("---" if right else "   ")
        print(*line, " #", sep="")
        if i < r:
            parts = [f" {cells.clues[i][j]} " for j in range(c)] + [" #"]
            print("# " + "".join(" |"[at[i, j - 1] != at[i, j]] + part for j, part in enumerate(parts)))
    print(blank, rule, sep="\n")


def main():
    sys.setrecursionlimit(5000)
    source = iter(sys.stdin)
    number = 0
    for line in source:
        r, c = map(int, line.split())
        if r == 0:
            return
        cells = Cells([list(map(int, next(source).split())) for _ in range(r)])
        number += 1
        try:
            for i, row in enumerate(cells.clues):
                for j, clue in enumerate(row):
                    if clue == 0:
                        cells.put((i, j), OUT)
            cells.solve()
        except NoWay:
            pass
        print(number)
        draw(cells)


main()
