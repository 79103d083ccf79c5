"""Verdict: idleness limit exceeded. A thread searches and sends what it finds. For a game
that cannot be won it sends nothing, and the main thread waits for ever. Shown by
sample/statement."""
import queue
import sys
import threading


def search(board, moves, result):
    seen = {board: 0}
    for now in (todo := [board]):
        if now == 0 or now == 65535:
            result.put(seen[now])
            return
        for move in moves:
            if now ^ move not in seen:
                seen[now ^ move] = seen[now] + 1
                todo.append(now ^ move)


def main():
    lines = sys.stdin.read().split()
    board = int("".join(lines[:4]).replace("W", "0").replace("B", "1"), 2)
    moves = []
    for r in range(4):
        for c in range(4):
            mask = 0
            for i in range(16):
                dr, dc = i // 4 - r + 1, i % 4 - c + 1
                mask = 2 * mask + (dr in (0, 1, 2) and dc in (0, 1, 2) and lines[4 + dr][dc] == "1")
            moves.append(mask)
    result = queue.Queue()
    threading.Thread(target=search, args=(board, moves, result), daemon=True).start()
    print(result.get())


main()
