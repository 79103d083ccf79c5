"""Verdict: wrong answer. Says "impossible", and the statement says "Impossible". Shown
by sample/statement."""
from functools import reduce
from operator import xor

board = [input().strip() for _ in range(4)]
rule = [input().strip() for _ in range(3)]

index = {(r, c): 1 << 4 * r + c for r in range(4) for c in range(4)}
black = sum(bit for (r, c), bit in index.items() if board[r][c] == "B")
press = [
    sum(index.get((r + i, c + j), 0) for i in (-1, 0, 1) for j in (-1, 0, 1) if rule[i + 1][j + 1] == "1")
    for r, c in index
]

level, seen, moves = {black}, {black}, 0
while level and not level & {0, 0xFFFF}:
    level = {reduce(xor, (b, p)) for b in level for p in press} - seen
    seen |= level
    moves += 1
print(moves if level else "impossible")
