"""Verdict: wrong answer. Makes sure that the cells inside are in one piece, and that no two of its
borders touch. But a loop round an island of cells outside has a second border. Shown by
edge/loop-within-loop."""
import sys


def solve(rows, cols, number):
    inside = [[False] * (cols + 2) for _ in range(rows + 2)]

    def cells():
        return ((i, j) for i in range(1, rows + 1) for j in range(1, cols + 1))

    def one_piece():
        rest = {cell for cell in cells() if inside[cell[0]][cell[1]]}
        reached = [rest.pop()] if rest else []
        while reached:
            i, j = reached.pop()
            for near in ((i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)):
                if near in rest:
                    rest.remove(near)
                    reached.append(near)
        return not rest

    def touches():
        for i in range(rows + 1):
            for j in range(cols + 1):
                (a, b), (c, d) = inside[i][j : j + 2], inside[i + 1][j : j + 2]
                if a == d and b == c and a != b:
                    return True
        return False

    def follow(i, j):
        """Colours the cells below those of a diagonal, and tells whether that is possible."""
        while i <= rows and j >= 1:
            here = inside[i][j]
            missing = number[i - 1][j - 1] - sum(
                side != here for side in (inside[i - 1][j], inside[i][j - 1], inside[i][j + 1])
            )
            if missing not in (0, 1) or i == rows and here != (missing == 1):
                return False
            inside[i + 1][j] = here != (missing == 1)
            i, j = i + 1, j - 1
        return True

    def search(diagonal):
        if diagonal > rows + cols:
            return one_piece() and not touches()
        if diagonal > cols:
            return follow(diagonal - cols, cols) and search(diagonal + 1)
        for colour in (False, True):
            inside[1][diagonal] = colour
            if follow(1, diagonal - 1) and search(diagonal + 1):
                return True
        inside[1][diagonal] = False
        return False

    search(1)
    return inside


def draw(rows, cols, number, inside):
    print("#" * (4 * cols + 5))
    print("#" + " " * (4 * cols + 3) + "#")
    for i in range(rows + 1):
        line, below = "", ""
        for j in range(cols + 1):
            (a, b), (c, d) = inside[i][j : j + 2], inside[i + 1][j : j + 2]
            up, down, left, right = a != b, c != d, a != c, b != d
            line += "|" if up and down else "-" if left and right else "+" if up or down else " "
            line += "---" if right else "   "
            below += "|" if down else " "
            below += f" {number[i][j]} " if i < rows and j < cols else "   "
        print("# " + line[:-3] + " #")
        if i < rows:
            print("# " + below[:-3] + " #")
    print("#" + " " * (4 * cols + 3) + "#")
    print("#" * (4 * cols + 5))


words = map(int, sys.stdin.read().split())
puzzle = 0
while True:
    rows, cols = next(words), next(words)
    if not rows:
        break
    puzzle += 1
    number = [[next(words) for _ in range(cols)] for _ in range(rows)]
    print(puzzle)
    draw(rows, cols, number, solve(rows, cols, number))
