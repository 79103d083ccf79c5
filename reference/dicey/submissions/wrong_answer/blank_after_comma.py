"""Verdict: wrong answer. The positions are joined by a comma and a blank. That is not
just another layout, because it makes two words of one. Shown by sample/statement."""
import sys


def spin(die):
    """The die and what becomes of it on its way up, down, left and right."""
    top, front, right = die
    return [(front, 7 - top, right), (7 - front, top, right), (right, front, 7 - top), (7 - right, front, top)]


words = sys.stdin.read().split()[::-1]
output = []
while (name := words.pop()) != "END":
    rows, columns, row, column, top, front = (int(words.pop()) for _ in range(6))
    size = columns + 2
    board = [0] * size
    for _ in range(rows):
        board += [0, *(int(words.pop()) for _ in range(columns)), 0]
    board += [0] * size
    home = row * size + column

    lying = [(1, 2, 3)]
    for die in lying:
        lying += {after for after in spin(die)} - set(lying)
    start = home, [die for die in lying if die[:2] == (top, front)][0]

    came, states = {start: None}, [start]
    last = None
    for square, die in states:
        for step, after in zip((-size, size, -1, 1), spin(die)):
            if board[square + step] not in (-1, die[0]):
                continue
            if square + step == home:
                last = square, die
                break
            if (square + step, after) not in came:
                came[square + step, after] = square, die
                states.append((square + step, after))
        if last:
            break
    output.append(name)
    if not last:
        output.append("  No Solution Possible")
        continue
    walk = [home]
    while last:
        walk.append(last[0])
        last = came[last]
    texts = [f"({at // size},{at % size})" for at in walk[::-1]]
    for i in range(0, len(texts), 9):
        output.append("  " + ", ".join(texts[i:i + 9]) + ("," if texts[i + 9:] else ""))
for line in output:
    print(line)
