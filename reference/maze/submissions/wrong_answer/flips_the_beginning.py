# Verdict: wrong answer. Turns the cells up to position n round, as if pancakes were to
# be flipped, and leaves the rest. Shown by sample/statement.
import sys

data = sys.stdin.read().split()
pos = 0


def token():
    global pos
    pos += 1
    return data[pos - 1] if pos <= len(data) else "U"


T = int(token())
for t in range(T):
    M = int(token()); N = int(token())
    i = int(token()); j = int(token())
    free = [[False] * (N + 2)] + [[False] + [True] * N + [False] for _ in range(M)] + [[False] * (N + 2)]
    pic = [list(" _" * N)] + [list("|" + "_|" * N) for _ in range(M)]
    free[i][j] = False
    stack = [(i, j)]
    while stack:
        i, j = stack[-1]
        if not (free[i-1][j] or free[i+1][j] or free[i][j-1] or free[i][j+1]):
            stack.pop()
            continue
        c = token()
        if c == 'F':
            n = int(token())
            stack[:n] = stack[:n][::-1]
            continue
        if c == 'U':
            i += 1
            if i <= M:
                pic[M + 1 - i][2 * j - 1] = ' '
        elif c == 'D':
            pic[M + 1 - i][2 * j - 1] = ' '
            i -= 1
        elif c == 'R':
            pic[M + 1 - i][2 * j] = ' '
            j += 1
        else:
            j -= 1
            pic[M + 1 - i][2 * j] = ' '
        if free[i][j]:
            free[i][j] = False
            stack.append((i, j))
        elif pos > len(data):
            break
    for line in pic:
        print(''.join(line))
    print()
