"""Verdict: time limit exceeded. The algorithm of Bellman and Ford as in textbooks: it
improves the distances of all states, in as many rounds as there are states, although a
few would do. There are 24 states a square. Shown by edge/corner-ten."""
import sys


def dice():
    known = [(1, 2, 3)]
    for t, f, r in known:
        for die in [(f, 7 - t, r), (r, f, 7 - t)]:
            if die not in known:
                known.append(die)
    return sorted(known)


DICE = dice()
FAR = 10 ** 9


def follow(state):
    r, c, t, f, s = state
    yield r - 1, c, f, 7 - t, s
    yield r + 1, c, 7 - f, t, s
    yield r, c - 1, s, f, 7 - t
    yield r, c + 1, 7 - s, f, t


def solve(maze, rows, cols, row, col, top, front):
    start = next((row, col) + die for die in DICE if die[:2] == (top, front))
    states = [(r, c) + die for r in range(1, rows + 1) for c in range(1, cols + 1) for die in DICE]
    distance = dict.fromkeys(states, FAR)
    parent = {}
    distance[start] = 0
    for _ in range(len(states) - 1):
        for state in states:
            if distance[state] == FAR or state[:2] == (row, col) and state != start:
                continue
            for other in follow(state):
                if other not in distance or other == start:
                    continue
                if maze[other[0] - 1][other[1] - 1] not in (-1, state[2]):
                    continue
                if distance[state] + 1 < distance[other]:
                    distance[other] = distance[state] + 1
                    parent[other] = state
    ends = []
    for state in states:
        for other in follow(state):
            if other[:2] == (row, col) and distance[state] < FAR and (state == start or state[:2] != (row, col)):
                if maze[row - 1][col - 1] in (-1, state[2]):
                    ends.append((distance[state], state))
    if not ends:
        return None
    state = min(ends)[1]
    walk = [(row, col)]
    while state != start:
        walk.append(state[:2])
        state = parent[state]
    walk.append((row, col))
    return walk[::-1]


def main():
    lines = sys.stdin.read().split("\n")
    while lines[0] != "END":
        name = lines.pop(0)
        rows, cols, row, col, top, front = map(int, lines.pop(0).split())
        maze = [list(map(int, lines.pop(0).split())) for _ in range(rows)]
        walk = solve(maze, rows, cols, row, col, top, front)
        print(name)
        if walk is None:
            print("  No Solution Possible")
            continue
        while walk:
            line, walk = walk[:9], walk[9:]
            print("  " + ",".join("(%d,%d)" % place for place in line) + "," * bool(walk))


main()
