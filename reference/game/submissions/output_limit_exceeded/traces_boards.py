"""Verdict: output limit exceeded. Every board that is met is still printed, as while the
program was being written: more than 64 KiB of them. Shown by sample/statement."""
import sys
from collections import deque

DEBUG = True


def show(board):
    for r in range(4):
        print("".join(".#"[board >> 4 * r + c & 1] for c in range(4)))
    print()


grid = sys.stdin.read().split()
flips = []
for y in range(4):
    for x in range(4):
        flip = 0
        for r in range(max(y - 1, 0), min(y + 2, 4)):
            for c in range(max(x - 1, 0), min(x + 2, 4)):
                flip |= int(grid[4 + r - y + 1][c - x + 1]) << 4 * r + c
        flips.append(flip)
start = sum(1 << 4 * r + c for r in range(4) for c in range(4) if grid[r][c] == "B")
moves, queue = {start: 0}, deque([start])
while queue:
    board = queue.popleft()
    if DEBUG:
        show(board)
    if board in (0, 0xFFFF):
        print(moves[board])
        break
    for flip in flips:
        if board ^ flip not in moves:
            moves[board ^ flip] = moves[board] + 1
            queue.append(board ^ flip)
else:
    print("Impossible")
