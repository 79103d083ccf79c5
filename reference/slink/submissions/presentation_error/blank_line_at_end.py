"""Verdict: presentation error. All drawings are collected in a text that ends in an end of
line, and print adds another. Shown by sample/statement."""
from itertools import count, product
from sys import stdin


def extend(grid, clues, level):
    """Yield colourings that agree with all clues, as lists of rows with a frame."""
    height, width = len(clues), len(clues[0])
    if level == height + width:
        yield grid
        return
    for colour in "01" if level < width else "0":
        copy = grid.copy()
        if level < width:
            copy[1, level + 1] = int(colour)
        for i in range(1, height + 1):
            j = level - i + 1
            if not 1 <= j <= width:
                continue
            own = copy[i, j]
            missing = clues[i - 1][j - 1] - sum(
                copy.get(p, 0) != own for p in ((i - 1, j), (i, j - 1), (i, j + 1)))
            below = own ^ missing
            if missing not in (0, 1) or (i == height and below):
                break
            if i < height:
                copy[i + 1, j] = below
        else:
            yield from extend(copy, clues, level + 1)


def is_loop(grid, height, width):
    area = {p: grid.get(p, 0) for p in product(range(height + 2), range(width + 2))}
    areas = []
    while area:
        p, colour = area.popitem()
        areas.append(colour)
        todo = {p}
        while todo:
            i, j = todo.pop()
            for q in ((i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1)):
                if area.get(q) == colour:
                    del area[q]
                    todo.add(q)
    return sorted(areas) == [0, 1]


def drawing(grid, clues):
    height, width = len(clues), len(clues[0])
    text = "#" * (4 * width + 5) + "\n#" + " " * (4 * width + 3) + "#\n"
    for i in range(height + 1):
        first = second = ""
        for j in range(width + 1):
            nw, ne, sw, se = (grid.get(p, 0) for p in ((i, j), (i, j + 1), (i + 1, j), (i + 1, j + 1)))
            first += " " if nw == ne == sw == se else "-" if nw == ne and sw == se else "|" if nw == sw and ne == se else "+"
            first += "   " if ne == se else "---"
            second += "| "[sw == se]
            if j < width and i < height:
                second += f" {clues[i][j]} "
        text += "# " + first[:-3] + " #\n"
        if i < height:
            text += "# " + second + " #\n"
    return text + "#" + " " * (4 * width + 3) + "#\n" + "#" * (4 * width + 5) + "\n"


result = ""
for number in count(1):
    height, width = map(int, stdin.readline().split())
    if height == 0:
        break
    clues = [[int(n) for n in stdin.readline().split()] for _ in range(height)]
    grid = next(g for g in extend({}, clues, 0) if is_loop(g, height, width))
    result += f"{number}\n{drawing(grid, clues)}"
print(result)
