"""Verdict: wrong answer. Says "No solution possible"; the statement has capital letters.
Shown by sample/statement."""
import sys
from collections import deque
from itertools import islice

ROLL = {
    (-1, 0): lambda t, f, r: (f, 7 - t, r),
    (1, 0): lambda t, f, r: (7 - f, t, r),
    (0, -1): lambda t, f, r: (r, f, 7 - t),
    (0, 1): lambda t, f, r: (7 - r, f, t),
}


def all_dice():
    dice = [(1, 2, 3)]
    for die in dice:
        dice.extend(d for roll in ROLL.values() if (d := roll(*die)) not in dice)
    return {die[:2]: die for die in dice}


def search(squares, home, die):
    previous = {}
    queue = deque([(home, die)])
    while queue:
        state = queue.popleft()
        (row, column), die = state
        for (dr, dc), roll in ROLL.items():
            to = row + dr, column + dc
            if squares.get(to, 0) in (-1, die[0]):
                if to == home:
                    return previous, state
                after = to, roll(*die)
                if after not in previous:
                    previous[after] = state
                    queue.append(after)
    return previous, None


def chunks(items, size):
    iterator = iter(items)
    while chunk := list(islice(iterator, size)):
        yield chunk


def main():
    dice = all_dice()
    for name in sys.stdin:
        name = name.strip()
        if name == "END":
            return
        rows, columns, row, column, *faces = map(int, next(sys.stdin).split())
        squares = {}
        for r in range(rows):
            for c, number in enumerate(next(sys.stdin).split()):
                squares[r + 1, c + 1] = int(number)
        home, die = (row, column), dice[tuple(faces)]
        previous, state = search(squares, home, die)
        if state is None:
            print(name, "  No solution possible", sep="\n")
            continue
        places = [home]
        while state != (home, die):
            places.append(state[0])
            state = previous[state]
        places.append(home)
        lines = [",".join("(%s,%s)" % p for p in chunk) for chunk in chunks(reversed(places), 9)]
        print(name, "  " + ",\n  ".join(lines), sep="\n")


main()
