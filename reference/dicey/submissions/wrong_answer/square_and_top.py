# Verdict: wrong_answer.
#
# The search remembers squares together with the number on top, but not the
# number in front. It passes the statement's mazes; it fails where a square must
# be visited twice with the same number on top.

import sys
from collections import deque


def right_of(top, front):
    """Return the number on the right, by the corner of 1, 2 and 3."""
    if top > 3:
        return 7 - right_of(7 - top, front)
    if front > 3:
        return 7 - right_of(top, 7 - front)
    third = 6 - top - front
    return third if (top, front) in ((1, 2), (2, 3), (3, 1)) else 7 - third


def solve(needs, home, top, front):
    seen = set()
    queue = deque([(home, top, front, right_of(top, front), None)])
    while queue:
        at, top, front, right, before = queue.popleft()
        trace = (at, before)
        row, col = at
        for to, after in (
            ((row - 1, col), (front, 7 - top, right)),
            ((row + 1, col), (7 - front, top, right)),
            ((row, col - 1), (right, front, 7 - top)),
            ((row, col + 1), (7 - right, front, top)),
        ):
            if needs.get(to, 0) not in (-1, top):
                continue
            if to == home:
                walk = [to]
                while trace:
                    walk.append(trace[0])
                    trace = trace[1]
                return walk[::-1]
            if (to, after[0]) not in seen:
                seen.add((to, after[0]))
                queue.append((to, *after, trace))
    return []


def main():
    words = iter(sys.stdin.read().split())
    for name in words:
        if name == "END":
            return
        print(name)
        rows, cols, row, col, top, front = (int(next(words)) for _ in range(6))
        needs = {}
        for r in range(1, rows + 1):
            for c in range(1, cols + 1):
                needs[r, c] = int(next(words))
        walk = ["(%d,%d)" % at for at in solve(needs, (row, col), top, front)]
        if not walk:
            print("  No Solution Possible")
        while walk:
            print("  " + ",".join(walk[:9]) + ("," if len(walk) > 9 else ""))
            walk = walk[9:]


main()
