#!/usr/bin/env python3
"""Verdict: wrong answer. "All chips show the same colour" is taken to mean the colour
that the chip in the upper left corner shows at the beginning. Shown by
edge/cross-corner."""
from itertools import combinations


def cells_of(pattern, row, col):
    for i, line in enumerate(pattern):
        for j, digit in enumerate(line):
            if digit == "1":
                r, c = row + i - 1, col + j - 1
                if r in range(4) and c in range(4):
                    yield 4 * r + c


def main():
    board = "".join(input() for _ in range(4))
    pattern = [input() for _ in range(3)]
    wanted = board[0]
    target = sum(1 << k for k, chip in enumerate(board) if chip != wanted)
    moves = [sum(1 << k for k in cells_of(pattern, n // 4, n % 4)) for n in range(16)]
    for count in range(17):
        for chosen in combinations(moves, count):
            total = 0
            for m in chosen:
                total ^= m
            if total == target:
                return count
    return "Impossible"


print(main())
