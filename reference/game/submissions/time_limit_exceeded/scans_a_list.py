"""Verdict: time limit exceeded. The boards seen so far are kept in a list that is
searched from end to end for each of the sixteen moves from every board."""

import sys


def move(board, pattern, row, column):
    after = [list(chips) for chips in board]
    for i in range(3):
        for j in range(3):
            r, c = row + i - 1, column + j - 1
            if pattern[i][j] == "1" and 0 <= r < 4 and 0 <= c < 4:
                after[r][c] = "W" if after[r][c] == "B" else "B"
    return ["".join(chips) for chips in after]


lines = sys.stdin.read().split()
pattern = lines[4:]
seen = [lines[:4]]
level = seen[:]
moves = 0
while level and not any(len(set("".join(board))) == 1 for board in level):
    following = []
    for board in level:
        for centre in range(16):
            after = move(board, pattern, *divmod(centre, 4))
            if after not in seen:
                seen.append(after)
                following.append(after)
    level = following
    moves += 1
print(moves if level else "Impossible")
