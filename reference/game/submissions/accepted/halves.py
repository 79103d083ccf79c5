"""Verdict: accepted. Meet in the middle.

The order of moves does not matter and no move is worth making twice, so a way to win is a
set of centres. Half of the centres have only 256 sets: a table holds what these flip and
how many moves they take, and is looked up for each set of the other centres.
"""

import sys


def effects(flips):
    """Map every set of chips that the moves can flip to the fewest moves for it."""
    cheapest = {0: 0}
    for flip in flips:
        for chips, price in list(cheapest.items()):
            if price + 1 < cheapest.get(chips ^ flip, 17):
                cheapest[chips ^ flip] = price + 1
    return cheapest


def flip_of(pattern, row, column):
    return sum(
        1 << 4 * r + c
        for r in range(4)
        for c in range(4)
        if abs(r - row) <= 1 and abs(c - column) <= 1 and pattern[r - row + 1][c - column + 1] == "1"
    )


def main():
    lines = sys.stdin.read().split()
    chips, pattern = "".join(lines[:4]), lines[4:]
    black = sum(1 << cell for cell, chip in enumerate(chips) if chip == "B")
    flips = [flip_of(pattern, *divmod(centre, 4)) for centre in range(16)]
    upper, lower = effects(flips[:8]), effects(flips[8:])
    prices = [
        price + lower[goal ^ flipped]
        for goal in (black, black ^ 0xFFFF)
        for flipped, price in upper.items()
        if goal ^ flipped in lower
    ]
    print(min(prices, default="Impossible"))


main()
