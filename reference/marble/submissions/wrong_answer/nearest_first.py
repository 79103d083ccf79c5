"""Verdict: wrong answer. Continues with the position whose marbles are nearest to their
holes, in rows plus columns; the first way that it finds is often not a shortest. Shown
by edge/which-is-which."""
import heapq
import sys

ENSW = (("E", "c", -1), ("N", "r", 1), ("S", "r", -1), ("W", "c", 1))


def distance(state, holes):
    return sum(abs(r - y) + abs(c - x) for (r, c), (y, x) in zip(state, holes))


def rolled(n, state, holes, walls, axis, sign):
    state = list(state)
    line = (lambda s: s[0]) if axis == "r" else (lambda s: s[1])
    occupied = {s for k, s in enumerate(state) if s != holes[k]}
    for k in sorted(range(len(state)), key=lambda k: -sign * line(state[k])):
        if state[k] == holes[k]:
            continue
        occupied.remove(state[k])
        r, c = state[k]
        while True:
            to = (r + sign, c) if axis == "r" else (r, c + sign)
            if not 0 <= line(to) < n or to in occupied or frozenset(((r, c), to)) in walls:
                occupied.add((r, c))
                break
            r, c = to
            owner = holes.index(to) if to in holes else None
            if owner is not None and state[owner] != to:
                if owner != k:
                    return None
                break
        state[k] = (r, c)
    return tuple(state)


def win(n, start, holes, walls):
    heap = [(distance(start, holes), "", start)]
    seen = {start}
    while heap:
        _, moves, state = heapq.heappop(heap)
        if state == holes:
            return moves
        for letter, axis, sign in ENSW:
            after = rolled(n, state, holes, walls, axis, sign)
            if after is not None and after not in seen:
                seen.add(after)
                heapq.heappush(heap, (distance(after, holes), moves + letter, after))


def main():
    lines = [tuple(map(int, line.split())) for line in sys.stdin if line.strip()]
    at, k = 0, 0
    while lines[at][0]:
        n, m, w = lines[at]
        marbles, holes, walls = lines[at + 1:at + m + 1], lines[at + m + 1:at + 2 * m + 1], lines[at + 2 * m + 1:at + 2 * m + w + 1]
        at += 2 * m + w + 1
        k += 1
        moves = win(n, tuple(marbles), tuple(holes), {frozenset((wall[:2], wall[2:])) for wall in walls})
        sys.stdout.write(f"Case {k}: " + ("impossible" if moves is None else f"{len(moves)} moves {moves}") + "\n\n")


main()
