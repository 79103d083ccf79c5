# Verdict: presentation error.
# Separates the mazes by empty lines, so that none follows the last one.
import sys


def main():
    words = iter(sys.stdin.read().split())
    pictures = []
    for _ in range(int(next(words))):
        rows, columns, row, column = (int(next(words)) for _ in range(4))
        visited = {(row, column)}
        passages = set()

        def unvisited(cell):
            r, c = cell
            around = {"U": (r + 1, c), "D": (r - 1, c), "L": (r, c - 1), "R": (r, c + 1)}
            return {
                letter: (r, c)
                for letter, (r, c) in around.items()
                if 1 <= r <= rows and 1 <= c <= columns and (r, c) not in visited
            }

        pending = [(row, column)]
        while pending:
            here = pending[-1]
            ways = unvisited(here)
            if not ways:
                pending.pop()
                continue
            command = next(words)
            if command == "F":
                first = int(next(words)) - 1
                pending[first:] = pending[first:][::-1]
            else:
                there = ways[command]
                passages |= {(here, there), (there, here)}
                visited.add(there)
                pending.append(there)

        picture = [" _" * columns]
        for r in range(rows, 0, -1):
            line = "|"
            for c in range(1, columns + 1):
                line += " " if ((r, c), (r - 1, c)) in passages else "_"
                line += " " if ((r, c), (r, c + 1)) in passages else "|"
            picture.append(line)
        pictures.append("\n".join(picture) + "\n")
    sys.stdout.write("\n".join(pictures))


main()
