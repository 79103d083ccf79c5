# Verdict: wrong answer. The squares are read digit by digit, without a look at the sign:
# a wild square becomes one for the number 1. Shown by sample/statement.
import collections
import sys

State = collections.namedtuple("State", "row col top front right")


class Maze(object):
    def __init__(self, name, source):
        self.name = name
        head = source.readline().split()
        self.height, self.width = int(head[0]), int(head[1])
        self.home = int(head[2]), int(head[3])
        self.die = int(head[4]), int(head[5])
        self.squares = [[int(ch) for ch in source.readline() if ch.isdigit()] for _ in range(self.height)]

    def right_face(self):
        top, front = self.die
        for face in range(1, 7):
            x, y, z = (n if n < 4 else n - 7 for n in (top, front, face))
            if sorted(map(abs, (x, y, z))) == [1, 2, 3]:
                even = (abs(x), abs(y)) in ((1, 2), (2, 3), (3, 1))
                if (x * y * z > 0) == even:
                    return face

    def moves(self, s):
        candidates = [
            State(s.row - 1, s.col, s.front, 7 - s.top, s.right),
            State(s.row + 1, s.col, 7 - s.front, s.top, s.right),
            State(s.row, s.col - 1, s.right, s.front, 7 - s.top),
            State(s.row, s.col + 1, 7 - s.right, s.front, s.top),
        ]
        for n in candidates:
            if 1 <= n.row <= self.height and 1 <= n.col <= self.width:
                if self.squares[n.row - 1][n.col - 1] in (s.top, -1):
                    yield n

    def solve(self):
        start = State(*self.home, *self.die, self.right_face())
        parents = {start: None}
        fringe = [start]
        while fringe:
            s = fringe.pop(0)
            for n in self.moves(s):
                if (n.row, n.col) == self.home:
                    way = [self.home]
                    while s:
                        way.insert(0, (s.row, s.col))
                        s = parents[s]
                    return way
                if n not in parents:
                    parents[n] = s
                    fringe.append(n)
        return None


name = sys.stdin.readline().strip()
while name != "END":
    maze = Maze(name, sys.stdin)
    way = maze.solve()
    print(maze.name)
    if way:
        while len(way) > 9:
            print("  " + "".join("({},{}),".format(*p) for p in way[:9]))
            way = way[9:]
        print("  " + ",".join("({},{})".format(*p) for p in way))
    else:
        print("  No Solution Possible")
    name = sys.stdin.readline().strip()
