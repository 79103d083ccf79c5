"""Verdict: run-time error. Decides one cell after the other by recursion, three calls
for each of them. The largest grids have 400 cells, and Python allows a thousand calls.
Shown by large/hundred-full."""
import sys


class Puzzle:
    def __init__(self, clues):
        self.clues = clues
        self.r, self.c = len(clues), len(clues[0])
        self.cells = [[0] * (self.c + 2) for _ in range(self.r + 2)]
        # cells in the order of their diagonals
        self.order = sorted(
            ((i, j) for i in range(1, self.r + 2) for j in range(1, self.c + 1)), key=lambda p: (p[0] + p[1], p[0]))

    def decide(self, k):
        if k == len(self.order):
            return self.fine()
        i, j = self.order[k]
        if i == 1:
            return self.choose(k, i, j, (0, 1))
        g, own = self.cells, self.cells[i - 1][j]
        rest = self.clues[i - 2][j - 1]
        rest -= (own != g[i - 2][j]) + (own != g[i - 1][j - 1]) + (own != g[i - 1][j + 1])
        if rest not in (0, 1) or (i > self.r and own ^ rest):
            return False
        return self.choose(k, i, j, (own ^ rest,))

    def choose(self, k, i, j, colours):
        for colour in colours:
            if self.attempt(k, i, j, colour):
                return True
        return False

    def attempt(self, k, i, j, colour):
        self.cells[i][j] = colour
        return self.decide(k + 1)

    def fine(self):
        parts = []
        seen = set()
        for i in range(self.r + 2):
            for j in range(self.c + 2):
                if (i, j) in seen:
                    continue
                parts.append(self.cells[i][j])
                stack = [(i, j)]
                seen.add((i, j))
                while stack:
                    y, x = stack.pop()
                    for v, u in ((y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)):
                        if 0 <= v < self.r + 2 and 0 <= u < self.c + 2 and (v, u) not in seen:
                            if self.cells[v][u] == self.cells[y][x]:
                                seen.add((v, u))
                                stack.append((v, u))
        return parts in ([0, 1], [1, 0])

    def lines(self):
        g = self.cells
        full = "#" * (4 * self.c + 5)
        yield full
        yield "#".ljust(4 * self.c + 4) + "#"
        for i in range(self.r + 1):
            text = "# "
            for j in range(self.c + 1):
                lines = [g[i][j] != g[i][j + 1], g[i][j + 1] != g[i + 1][j + 1],
                         g[i + 1][j + 1] != g[i + 1][j], g[i + 1][j] != g[i][j]]
                mark = " " if not any(lines) else "|" if lines[0] and lines[2] else "-" if lines[1] and lines[3] else "+"
                text += mark + ("---" if lines[1] else "   ")
            yield text[:4 * self.c + 3] + " #"
            if i < self.r:
                text = "# "
                for j in range(self.c + 1):
                    text += "|" if g[i + 1][j] != g[i + 1][j + 1] else " "
                    text += " %d " % self.clues[i][j] if j < self.c else " #"
                yield text
        yield "#".ljust(4 * self.c + 4) + "#"
        yield full


def main():
    n = 1
    while (size := input().split())[0] != "0":
        puzzle = Puzzle([[int(s) for s in input().split()] for _ in range(int(size[0]))])
        puzzle.decide(0)
        print(n)
        for line in puzzle.lines():
            print(line)
        n += 1


main()
