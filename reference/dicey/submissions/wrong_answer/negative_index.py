"""Verdict: wrong answer. The program notices by an IndexError that a roll leaves the
maze, but row -1 is Python's last row: a roll over the upper or the left edge comes in
on the other side. Shown by sample/statement."""
import sys


class Die:
    def __init__(self, top, front, right):
        self.top, self.front, self.right = top, front, right

    def rolls(self):
        t, f, r = self.top, self.front, self.right
        yield -1, 0, Die(f, 7 - t, r)
        yield 1, 0, Die(7 - f, t, r)
        yield 0, -1, Die(r, f, 7 - t)
        yield 0, 1, Die(7 - r, f, t)

    def __hash__(self):
        return 7 * self.top + self.front

    def __eq__(self, other):
        return (self.top, self.front) == (other.top, other.front)


def place_die(top, front):
    found, todo = set(), [Die(1, 2, 3)]
    while todo:
        die = todo.pop()
        if (die.top, die.front) == (top, front):
            return die
        if die not in found:
            found.add(die)
            todo.extend(after for _, _, after in die.rolls())


def solve(maze, home, die):
    queue, came = [(home, die)], {}
    for state in queue:
        (row, column), die = state
        for dr, dc, after in die.rolls():
            try:
                number = maze[row + dr][column + dc]
            except IndexError:
                continue
            if number not in (-1, die.top):
                continue
            target = (row + dr, column + dc)
            if target == home:
                walk = [home]
                while state != (home, queue[0][1]) or len(walk) == 1:
                    walk.append(state[0])
                    if state not in came:
                        break
                    state = came[state]
                if walk[-1] != home:
                    walk.append(home)
                return walk[::-1]
            if (target, after) not in came:
                came[target, after] = state
                queue.append((target, after))
    return []


def main():
    lines = sys.stdin.read().splitlines()
    at = 0
    while lines[at] != "END":
        name = lines[at]
        rows, _, row, column, top, front = map(int, lines[at + 1].split())
        maze = [list(map(int, line.split())) for line in lines[at + 2:at + 2 + rows]]
        at += rows + 2
        walk = solve(maze, (row - 1, column - 1), place_die(top, front))
        print(name)
        if not walk:
            print("  No Solution Possible")
        for i in range(0, len(walk), 9):
            more = "," if i + 9 < len(walk) else ""
            print("  " + ",".join(f"({r + 1},{c + 1})" for r, c in walk[i:i + 9]) + more)


main()
