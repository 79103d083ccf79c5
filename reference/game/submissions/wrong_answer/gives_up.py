"""Verdict: wrong answer. The search gives up after six moves, the most that the
classic cross takes; other patterns take up to fourteen."""

import sys
from itertools import combinations

lines = sys.stdin.read().split()
board, pattern = "".join(lines[:4]), lines[4:]

black = sum(1 << cell for cell in range(16) if board[cell] == "B")
flips = []
for centre in range(16):
    flip = 0
    for cell in range(16):
        i, j = cell // 4 - centre // 4 + 1, cell % 4 - centre % 4 + 1
        if 0 <= i < 3 and 0 <= j < 3 and pattern[i][j] == "1":
            flip |= 1 << cell
    flips.append(flip)


def wins(flips):
    chips = black
    for flip in flips:
        chips ^= flip
    return chips in (0, 0xFFFF)


for moves in range(7):
    if any(map(wins, combinations(flips, moves))):
        print(moves)
        break
else:
    print("Impossible")
