"""Verdict: wrong answer. The die is a list that is rolled in place: the roll to the left
starts from the orientation that the roll down has left. Shown by sample/statement."""
import sys
from collections import deque

sys.setrecursionlimit(10000)


def roll(die, way):
    if way == "up":
        die[0], die[1] = die[1], 7 - die[0]
    elif way == "down":
        die[0], die[1] = 7 - die[1], die[0]
    elif way == "left":
        die[0], die[2] = die[2], 7 - die[0]
    else:
        die[0], die[2] = 7 - die[2], die[0]
    return die


def setup(top, front):
    die = [1, 2, 3]
    while die[0] != top:
        roll(die, "up" if top in (1, 2, 5, 6) else "left")
    while die[1] != front:
        # turned on the spot
        for way in ("up", "right", "down"):
            roll(die, way)
    return die


def route(grid, n, m, r0, c0, die):
    seen = set()
    q = deque([(r0, c0, die, [(r0, c0)])])
    while q:
        r, c, die, path = q.popleft()
        for way, a, b in (("up", r - 1, c), ("down", r + 1, c), ("left", r, c - 1), ("right", r, c + 1)):
            if not (1 <= a <= n and 1 <= b <= m):
                continue
            if grid[a - 1][b - 1] != -1 and grid[a - 1][b - 1] != die[0]:
                continue
            if (a, b) == (r0, c0):
                return path + [(a, b)]
            new = roll(die, way)
            if (a, b, *new) in seen:
                continue
            seen.add((a, b, *new))
            q.append((a, b, new, path + [(a, b)]))


while True:
    name = sys.stdin.readline().rstrip("\n")
    if name == "END":
        break
    n, m, r0, c0, top, front = map(int, sys.stdin.readline().split())
    grid = [list(map(int, sys.stdin.readline().split())) for _ in range(n)]
    print(name)
    path = route(grid, n, m, r0, c0, setup(top, front))
    if not path:
        print("  No Solution Possible")
        continue
    text = "  "
    for i, (a, b) in enumerate(path):
        text += "(%d,%d)" % (a, b)
        if i < len(path) - 1:
            text += ","
            if i % 9 == 8:
                text += "\n  "
    print(text)
