# Verdict: time limit exceeded. The author did not see that no cell needs to be chosen
# twice, so all 3^16 ways to choose each cell up to twice are played. Shown by
# sample/statement.
from itertools import product
import sys

rows = sys.stdin.read().splitlines()
board, pattern = rows[:4], rows[4:7]
best = 33
for times in product((0, 1, 2), repeat=16):
    if sum(times) >= best:
        continue
    chips = [[chip == "B" for chip in row] for row in board]
    for cell, often in enumerate(times):
        for _ in range(often):
            for dy in range(3):
                for dx in range(3):
                    y, x = cell // 4 + dy - 1, cell % 4 + dx - 1
                    if pattern[dy][dx] == "1" and 0 <= y < 4 and 0 <= x < 4:
                        chips[y][x] = not chips[y][x]
    black = sum(map(sum, chips))
    if black in (0, 16):
        best = sum(times)
print(best if best < 33 else "Impossible")
