"""Verdict: wrong answer. Whether a cell has an edge below is taken from the parity of its
number alone; a cell with too many or too few edges goes unnoticed. Shown by
edge/staircase."""
import sys


class Slink:
    def __init__(self, rows):
        self.rows = rows
        self.h, self.w = len(rows), len(rows[0])

    def colouring(self, first):
        """All cells from those of the first row, and the row below the last one."""
        above, row, result = [0] * self.w, first, []
        for numbers in self.rows:
            result.append(row)
            below = []
            for j, number in enumerate(numbers):
                me = row[j]
                left = row[j - 1] if j else 0
                right = row[j + 1] if j + 1 < self.w else 0
                below.append(me ^ (number + (me ^ above[j]) + (me ^ left) + (me ^ right)) & 1)
            above, row = row, below
        return result, row

    def solve(self):
        # The colouring is linear in the first row: Gauss over the last row.
        base, rest = self.colouring([0] * self.w)
        basis = []
        for j in range(self.w):
            unit = [int(k == j) for k in range(self.w)]
            _, end = self.colouring(unit)
            basis.append((sum((a ^ b) << k for k, (a, b) in enumerate(zip(end, rest))), 1 << j))
        target = sum(bit << k for k, bit in enumerate(rest))
        kernel, pivots = [], {}
        for vector, mask in basis:
            while vector:
                top = vector.bit_length()
                if top not in pivots:
                    pivots[top] = vector, mask
                    break
                vector ^= pivots[top][0]
                mask ^= pivots[top][1]
            else:
                kernel.append(mask)
        first = 0
        while target and target.bit_length() in pivots:
            vector, mask = pivots[target.bit_length()]
            target ^= vector
            first ^= mask
        for choice in range(1 << min(len(kernel), 8)):
            mask = first
            for k, vector in enumerate(kernel):
                if choice >> k & 1:
                    mask ^= vector
            cells, _ = self.colouring([mask >> j & 1 for j in range(self.w)])
            if self.one_loop(cells):
                return cells
        return cells

    def one_loop(self, cells):
        framed = [[0] * (self.w + 2)] + [[0, *row, 0] for row in cells] + [[0] * (self.w + 2)]
        left, parts = {(i, j) for i in range(self.h + 2) for j in range(self.w + 2)}, []
        while left:
            todo = [left.pop()]
            parts.append(framed[todo[0][0]][todo[0][1]])
            while todo:
                i, j = todo.pop()
                for n in {(i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1)} & left:
                    if framed[n[0]][n[1]] == framed[i][j]:
                        left.discard(n)
                        todo.append(n)
        return sorted(parts) == [0, 1]

    def draw(self, cells):
        at = lambda i, j: cells[i][j] if 0 <= i < self.h and 0 <= j < self.w else 0
        edge = "#" * (4 * self.w + 5)
        space = edge.replace("#", " ")[2:]
        yield edge
        yield f"#{space}#"
        for i in range(self.h + 1):
            line = ""
            for j in range(self.w + 1):
                quarter = at(i - 1, j - 1), at(i - 1, j), at(i, j - 1), at(i, j)
                line += {(0, 0, 1, 1): "-", (1, 1, 0, 0): "-", (0, 1, 0, 1): "|", (1, 0, 1, 0): "|"}.get(
                    quarter, " " if len(set(quarter)) == 1 else "+")
                if j < self.w:
                    line += "-" * 3 if at(i - 1, j) != at(i, j) else " " * 3
            yield f"# {line} #"
            if i < self.h:
                line = "".join(
                    (" |"[at(i, j - 1) != at(i, j)]) + (f" {self.rows[i][j]} " if j < self.w else "")
                    for j in range(self.w + 1))
                yield f"# {line} #"
        yield f"#{space}#"
        yield edge


lines = sys.stdin.read().splitlines()
n = 0
while lines[0] != "0 0":
    rows = int(lines[0].split()[0])
    puzzle = Slink([list(map(int, line.split())) for line in lines[1:rows + 1]])
    del lines[:rows + 1]
    n += 1
    print(n, *puzzle.draw(puzzle.solve()), sep="\n")
