"""Verdict: wrong answer. A* with the number of chips of the rarer colour as the
estimate of the moves to come. A move can turn nine chips, so that the estimate is too
large, and the first way found is not the shortest. Shown by edge/asymmetric-near-white."""
import heapq
import sys

FULL = (1 << 16) - 1


def read():
    *board, a, b, c = sys.stdin.read().split("\n")[:7]
    bits = int("".join(board).translate({ord("W"): "0", ord("B"): "1"}), 2)
    moves = []
    for y in range(4):
        for x in range(4):
            mask = 0
            for dy, row in zip((-1, 0, 1), (a, b, c)):
                for dx, digit in zip((-1, 0, 1), row):
                    if digit == "1" and -1 < y + dy < 4 and -1 < x + dx < 4:
                        mask |= 0x8000 >> 4 * (y + dy) + x + dx
            moves.append(mask)
    return bits, moves


def estimate(board):
    black = bin(board).count("1")
    return min(black, 16 - black)


def solve(board, moves):
    cost = {board: 0}
    heap = [(estimate(board), board)]
    while heap:
        _, board = heapq.heappop(heap)
        if board in (0, FULL):
            return cost[board]
        for move in moves:
            neighbour = board ^ move
            if cost[board] + 1 < cost.get(neighbour, 99):
                cost[neighbour] = cost[board] + 1
                heapq.heappush(heap, (cost[neighbour] + estimate(neighbour), neighbour))
    return "Impossible"


print(solve(*read()))
