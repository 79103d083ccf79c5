"""Verdict: run-time error. The right face was looked up on a real die, for the
orientations that its author tried; the others of the 24 raise KeyError. Shown by
sample/statement."""
import sys

SEEN = {
    (1, 2): 3, (1, 3): 5, (1, 5): 4, (1, 4): 2,
    (2, 6): 3, (2, 3): 1, (2, 1): 4, (2, 4): 6,
    (3, 1): 2, (3, 2): 6, (3, 6): 5, (3, 5): 1,
    (5, 1): 3, (5, 4): 1, (5, 6): 4, (5, 3): 6,
    (6, 4): 5, (6, 5): 3, (6, 3): 2, (6, 2): 4,
}


def rolled(top, front, way):
    right = SEEN[top, front]
    return [(front, 7 - top), (7 - front, top), (right, front), (7 - right, front)][way]


def read(lines):
    for name in lines:
        if name == "END":
            return
        h, w, y, x, top, front = map(int, next(lines).split())
        yield name, (y, x), (top, front), [next(lines).split() for _ in range(h)]


for name, home, die, rows in read(iter(sys.stdin.read().splitlines())):
    print(name)
    start = (home, die)
    origin = {}
    current, way_home = [start], None
    while current and way_home is None:
        later = []
        for here in current:
            (y, x), (top, front) = here
            for way, (r, c) in enumerate(((y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1))):
                if not (1 <= r <= len(rows) and 1 <= c <= len(rows[0])):
                    continue
                if rows[r - 1][c - 1] not in ("-1", str(top)):
                    continue
                if (r, c) == home:
                    way_home = here
                there = ((r, c), rolled(top, front, way))
                if there not in origin and there != start:
                    origin[there] = here
                    later.append(there)
        current = later
    if way_home is None:
        print("  No Solution Possible")
        continue
    path = [home]
    while way_home != start:
        path.append(way_home[0])
        way_home = origin[way_home]
    path = [home] + path[:0:-1] + [home] if len(path) > 1 else [home, home]
    text = ["(%d,%d)" % p for p in path]
    for i in range(0, len(text), 9):
        print("  " + ",".join(text[i:i + 9]) + ("," if i + 9 < len(text) else ""))
