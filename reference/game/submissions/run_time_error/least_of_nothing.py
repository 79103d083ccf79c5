"""Verdict: run-time error. For a game that cannot be won the list of numbers of moves is
empty: min raises ValueError."""

import sys

lines = sys.stdin.read().split()
board, pattern = "".join(lines[:4]), lines[4:]

fewest = {sum(1 << cell for cell in range(16) if board[cell] == "B"): 0}
for centre in range(16):
    flip = 0
    for cell in range(16):
        i, j = cell // 4 - centre // 4 + 1, cell % 4 - centre % 4 + 1
        if 0 <= i < 3 and 0 <= j < 3 and pattern[i][j] == "1":
            flip |= 1 << cell
    for chips, moves in list(fewest.items()):
        fewest[chips ^ flip] = min(moves + 1, fewest.get(chips ^ flip, 17))

print(min(fewest[goal] for goal in (0, 0xFFFF) if goal in fewest))
