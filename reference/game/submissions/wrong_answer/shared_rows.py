"""Verdict: wrong answer. A new board is made by board[:], which copies the list of rows
but not the rows: all boards of the search share their rows. Shown by
edge/centre-to-white."""
import collections
import sys


class Board:
    def __init__(self, rows):
        self.rows = rows

    def key(self):
        return "/".join("".join(row) for row in self.rows)

    def done(self):
        return len({chip for row in self.rows for chip in row}) == 1

    def pressed(self, pattern, y, x):
        rows = self.rows[:]
        for dy in (-1, 0, 1):
            for dx in (-1, 0, 1):
                if pattern[dy + 1][dx + 1] == "1" and 0 <= y + dy < 4 and 0 <= x + dx < 4:
                    old = rows[y + dy][x + dx]
                    rows[y + dy][x + dx] = "B" if old == "W" else "W"
        return Board(rows)


lines = [line.strip() for line in sys.stdin]
start, pattern = Board([list(line) for line in lines[:4]]), lines[4:7]
seen = {start.key()}
todo = collections.deque([(start, 0)])
answer = None
while todo and answer is None:
    board, moves = todo.popleft()
    if board.done():
        answer = moves
        break
    for y in range(4):
        for x in range(4):
            after = board.pressed(pattern, y, x)
            if after.key() not in seen:
                seen.add(after.key())
                todo.append((after, moves + 1))
print("Impossible" if answer is None else answer)
