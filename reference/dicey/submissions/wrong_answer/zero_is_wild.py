"""Verdict: wrong answer. Takes a 0 for a wild square, like -1. Shown by sample/statement."""
from collections import deque


def tip(die, way):
    t, f, r = die
    return {"u": (f, 7 - t, r), "d": (7 - f, t, r), "l": (r, f, 7 - t), "r": (7 - r, f, t)}[way]


MOVES = [("u", -1, 0), ("d", 1, 0), ("l", 0, -1), ("r", 0, 1)]


def third(top, front):
    dice = {(1, 2, 3)}
    while len(dice) < 24:
        dice |= {tip(die, way) for die in dice for way in "udlr"}
    return next(r for t, f, r in dice if (t, f) == (top, front))


def walk(squares, start, die):
    back = {}
    queue = deque([(start, die)])
    while queue:
        (r, c), die = here = queue.popleft()
        for way, dr, dc in MOVES:
            there = (r + dr, c + dc)
            if there not in squares:
                continue
            if squares[there] > 0 and squares[there] != die[0]:
                continue
            if there == start:
                path = [start]
                while here in back:
                    path.append(here[0])
                    here = back[here]
                return [start] + path[::-1]
            state = (there, tip(die, way))
            if state not in back and state != (start, die):
                back[state] = here
                queue.append(state)
    return None


while (name := input()) != "END":
    rows, columns, row, column, top, front = map(int, input().split())
    squares = {}
    for i in range(1, rows + 1):
        for j, number in enumerate(input().split(), 1):
            squares[i, j] = int(number)
    print(name)
    path = walk(squares, (row, column), (top, front, third(top, front)))
    if path is None:
        print("  No Solution Possible")
    else:
        texts = ["(%d,%d)" % place for place in path]
        lines = [",".join(texts[i:i + 9]) for i in range(0, len(texts), 9)]
        print("  " + ",\n  ".join(lines))
