"""Verdict: run-time error. Goes from board to board by recursion, through thousands of
boards before it turns back, but Python allows a thousand calls. Shown by
sample/statement."""
import sys


def neighbours(board):
    for press in presses:
        yield board ^ press


def walk(board, moves):
    if depth.get(board, 17) <= moves:
        return
    depth[board] = moves
    for other in neighbours(board):
        walk(other, moves + 1)


text = sys.stdin.readlines()
presses = []
for centre in range(16):
    press = 0
    for offset in range(9):
        row, column = centre // 4 + offset // 3 - 1, centre % 4 + offset % 3 - 1
        if text[4 + offset // 3][offset % 3] == "1" and row in range(4) and column in range(4):
            press += 1 << row * 4 + column
    presses.append(press)
depth = {}
# no game should take more moves than there are boards
walk(sum((text[k // 4][k % 4] == "B") << k for k in range(16)), -70000)
ends = [depth[b] + 70000 for b in (0, 65535) if b in depth]
print(min(ends) if ends else "Impossible")
