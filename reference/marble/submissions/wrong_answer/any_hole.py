"""Verdict: wrong answer. The game counts as won when every marble lies in a hole, whether
its own or not. Shown by sample/statement."""
import sys
from functools import lru_cache
from itertools import count

numbers = map(int, sys.stdin.buffer.read().split())
take = lambda k: [next(numbers) for _ in range(k)]

LIFT = {"E": -1, "N": 1j, "S": -1j, "W": 1}  # where marbles roll, the row imaginary


def square():
    row, column = take(2)
    return complex(column, row)


for case in count(1):
    n, m, w = take(3)
    if n == 0:
        break
    marbles = frozenset(square() for _ in range(m))
    holes = frozenset(square() for _ in range(m))
    walls = set()
    for _ in range(w):
        a, b = square(), square()
        walls |= {(a, b), (b, a)}

    @lru_cache(None)
    def step(here, d):
        to = here + d
        inside = 0 <= to.real < n and 0 <= to.imag < n
        return to if inside and (here, to) not in walls else None

    def lift(state, d):
        rolling, empty = state
        front = lambda z: -(z * d.conjugate() if isinstance(d, complex) else z * d).real
        still, open_now = set(), set(empty)
        for here in sorted(rolling, key=front):
            while (to := step(here, d)) is not None and to not in still:
                here = to
                if here in open_now:
                    open_now.remove(here)
                    break
            else:
                still.add(here)
        return frozenset(still), frozenset(open_now)

    start = marbles, holes
    path = {start: ""}
    answer = "impossible"
    for state in (todo := [start]):
        if not state[0]:
            answer = f"{len(path[state])} moves {path[state]}"
            break
        for side, d in LIFT.items():
            after = lift(state, d)
            if after not in path:
                path[after] = path[state] + side
                todo.append(after)
    print(f"Case {case}: {answer}", end="\n\n")
