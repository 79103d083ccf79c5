"""Verdict: run-time error. Looks for the shortest way by recursion, from each position to
those that were not reached in as few moves; Python stops it a thousand calls deep.
Shown by sample/statement."""
import sys

MOVES = {"E": (0, -1), "N": (1, 0), "S": (-1, 0), "W": (0, 1)}


class Lost(Exception):
    pass


def lift(n, holes, walls, state, step):
    dy, dx = step
    state = dict(state)
    for k in sorted(state, key=lambda k: -state[k][0] * dy - state[k][1] * dx):
        if state[k] is None:
            continue
        y, x = state[k]
        while 0 <= y + dy < n and 0 <= x + dx < n and ((y, x), (y + dy, x + dx)) not in walls:
            if (y + dy, x + dx) in state.values():
                break
            y, x = y + dy, x + dx
            other = holes.get((y, x))
            if other is not None and state[other] is not None:
                if other != k:
                    raise Lost
                state[k] = None
                break
        else:
            state[k] = y, x
            continue
        if state[k] is not None:
            state[k] = y, x
    return tuple(sorted(state.items()))


def explore(board, state, path, reached):
    if reached.get(state, path) is not path and len(reached[state]) <= len(path):
        return
    reached[state] = path
    for letter, step in MOVES.items():
        try:
            explore(board, lift(*board, state, step), path + letter, reached)
        except Lost:
            pass


def main():
    numbers = iter(sys.stdin.read().split())
    square = lambda: (int(next(numbers)), int(next(numbers)))
    case = 1
    while (n := int(next(numbers))):
        m, w = square()
        start = tuple((k, square()) for k in range(m))
        holes = {square(): k for k in range(m)}
        walls = set()
        for _ in range(w):
            a, b = square(), square()
            walls.update([(a, b), (b, a)])
        reached = {}
        explore((n, holes, walls), start, "", reached)
        won = tuple((k, None) for k in range(m))
        if won in reached:
            print(f"Case {case}: {len(reached[won])} moves {reached[won]}\n")
        else:
            print(f"Case {case}: impossible\n")
        case += 1


main()
