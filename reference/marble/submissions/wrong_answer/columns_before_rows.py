"""Verdict: wrong answer. The squares of marbles and holes are read as row and column, and
those of walls as column and row. Shown by sample/statement."""
import sys
from collections import namedtuple

Square = namedtuple("Square", "row col")
SHIFT = {"E": Square(0, -1), "N": Square(1, 0), "S": Square(-1, 0), "W": Square(0, 1)}


class Marbles:
    def __init__(self, stream):
        self.size, count, walls = map(int, stream.readline().split())
        self.start = [Square(*map(int, stream.readline().split())) for _ in range(count)]
        self.goal = [Square(*map(int, stream.readline().split())) for _ in range(count)]
        self.walls = set()
        for _ in range(walls):
            x1, y1, x2, y2 = map(int, stream.readline().split())
            self.walls.add((Square(y1, x1), Square(y2, x2)))
            self.walls.add((Square(y2, x2), Square(y1, x1)))

    def ahead(self, square, side):
        to = Square(square.row + SHIFT[side].row, square.col + SHIFT[side].col)
        if min(to) < 0 or max(to) >= self.size or (square, to) in self.walls:
            return None
        return to

    def after(self, marbles, side):
        places = list(marbles)
        open_holes = {hole: k for k, hole in enumerate(self.goal) if places[k] != hole}
        order = sorted(open_holes.values(), key=lambda k: places[k], reverse=side in "NW")
        stopped = set()
        for k in order:
            while (to := self.ahead(places[k], side)) and to not in stopped:
                places[k] = to
                if to in open_holes:
                    if open_holes.pop(to) != k:
                        return None
                    break
            else:
                stopped.add(places[k])
        return tuple(places)

    def solve(self):
        start = tuple(self.start)
        paths = {start: ""}
        for marbles in (queue := [start]):
            if list(marbles) == self.goal:
                return f"{len(paths[marbles])} moves {paths[marbles]}"
            for side in SHIFT:
                after = self.after(marbles, side)
                if after and after not in paths:
                    paths[after] = paths[marbles] + side
                    queue.append(after)
        return "impossible"


case = 1
while (game := Marbles(sys.stdin)).size:
    print(f"Case {case}: {game.solve()}\n")
    case += 1
