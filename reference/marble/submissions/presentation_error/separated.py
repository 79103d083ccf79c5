"""Verdict: presentation error. Puts an empty line between two boards, but none after the
last. Shown by sample/statement."""
import sys


def boards(words):
    while (n := next(words)) > 0:
        m, w = next(words), next(words)
        at = lambda: next(words) * n + next(words)
        yield n, tuple(at() for _ in range(m)), tuple(at() for _ in range(m)), [(at(), at()) for _ in range(w)]


def tables(n, walls):
    """For E, N, S and W a list of the next squares, None where a marble stops."""
    west = [s - 1 if s % n else None for s in range(n * n)]
    east = [s + 1 if (s + 1) % n else None for s in range(n * n)]
    south = [s + n if s + n < n * n else None for s in range(n * n)]
    north = [s - n if s >= n else None for s in range(n * n)]
    for a, b in walls:
        for table in (west, east, south, north):
            if table[a] == b:
                table[a] = None
            if table[b] == a:
                table[b] = None
    return (("E", west, 1), ("N", south, -1), ("S", north, 1), ("W", east, -1))


def play(state, holes, table, direction):
    state = list(state)
    waiting = {hole for k, hole in enumerate(holes) if state[k] != hole}
    stop = set()
    for s, k in sorted(((s, k) for k, s in enumerate(state) if s != holes[k]), reverse=direction < 0):
        while (to := table[s]) is not None and to not in stop:
            s = to
            if s in waiting:
                if holes[k] != s:
                    return None
                waiting.remove(s)
                break
        else:
            stop.add(s)
        state[k] = s
    return tuple(state)


answers = []
for n, start, holes, walls in boards(map(int, sys.stdin.read().split())):
    sides = tables(n, walls)
    known, level = {start: ""}, [start]
    while level and holes not in known:
        later = []
        for state in level:
            for letter, table, direction in sides:
                after = play(state, holes, table, direction)
                if after is not None and after not in known:
                    known[after] = known[state] + letter
                    later.append(after)
        level = later
    moves = known.get(holes)
    answers.append(f"Case {len(answers) + 1}: " + ("impossible" if moves is None else f"{len(moves)} moves {moves}"))
print("\n\n".join(answers))
