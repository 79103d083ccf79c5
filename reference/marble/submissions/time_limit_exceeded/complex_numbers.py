# Verdict: time limit exceeded. A correct breadth-first search, but with complex numbers
# for squares: some ten thousand positions a second, where the large boards have millions.
import sys

WAYS = {"E": -1, "N": 1j, "S": -1j, "W": 1}


class Board:
    def __init__(self, size, marbles, walls, number):
        self.floor = {column + 1j * row for row in range(size) for column in range(size)}
        self.start = tuple(square(number) for _ in range(marbles))
        self.holes = tuple(square(number) for _ in range(marbles))
        self.walls = set()
        for _ in range(walls):
            one, other = square(number), square(number)
            self.walls.update([(one, other), (other, one)])

    def lift(self, position, way):
        """Returns where the marbles come to rest, or None if one drops into another's hole."""
        marbles = list(position)
        first = lambda i: marbles[i].real * way.real + marbles[i].imag * way.imag
        resting = set()
        for i in sorted(range(len(marbles)), key=first, reverse=True):
            if marbles[i] == self.holes[i]:
                continue
            while True:
                ahead = marbles[i] + way
                if ahead not in self.floor or (marbles[i], ahead) in self.walls or ahead in resting:
                    resting.add(marbles[i])
                    break
                marbles[i] = ahead
                if ahead == self.holes[i]:
                    break
                if any(hole == ahead != marble for hole, marble in zip(self.holes, marbles)):
                    return None
        return tuple(marbles)

    def solve(self):
        known = {self.start}
        layer = {self.start: ""}
        while layer:
            if self.holes in layer:
                return layer[self.holes]
            following = {}
            for position, moves in layer.items():
                for side, way in WAYS.items():
                    after = self.lift(position, complex(way))
                    if after and after not in known:
                        known.add(after)
                        following[after] = moves + side
            layer = following
        return None


def square(number):
    row = next(number)
    return next(number) + 1j * row


number = map(int, sys.stdin.read().split())
case = 0
while size := next(number):
    case += 1
    moves = Board(size, next(number), next(number), number).solve()
    answer = "impossible" if moves is None else f"{len(moves)} moves {moves}".rstrip()
    print(f"Case {case}: {answer}\n")
