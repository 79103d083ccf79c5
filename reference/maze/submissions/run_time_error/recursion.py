# Verdict: run-time error.
# Calls itself for every step of the algorithm; Python allows a thousand calls
# inside each other, and a long list needs more.
import sys


class Maze:
    def __init__(self, words):
        self.words = words
        self.rows, self.columns, row, column = (int(next(words)) for _ in range(4))
        self.list = [(row, column)]
        self.visited = {(row, column)}
        self.passages = set()

    def ways(self, cell):
        r, c = cell
        cells = {"U": (r + 1, c), "D": (r - 1, c), "L": (r, c - 1), "R": (r, c + 1)}
        return {letter: cell for letter, cell in cells.items()
                if 1 <= cell[0] <= self.rows and 1 <= cell[1] <= self.columns and cell not in self.visited}

    def step(self):
        if not self.list:
            return
        here = self.list[-1]
        ways = self.ways(here)
        if not ways:
            self.list.pop()
        else:
            command = next(self.words)
            if command == "F":
                first = int(next(self.words)) - 1
                self.list = self.list[:first] + self.list[first:][::-1]
            else:
                there = ways[command]
                self.list.append(there)
                self.visited.add(there)
                self.passages |= {(here, there), (there, here)}
        self.step()

    def draw(self):
        print(" _" * self.columns)
        for r in range(self.rows, 0, -1):
            print("|" + "".join(
                (" " if ((r, c), (r - 1, c)) in self.passages else "_")
                + (" " if ((r, c), (r, c + 1)) in self.passages else "|")
                for c in range(1, self.columns + 1)))
        print()


def main():
    words = iter(sys.stdin.read().split())
    for _ in range(int(next(words))):
        maze = Maze(words)
        maze.step()
        maze.draw()


main()
