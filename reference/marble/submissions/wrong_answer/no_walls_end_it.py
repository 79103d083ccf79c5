"""Verdict: wrong answer. Stops at the first line with a zero in it, such as the first
line of a board without walls. Shown by edge/each-side."""
import sys


def ints():
    return [int(word) for word in sys.stdin.readline().split()]


def make_next(n, walls):
    """For each side, the square that follows each square when it is lifted."""
    follow = {}
    for side, (dr, dc) in zip("ENSW", ((0, -1), (1, 0), (-1, 0), (0, 1))):
        for r in range(n):
            for c in range(n):
                a, b = (r, c), (r + dr, c + dc)
                if 0 <= b[0] < n and 0 <= b[1] < n and {a, b} not in walls:
                    follow[side, a] = b
    return follow


def lifted(side, marbles, holes, follow):
    rolling = [m for m in marbles if marbles[m] != holes[m]]
    rolling.sort(key=marbles.get, reverse=side in "NW")
    result = dict(marbles)
    taken = set()
    for m in rolling:
        here = marbles[m]
        while (side, here) in follow and follow[side, here] not in taken:
            here = follow[side, here]
            below = [k for k in holes if holes[k] == here and result[k] != here]
            if below == [m]:
                break
            if below:
                return None
        result[m] = here
        if here != holes[m]:
            taken.add(here)
    return result


def shortest(start, holes, follow):
    level, length = {"": start}, 0
    keys = {tuple(start.values())}
    while level:
        for path, marbles in level.items():
            if marbles == holes:
                return f"{length} moves {path}"
        new = {}
        for path, marbles in level.items():
            for side in "ENSW":
                after = lifted(side, marbles, holes, follow)
                if after and tuple(after.values()) not in keys:
                    keys.add(tuple(after.values()))
                    new[path + side] = after
        level, length = new, length + 1
    return "impossible"


case = 0
while all(head := ints()):
    n, m, w = head
    case += 1
    start = {k: tuple(ints()) for k in range(m)}
    holes = {k: tuple(ints()) for k in range(m)}
    walls = [ints() for _ in range(w)]
    walls = {frozenset(((a, b), (c, d))) for a, b, c, d in walls}
    print(f"Case {case}: {shortest(start, holes, make_next(n, walls))}", end="\n\n")
