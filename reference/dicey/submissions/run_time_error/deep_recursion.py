# Verdict: run_time_error.
#
# A depth-first search by recursion, one call for each roll. In a wide field of wild
# squares a walk can meet more than a thousand states before it turns back, and a
# thousand calls are all that Python allows unless it is asked for more.

import sys


def right_of(top, front):
    """Return the number on the right, by the corner of 1, 2 and 3."""
    if top > 3:
        return 7 - right_of(7 - top, front)
    if front > 3:
        return 7 - right_of(top, 7 - front)
    third = 6 - top - front
    return third if top % 3 + 1 == front else 7 - third


def search(need, home, at, top, front, right, seen, walk):
    """Append the squares from here to home to the walk, or leave it as it was."""
    walk.append(at)
    row, col = at
    for to, after in (
        ((row - 1, col), (front, 7 - top, right)),
        ((row + 1, col), (7 - front, top, right)),
        ((row, col - 1), (right, front, 7 - top)),
        ((row, col + 1), (7 - right, front, top)),
    ):
        if need.get(to, 0) not in (-1, top):
            continue
        if to == home:
            walk.append(to)
            return True
        if (to, after) not in seen:
            seen.add((to, after))
            if search(need, home, to, *after, seen, walk):
                return True
    walk.pop()
    return False


words = iter(sys.stdin.read().split())
for name in words:
    if name == "END":
        break
    rows, cols, row, col, top, front = (int(next(words)) for _ in range(6))
    need = {(r, c): int(next(words)) for r in range(1, rows + 1) for c in range(1, cols + 1)}
    print(name)
    walk = []
    if not search(need, (row, col), (row, col), top, front, right_of(top, front), set(), walk):
        print("  No Solution Possible")
        continue
    squares = ["(%d,%d)" % square for square in walk]
    print(",\n".join("  " + ",".join(squares[i : i + 9]) for i in range(0, len(squares), 9)))
