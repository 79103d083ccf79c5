"""Verdict: wrong answer. The set of opened walls is a default argument, which Python
makes once: every maze has the openings of all mazes before it, too. Shown by
sample/statement."""
import sys

DELTA = dict(U=(1, 0), D=(-1, 0), L=(0, -1), R=(0, 1))


def dig(tokens, size, start, opened=set()):
    rows, cols = size
    todo = {(r, c) for r in range(1, rows + 1) for c in range(1, cols + 1)} - {start}
    chain = [start]
    while chain:
        r, c = chain[-1]
        if todo.isdisjoint((r + dr, c + dc) for dr, dc in DELTA.values()):
            del chain[-1]
            continue
        command = next(tokens)
        if command == "F":
            n = int(next(tokens))
            chain[n - 1:] = reversed(chain[n - 1:])
        else:
            dr, dc = DELTA[command]
            opened |= {(r, c, dr, dc), (r + dr, c + dc, -dr, -dc)}
            chain.append((r + dr, c + dc))
            todo.remove(chain[-1])
    return opened


def draw(size, opened):
    rows, cols = size
    yield " _" * cols
    for r in range(rows, 0, -1):
        yield "|" + "".join(
            (" " if (r, c, -1, 0) in opened else "_") + (" " if (r, c, 0, 1) in opened else "|")
            for c in range(1, cols + 1))
    yield ""


def main():
    tokens = iter(sys.stdin.read().split())
    number = lambda: int(next(tokens))
    for _ in range(number()):
        size = number(), number()
        start = number(), number()
        for line in draw(size, dig(tokens, size, start)):
            print(line)


main()
