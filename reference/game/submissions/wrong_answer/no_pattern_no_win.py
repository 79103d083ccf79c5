# Verdict: wrong answer. A pattern without a 1 turns no chip, so the game is called impossible, although
# a board of one colour is won already. Shown by edge/zero-pattern-done.
import sys

lines = sys.stdin.read().split()
start = sum((lines[i // 4][i % 4] == "B") << i for i in range(16))
if "1" not in "".join(lines[4:]):
    print("Impossible")
    sys.exit()
moves = []
for place in range(16):
    cells = 0
    for i in range(9):
        r, c = place // 4 + i // 3 - 1, place % 4 + i % 3 - 1
        if lines[4 + i // 3][i % 3] == "1" and 0 <= r < 4 and 0 <= c < 4:
            cells |= 1 << 4 * r + c
    moves.append(cells)
boards, seen, count = {start}, {start}, 0
while boards and not boards & {0, 0xFFFF}:
    boards = {board ^ cells for board in boards for cells in moves} - seen
    seen |= boards
    count += 1
print(count if boards else "Impossible")
