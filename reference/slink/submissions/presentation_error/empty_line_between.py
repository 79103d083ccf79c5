"""Verdict: presentation_error.

Draws every puzzle as it should be, but leaves an empty line between puzzles, as many
problems require but not this one. The sample is enough to show it.
"""

import sys


def is_loop(colour, width, numbers):
    """Tells whether the inside and the outside are connected, and exist."""
    inside = [p for p in numbers if colour[p]]
    if not inside:
        return False
    seen = bytearray(len(colour))
    reached = 0
    for start in (0, inside[0]):
        seen[start] = 1
        stack = [start]
        kind = colour[start]
        while stack:
            p = stack.pop()
            reached += 1
            for q in (p - width, p - 1, p + 1, p + width):
                if 0 <= q < len(colour) and not seen[q] and colour[q] == kind:
                    seen[q] = 1
                    stack.append(q)
    return reached == len(colour)


def solve(rows, cols, grid):
    """Returns the colours of the flat grid and its width."""
    width = cols + 2
    colour = [0] * (width * (rows + 2))
    numbers = {(i + 1) * width + j + 1: grid[i][j] for i in range(rows) for j in range(cols)}
    chains = []
    for d in range(rows + cols):
        top = 0 if d < cols else d - cols
        chain = []
        for i in range(top, min(d, rows)):
            p = (i + 1) * width + d - i
            chain.append((p, numbers[p], i + 1 == rows))
        chains.append(chain)

    guesses = [(0, 1), (0, 0)]
    while guesses:
        d, first = guesses.pop()
        while True:
            if d < cols:
                colour[width + d + 1] = first
            for p, number, last in chains[d]:
                here = colour[p]
                around = colour[p - width] + colour[p - 1] + colour[p + 1]
                missing = number - (3 - around if here else around)
                if missing == 0:
                    below = here
                elif missing == 1:
                    below = 1 - here
                else:
                    break
                if last and below:
                    break
                colour[p + width] = below
            else:
                d += 1
                if d == rows + cols:
                    if is_loop(colour, width, numbers):
                        return colour, width
                    break
                first = 0
                if d < cols:
                    guesses.append((d, 1))
                continue
            break
    raise ValueError("no solution")


def draw(rows, cols, grid, colour, width, out):
    border = "#" * (4 * cols + 5)
    margin = "#" + " " * (4 * cols + 3) + "#"
    out += [border, margin]
    for i in range(rows + 1):
        line = ["# "]
        under = ["# "]
        for j in range(cols + 1):
            p = (i + 1) * width + j + 1
            north_west, north_east = colour[p - width - 1], colour[p - width]
            south_west, south_east = colour[p - 1], colour[p]
            up, down = north_west != north_east, south_west != south_east
            left, right = north_west != south_west, north_east != south_east
            if up and down:
                line.append("|")
            elif left and right:
                line.append("-")
            elif up or down:
                line.append("+")
            else:
                line.append(" ")
            if j < cols:
                line.append("---" if right else "   ")
            under.append("|" if down else " ")
            if i < rows and j < cols:
                under.append(" %d " % grid[i][j])
        out.append("".join(line) + " #")
        if i < rows:
            out.append("".join(under) + " #")
    out += [margin, border]


def main():
    tokens = iter(map(int, sys.stdin.read().split()))
    out = []
    number = 0
    while True:
        rows, cols = next(tokens), next(tokens)
        if rows == 0:
            break
        number += 1
        if number > 1:
            out.append("")
        grid = [[next(tokens) for _ in range(cols)] for _ in range(rows)]
        colour, width = solve(rows, cols, grid)
        out.append(str(number))
        draw(rows, cols, grid, colour, width, out)
    sys.stdout.write("".join(line + "\n" for line in out))


main()
