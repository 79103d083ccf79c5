# Verdict: wrong answer. The set of positions met holds their CRC-32 to save memory. Two
# positions may have the same. Shown by edge/same-hash-again.
import sys
from zlib import crc32

MOVES = (("E", 0, -1), ("N", 1, 0), ("S", -1, 0), ("W", 0, 1))


class Board:
    def __init__(self, n, numbers, m, w):
        pairs = [(next(numbers), next(numbers)) for _ in range(2 * m + 2 * w)]
        self.start, self.goal, ends = pairs[:m], pairs[m : 2 * m], pairs[2 * m :]
        self.owner = {hole: i for i, hole in enumerate(self.goal)}
        self.ahead = {}
        walls = set(zip(ends[::2], ends[1::2])) | set(zip(ends[1::2], ends[::2]))
        for side, dr, dc in MOVES:
            for r in range(n):
                for c in range(n):
                    to = r + dr, c + dc
                    if 0 <= min(to) and max(to) < n and ((r, c), to) not in walls:
                        self.ahead[side, (r, c)] = to

    def tilt(self, marbles, side, dr, dc):
        marbles = list(marbles)
        loose = [i for i, place in enumerate(marbles) if place != self.goal[i]]
        loose.sort(key=lambda i: (dr * marbles[i][0] + dc * marbles[i][1]), reverse=True)
        resting = set()
        for i in loose:
            here = marbles[i]
            while True:
                there = self.ahead.get((side, here))
                if there is None or there in resting:
                    resting.add(here)
                    break
                here = there
                whose = self.owner.get(here)
                if whose == i:
                    break
                if whose is not None and marbles[whose] != here:
                    return None
            marbles[i] = here
        return marbles

    def solve(self):
        seen = {fingerprint(self.start)}
        level = [(self.start, None)]
        while level:
            deeper = []
            for node in level:
                if node[0] == self.goal:
                    return route(node)
                for move in MOVES:
                    marbles = self.tilt(node[0], *move)
                    if marbles is None:
                        continue
                    mark = fingerprint(marbles)
                    if mark not in seen:
                        seen.add(mark)
                        deeper.append((marbles, (node, move[0])))
            level = deeper
        return None


def fingerprint(marbles):
    return crc32(bytes(number for place in marbles for number in place))


def route(node):
    moves = []
    while node[1]:
        node, side = node[1]
        moves.append(side)
    return "".join(reversed(moves))


def main():
    numbers = map(int, sys.stdin.read().split())
    case = 0
    while True:
        n, m, w = next(numbers), next(numbers), next(numbers)
        if n == 0:
            break
        case += 1
        moves = Board(n, numbers, m, w).solve()
        print(f"Case {case}: " + ("impossible" if moves is None else f"{len(moves)} moves {moves}"))
        print()


main()
