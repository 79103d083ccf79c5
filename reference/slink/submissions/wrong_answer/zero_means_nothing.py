"""Verdict: wrong answer. A 0 is left out of the drawing, as if it were no number. Shown
by sample/statement."""
import sys


def regions(grid):
    todo = {(r, c) for r in range(len(grid)) for c in range(len(grid[0]))}
    found = [0, 0]
    while todo:
        heap = [todo.pop()]
        colour = grid[heap[0][0]][heap[0][1]]
        found[colour] += 1
        while heap:
            r, c = heap.pop()
            for n in ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)):
                if n in todo and grid[n[0]][n[1]] == colour:
                    todo.remove(n)
                    heap.append(n)
    return found


def paint(clues, grid, d):
    rows, cols = len(clues), len(clues[0])
    if d == rows + cols:
        return regions(grid) == [1, 1]
    for top in (0, 1) if d < cols else (0,):
        grid[1][min(d + 1, cols + 1)] = top
        for i in range(max(2, d - cols + 2), min(d, rows) + 2):
            j = d + 2 - i
            me = grid[i - 1][j]
            need = clues[i - 2][j - 1] - sum(
                me != other for other in (grid[i - 2][j], grid[i - 1][j - 1], grid[i - 1][j + 1]))
            if need not in (0, 1) or i > rows and me ^ need:
                break
            grid[i][j] = me ^ need
        else:
            if paint(clues, grid, d + 1):
                return True
    return False


def picture(clues, grid):
    rows, cols = len(clues), len(clues[0])
    yield "#" * (4 * cols + 5)
    yield "#" + " " * (4 * cols + 3) + "#"
    for i in range(rows + 1):
        flat, tall = "# ", "# "
        for j in range(cols + 1):
            a, b, c, d = grid[i][j], grid[i][j + 1], grid[i + 1][j], grid[i + 1][j + 1]
            if a == b and c == d:
                flat += "-" if a != c else " "
            elif a == c and b == d:
                flat += "|"
            else:
                flat += "+"
            tall += "|" if c != d else " "
            if j < cols:
                flat += "---" if b != d else "   "
                tall += f" {clues[i][j] or ' '} " if i < rows else ""
        yield flat + " #"
        if i < rows:
            yield tall + " #"
    yield "#" + " " * (4 * cols + 3) + "#"
    yield "#" * (4 * cols + 5)


numbers = map(int, sys.stdin.read().split())
count = 0
for rows in numbers:
    cols = next(numbers)
    if not rows:
        break
    clues = [[next(numbers) for _ in range(cols)] for _ in range(rows)]
    grid = [[0] * (cols + 2) for _ in range(rows + 2)]
    paint(clues, grid, 0)
    count += 1
    print(count)
    print("\n".join(picture(clues, grid)))
