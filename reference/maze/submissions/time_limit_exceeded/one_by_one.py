# Verdict: time limit exceeded.
# Reverses the end of the list by taking the last cell off and inserting it, once
# for every cell. Each insertion shifts all that comes after it, so that a flip
# costs the square of what it reverses: a million steps on the longest lists,
# fifty thousand times. The answers are right.
import sys

STEPS = {"U": (1, 0), "D": (-1, 0), "L": (0, -1), "R": (0, 1)}


def main():
    words = iter(sys.stdin.read().split())
    for _ in range(int(next(words))):
        rows, columns, row, column = (int(next(words)) for _ in range(4))
        unvisited = {(r, c) for r in range(1, rows + 1) for c in range(1, columns + 1)}
        unvisited.remove((row, column))
        opened = set()
        pending = [(row, column)]
        while pending:
            r, c = pending[-1]
            if not any((r + dr, c + dc) in unvisited for dr, dc in STEPS.values()):
                pending.pop()
                continue
            command = next(words)
            if command == "F":
                for place in range(int(next(words)) - 1, len(pending)):
                    pending.insert(place, pending.pop())
                continue
            dr, dc = STEPS[command]
            there = r + dr, c + dc
            unvisited.remove(there)
            pending.append(there)
            opened |= {(r, c, dr, dc), (*there, -dr, -dc)}

        print(" _" * columns)
        for r in range(rows, 0, -1):
            cells = ((" " if (r, c, -1, 0) in opened else "_") + (" " if (r, c, 0, 1) in opened else "|")
                     for c in range(1, columns + 1))
            print("|" + "".join(cells))
        print()


main()
