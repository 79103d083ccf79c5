"""Verdict: run-time error. Expects the number of games before the first game, as in many
problems: int() of a row of chips raises ValueError. Shown by sample/statement."""


def play():
    board = [list(input()) for _ in range(4)]
    pattern = [input() for _ in range(3)]
    best = None
    for chosen in range(1 << 16):
        count = bin(chosen).count("1")
        if best is not None and count >= best:
            continue
        copy = [row[:] for row in board]
        for k in range(16):
            if chosen >> k & 1:
                for dr in range(3):
                    for dc in range(3):
                        r, c = k // 4 + dr - 1, k % 4 + dc - 1
                        if pattern[dr][dc] == "1" and 0 <= r < 4 and 0 <= c < 4:
                            copy[r][c] = "BW"[copy[r][c] == "B"]
        if len(set(sum(copy, []))) == 1:
            best = count
    print("Impossible" if best is None else best)


for _ in range(int(input())):
    play()
