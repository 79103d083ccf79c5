"""Verdict: wrong answer. The key of a position is one number, with its squares as digits
to the base N*N, but it is a float: beyond 2^53 several positions have the same key.
Shown by edge/wide-keys."""
import sys
from math import hypot

sys.setrecursionlimit(10000)


class Game:
    DIRECTIONS = {"E": (0, -1), "N": (1, 0), "S": (-1, 0), "W": (0, 1)}

    def __init__(self, n, marbles, holes, walls):
        self.n, self.start, self.holes = n, marbles, holes
        self.where = {hole: k for k, hole in enumerate(holes)}
        self.go = {}
        for side, (dr, dc) in self.DIRECTIONS.items():
            for square in range(n * n):
                r, c = square // n + dr, square % n + dc
                to = r * n + c
                if 0 <= r < n and 0 <= c < n and hypot(dr, dc) == 1 and frozenset((square, to)) not in walls:
                    self.go[side, square] = to

    def key(self, position):
        value = 0.0
        for square in position:
            value = value * (self.n * self.n) + square
        return value

    def lift(self, position, side):
        occupied = {s: k for k, s in enumerate(position) if s != self.holes[k]}
        after = list(position)
        forward = side in "NW"
        for square in sorted(occupied, reverse=forward):
            k = occupied.pop(square)
            while True:
                to = self.go.get((side, square))
                if to is None or to in occupied:
                    occupied[square] = k
                    break
                square = to
                owner = self.where.get(square)
                if owner is not None and after[owner] != square:
                    if owner != k:
                        return None
                    break
            after[k] = square
        return after

    def solve(self):
        known = {self.key(self.start)}
        level = [(self.start, "")]
        while level:
            following = []
            for position, moves in level:
                if position == self.holes:
                    return moves
                for side in self.DIRECTIONS:
                    after = self.lift(position, side)
                    if after is None:
                        continue
                    key = self.key(after)
                    if key not in known:
                        known.add(key)
                        following.append((after, moves + side))
            level = following
        return None


def main():
    case = 0
    lines = iter(sys.stdin)
    for line in lines:
        n, m, w = map(int, line.split())
        if n == 0:
            break
        case += 1

        def read(count):
            result = []
            for _ in range(count):
                numbers = list(map(int, next(lines).split()))
                result.append([numbers[i] * n + numbers[i + 1] for i in range(0, len(numbers), 2)])
            return result

        marbles = [s for s, in read(m)]
        holes = [s for s, in read(m)]
        walls = {frozenset(pair) for pair in read(w)}
        moves = Game(n, marbles, holes, walls).solve()
        print(f"Case {case}:", "impossible" if moves is None else f"{len(moves)} moves {moves}")
        print()


main()
