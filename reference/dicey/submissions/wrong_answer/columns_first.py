# Verdict: wrong answer. The first two numbers are taken for columns and rows. It reads the
# right number of squares, but gives them wrong neighbours. Shown by sample/statement.
import sys

words = iter(sys.stdin.read().split())
# sides of the die: north, east, top
table = {}
todo = [(5, 3, 1)]
while todo:
    n, e, t = todo.pop()
    if (t, 7 - n) not in table:
        table[t, 7 - n] = (n, e, t)
        todo += [(t, e, 7 - n), (n, 7 - t, e), (7 - t, e, n), (n, t, 7 - e)]
for name in words:
    if name == 'END':
        break
    cols, rows, r, c, top, front = [int(next(words)) for _ in range(6)]
    squares = [[int(next(words)) for _ in range(cols)] for _ in range(rows)]
    home = (r - 1, c - 1)
    start = home + table[top, front]
    parent = {}
    level = [start]
    end = None
    while level and not end:
        new = []
        for state in level:
            r, c, n, e, t = state
            for rr, cc, die in ((r - 1, c, (t, e, 7 - n)), (r + 1, c, (7 - t, e, n)),
                                (r, c - 1, (n, 7 - t, e)), (r, c + 1, (n, t, 7 - e))):
                if 0 <= rr < rows and 0 <= cc < cols and squares[rr][cc] in (-1, t):
                    follower = (rr, cc) + die
                    if (rr, cc) == home:
                        end = (state,)
                    elif follower not in parent:
                        parent[follower] = state
                        new.append(follower)
        level = new
    print(name)
    if not end:
        print('  No Solution Possible')
        continue
    path = [home]
    state = end[0]
    while state != start:
        path.append(state[:2])
        state = parent[state]
    path.append(home)
    path.reverse()
    for i in range(0, len(path), 9):
        tail = ',' if i + 9 < len(path) else ''
        print('  ' + ','.join('(%d,%d)' % (r + 1, c + 1) for r, c in path[i:i+9]) + tail)
