"""Verdict: run-time error. The pictures are put together by reduce, which raises a
TypeError if there is none. Shown by edge/no-mazes."""
from functools import reduce
import sys


def neighbours(r, c):
    return (r + 1, c), (r - 1, c), (r, c - 1), (r, c + 1)


def maze(numbers, lines):
    rows, cols = numbers()
    at = tuple(numbers())
    parent_of = {at: at}
    everything = {(r + 1, c + 1) for r in range(rows) for c in range(cols)}
    joined = set()
    path = [at]
    while path:
        at = path[-1]
        around = neighbours(*at)
        if all(n in parent_of or n not in everything for n in around):
            path.pop()
            continue
        word, *position = next(lines).split()
        if position:
            cut = int(position[0]) - 1
            path, tail = path[:cut], path[cut:]
            tail.reverse()
            path.extend(tail)
        else:
            to = around["UDLR".index(word)]
            parent_of[to] = at
            joined.add(frozenset((at, to)))
            path.append(to)

    def wall(a, b, mark):
        return " " if frozenset((a, b)) in joined else mark

    picture = cols * " _" + "\n"
    for r in range(rows, 0, -1):
        picture += "|"
        for c in range(1, cols + 1):
            picture += wall((r, c), (r - 1, c), "_") + wall((r, c), (r, c + 1), "|")
        picture += "\n"
    return picture


def main():
    lines = iter(sys.stdin)
    numbers = lambda: map(int, next(lines).split())
    (count,) = numbers()
    pictures = [maze(numbers, lines) for _ in range(count)]
    print(reduce(lambda a, b: a + "\n" + b, pictures))


main()
