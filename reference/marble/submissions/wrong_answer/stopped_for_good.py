"""Verdict: wrong answer. All marbles roll one square at a time, and a marble whose way is
blocked stops for good, even if a marble that is still rolling blocks it. Shown by
edge/front-first."""
import sys

text = sys.stdin.read().split()
text.reverse()
get = lambda: int(text.pop())


def tilt(n, pos, holes, walls, dy, dx):
    pos = list(pos)
    moving = [pos[i] != holes[i] for i in range(len(pos))]
    while any(moving):
        for i in range(len(pos)):
            if not moving[i]:
                continue
            y, x = pos[i]
            v, u = y + dy, x + dx
            blocked = not (0 <= v < n and 0 <= u < n) or (y, x, v, u) in walls
            for j in range(len(pos)):
                if j != i and pos[j] == (v, u) and pos[j] != holes[j]:
                    blocked = True
            if blocked:
                moving[i] = False
                continue
            pos[i] = (v, u)
            for j in range(len(holes)):
                if holes[j] == (v, u) and pos[j] != holes[j]:
                    return None
            if pos[i] == holes[i]:
                moving[i] = False
    return tuple(pos)


def bfs(n, start, goal, walls):
    before = {start: None}
    queue = [start]
    while queue:
        state = queue.pop(0)
        if state == goal:
            moves = ""
            while before[state]:
                state, letter = before[state]
                moves = letter + moves
            return "%d moves %s" % (len(moves), moves)
        for letter, dy, dx in [("E", 0, -1), ("N", 1, 0), ("S", -1, 0), ("W", 0, 1)]:
            new = tilt(n, state, goal, walls, dy, dx)
            if new is not None and new not in before:
                before[new] = (state, letter)
                queue.append(new)
    return "impossible"


number = 0
while True:
    n, m, w = get(), get(), get()
    if not n:
        break
    number += 1
    start = tuple((get(), get()) for _ in range(m))
    goal = tuple((get(), get()) for _ in range(m))
    walls = set()
    for _ in range(w):
        a, b, c, d = get(), get(), get(), get()
        walls.add((a, b, c, d))
        walls.add((c, d, a, b))
    print("Case %d: %s" % (number, bfs(n, start, goal, walls)))
    print()
