# Verdict: presentation_error.
#
# Every answer is right, but the lines below the names are not indented: the same
# words, other blanks.

import sys

STEPS = ((-1, 0), (1, 0), (0, -1), (0, 1))


def tip(die, step):
    """Tip a die, given as (top, bottom, front, back, left, right)."""
    top, bottom, front, back, left, right = die
    if step == (-1, 0):
        return front, back, bottom, top, left, right
    if step == (1, 0):
        return back, front, top, bottom, left, right
    if step == (0, -1):
        return right, left, front, back, top, bottom
    return left, right, front, back, bottom, top


def die_showing(top, front):
    dice = [(1, 6, 2, 5, 4, 3)]
    for die in dice:
        if die[0] == top and die[2] == front:
            return die
        dice.extend(tip(die, step) for step in STEPS)


def solve(needs, home, die):
    visits = [(home, die, None)]
    seen = set()
    for place, (at, die, _) in enumerate(visits):
        for step in STEPS:
            to = at[0] + step[0], at[1] + step[1]
            if needs.get(to, 0) not in (-1, die[0]):
                continue
            if to == home:
                walk = [to]
                while place is not None:
                    walk.append(visits[place][0])
                    place = visits[place][2]
                return walk[::-1]
            state = to, tip(die, step)
            if state not in seen:
                seen.add(state)
                visits.append((*state, place))
    return None


def main():
    words = iter(sys.stdin.read().split())
    for name in words:
        if name == "END":
            return
        print(name)
        rows, cols, row, col, top, front = (int(next(words)) for _ in range(6))
        needs = {
            (r, c): int(next(words))
            for r in range(1, rows + 1)
            for c in range(1, cols + 1)
        }
        walk = solve(needs, (row, col), die_showing(top, front))
        if walk is None:
            print("No Solution Possible")
            continue
        for i, at in enumerate(walk):
            last = i == len(walk) - 1
            end = "\n" if last else ",\n" if i % 9 == 8 else ","
            print("(%d,%d)" % at, end=end)


main()
