"""Verdict: wrong answer. Row 1 is printed first, though it is the lowest. Shown by
sample/statement."""


class Cell:
    def __init__(self, row, col):
        self.row, self.col = row, col
        self.visited = False
        self.right = self.below = True


class Grid:
    def __init__(self, m, n):
        self.cells = {(r, c): Cell(r, c) for r in range(1, m + 1) for c in range(1, n + 1)}
        self.m, self.n = m, n

    def around(self, cell):
        for dr, dc in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            neighbour = self.cells.get((cell.row + dr, cell.col + dc))
            if neighbour and not neighbour.visited:
                yield neighbour

    def move(self, cell, letter):
        dr, dc = {"U": (1, 0), "D": (-1, 0), "R": (0, 1), "L": (0, -1)}[letter]
        target = self.cells[cell.row + dr, cell.col + dc]
        if letter == "U":
            target.below = False
        elif letter == "D":
            cell.below = False
        elif letter == "R":
            cell.right = False
        else:
            target.right = False
        target.visited = True
        return target

    def __str__(self):
        lines = [" _" * self.n]
        for r in range(1, self.m + 1):
            line = "|"
            for c in range(1, self.n + 1):
                cell = self.cells[r, c]
                line += "_" if cell.below else " "
                line += "|" if cell.right else " "
            lines.append(line)
        return "\n".join(lines) + "\n"


for _ in range(int(input())):
    grid = Grid(*map(int, input().split()))
    start = grid.cells[tuple(map(int, input().split()))]
    start.visited = True
    cells = [start]
    while cells:
        if not any(grid.around(cells[-1])):
            cells.pop()
            continue
        command = input().split()
        if command[0] == "F":
            at = int(command[1]) - 1
            cells = cells[:at] + cells[at:][::-1]
        else:
            cells.append(grid.move(cells[-1], command[0]))
    print(grid)
