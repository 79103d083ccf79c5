"""Verdict: wrong answer. Takes the letter for the direction in which the marbles roll; it
names the side that is lifted, and they roll away from it. Shown by sample/statement."""
import sys
from collections import deque


def main():
    data = list(map(int, sys.stdin.read().split()))
    at, case = 0, 0
    while True:
        n, m, w = data[at:at + 3]
        at += 3
        if n == 0:
            return
        case += 1
        pairs = [tuple(data[at + 2 * i:at + 2 * i + 2]) for i in range(2 * m + 2 * w)]
        at += 4 * m + 4 * w
        marbles, holes = tuple(pairs[:m]), pairs[m:2 * m]
        walls = set()
        for a, b in zip(pairs[2 * m::2], pairs[2 * m + 1::2]):
            walls |= {(a, b), (b, a)}
        print("Case %d: %s\n" % (case, solve(n, marbles, holes, walls)))


def roll(n, marbles, holes, walls, dr, dc):
    order = sorted(range(len(marbles)), key=lambda k: -(marbles[k][0] * dr + marbles[k][1] * dc))
    now = list(marbles)
    open_holes = {hole: k for k, hole in enumerate(holes) if marbles[k] != hole}
    resting = set()
    for k in order:
        if now[k] == holes[k]:
            continue
        here = now[k]
        while True:
            to = (here[0] + dr, here[1] + dc)
            if not (0 <= to[0] < n and 0 <= to[1] < n) or (here, to) in walls or to in resting:
                resting.add(here)
                break
            here = to
            if here in open_holes:
                if open_holes.pop(here) != k:
                    return None
                break
        now[k] = here
    return tuple(now)


def solve(n, marbles, holes, walls):
    seen = {marbles: ""}
    queue = deque([marbles])
    while queue:
        state = queue.popleft()
        if list(state) == holes:
            path = seen[state]
            return f"{len(path)} moves {path}" if path else "0 moves"
        for letter, dr, dc in (("E", 0, 1), ("N", -1, 0), ("S", 1, 0), ("W", 0, -1)):
            after = roll(n, state, holes, walls, dr, dc)
            if after and after not in seen:
                seen[after] = seen[state] + letter
                queue.append(after)
    return "impossible"


main()
