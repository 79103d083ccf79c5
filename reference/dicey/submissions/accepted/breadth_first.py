# Verdict: accepted.
#
# A breadth-first search over (square, orientation), where an orientation is a
# number from 0 to 23 and the effect of every roll on it is looked up in a table.
# Squares stand in one list with a frame of empty squares round the maze.

import sys


def orientations():
    """Return all orientations as (top, front, right), and a table of rolls."""
    found = [(1, 2, 3)]
    table = []
    for top, front, right in found:
        row = []
        for after in (
            (front, 7 - top, right),
            (7 - front, top, right),
            (right, front, 7 - top),
            (7 - right, front, top),
        ):
            if after not in found:
                found.append(after)
            row.append(found.index(after))
        table.append(row)
    return found, table


FACES, ROLLED = orientations()
TOP = [faces[0] for faces in FACES]
NUMBER = {faces[:2]: i for i, faces in enumerate(FACES)}


def solve(board, width, start, die):
    """Return the squares of a shortest walk home, or None."""
    first = start * 24 + die
    came_from = {}
    layer = [first]
    steps = (-width, width, -1, 1)
    while layer:
        following = []
        for state in layer:
            square, die = divmod(state, 24)
            top = TOP[die]
            for step, after in zip(steps, ROLLED[die]):
                to = square + step
                need = board[to]
                if need != top and need != -1:
                    continue
                if to == start:
                    walk = [start]
                    while state != first:
                        walk.append(state // 24)
                        state = came_from[state]
                    walk.append(start)
                    return walk[::-1]
                reached = to * 24 + after
                if reached not in came_from:
                    came_from[reached] = state
                    following.append(reached)
        layer = following
    return None


def main():
    words = iter(sys.stdin.read().split())
    lines = []
    for name in words:
        if name == "END":
            break
        lines.append(name)
        rows, cols, row, col, top, front = (int(next(words)) for _ in range(6))
        width = cols + 2
        board = [0] * width
        for _ in range(rows):
            board.append(0)
            board.extend(int(next(words)) for _ in range(cols))
            board.append(0)
        board.extend([0] * width)
        walk = solve(board, width, row * width + col, NUMBER[top, front])
        if walk is None:
            lines.append("  No Solution Possible")
            continue
        shown = ["(%d,%d)" % divmod(square, width) for square in walk]
        pieces = [",".join(shown[i : i + 9]) for i in range(0, len(shown), 9)]
        lines.append(",\n".join("  " + piece for piece in pieces))
    sys.stdout.write("".join(line + "\n" for line in lines))


main()
