# Expected verdict: wrong_answer.
#
# Remembers which squares are occupied and which holes are filled, but not by
# which marble: two marbles that have changed places pass for a position
# already seen. The sample does not need such a position; edge/which-is-which
# does.
import sys
from collections import deque

SIDES = {"E": (0, -1), "N": (1, 0), "S": (-1, 0), "W": (0, 1)}


def boards():
    numbers = map(int, sys.stdin.read().split())
    square = lambda: (next(numbers), next(numbers))
    while True:
        n, m, w = next(numbers), next(numbers), next(numbers)
        if n == 0:
            return
        start = tuple(square() for _ in range(m))
        holes = tuple(square() for _ in range(m))
        walls = set()
        for _ in range(w):
            a, b = square(), square()
            walls |= {(a, b), (b, a)}
        yield n, start, holes, walls


def roll(n, holes, walls, old, down):
    """The position after the move, or None if a marble is lost."""
    owner = {hole: i for i, hole in enumerate(holes)}
    rolling = [i for i, s in enumerate(old) if s != holes[i]]
    rolling.sort(key=lambda i: -(old[i][0] * down[0] + old[i][1] * down[1]))
    resting = {old[i] for i in rolling}
    new = list(old)
    for i in rolling:
        s = old[i]
        resting.remove(s)
        while True:
            t = s[0] + down[0], s[1] + down[1]
            if min(t) < 0 or max(t) >= n or (s, t) in walls or t in resting:
                resting.add(s)
                break
            s = t
            if s in owner and new[owner[s]] != s:
                if owner[s] != i:
                    return None
                break
        new[i] = s
    return tuple(new)


def solve(n, start, holes, walls):
    def signature(position):
        pairs = list(zip(position, holes))
        return (
            frozenset(s for s, hole in pairs if s != hole),
            frozenset(s for s, hole in pairs if s == hole),
        )

    seen = {signature(start)}
    queue = deque([(start, "")])
    while queue:
        position, moves = queue.popleft()
        if position == holes:
            return moves
        for side, down in SIDES.items():
            after = roll(n, holes, walls, position, down)
            if after is not None and signature(after) not in seen:
                seen.add(signature(after))
                queue.append((after, moves + side))
    return None


for number, board in enumerate(boards(), 1):
    moves = solve(*board)
    if moves is None:
        print(f"Case {number}: impossible\n")
    else:
        print(f"Case {number}: {len(moves)} moves {moves}\n")
