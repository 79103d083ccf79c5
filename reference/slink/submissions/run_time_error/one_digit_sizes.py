# Verdict: run-time error. The sizes are taken from the first and the third character of
# their line; of "10 3" the latter is a blank. Shown by edge/small-after-large.
import sys

lines = sys.stdin.readlines()
k = 0
case = 0
while True:
    r, c = int(lines[k][0]), int(lines[k][2])
    if r == 0 and c == 0:
        break
    case += 1
    N = [[int(x) for x in lines[k + 1 + i].split()] for i in range(r)]
    k += 1 + r
    G = {(i, j): 0 for i in range(-1, r + 1) for j in range(-1, c + 1)}

    def connected():
        for want in (0, 1):
            cells = {p for p in G if G[p] == want}
            if not cells:
                return False
            todo = [next(iter(cells))]
            cells.remove(todo[0])
            while todo:
                i, j = todo.pop()
                for p in ((i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1)):
                    if p in cells:
                        cells.remove(p)
                        todo.append(p)
            if cells:
                return False
        return True

    def search(d):
        if d == r + c:
            return connected()
        for first in ([0, 1] if d < c else [0]):
            if d < c:
                G[0, d] = first
            good = True
            for i in range(1, r + 1):
                j = d - i
                if not 0 <= j < c:
                    continue
                x = G[i - 1, j]
                m = N[i - 1][j] - abs(x - G[i - 2, j]) - abs(x - G[i - 1, j - 1]) - abs(x - G[i - 1, j + 1])
                if m < 0 or m > 1 or i == r and (x + m) % 2:
                    good = False
                    break
                G[i, j] = (x + m) % 2
            if good and search(d + 1):
                return True
        return False

    search(0)
    print(case)
    print('#' * (4 * c + 5))
    print('#' + ' ' * (4 * c + 3) + '#')
    for i in range(r + 1):
        s = '# '
        for j in range(c + 1):
            u = G[i - 1, j - 1] != G[i - 1, j]
            d = G[i, j - 1] != G[i, j]
            l = G[i - 1, j - 1] != G[i, j - 1]
            t = G[i - 1, j] != G[i, j]
            s += '|' if u and d else '-' if l and t else '+' if u or d else ' '
            s += '---' if t else '   '
        print(s[:4 * c + 3] + ' #')
        if i < r:
            s = '# '
            for j in range(c + 1):
                s += '|' if G[i, j - 1] != G[i, j] else ' '
                if j < c:
                    s += ' ' + str(N[i][j]) + ' '
            print(s + ' #')
    print('#' + ' ' * (4 * c + 3) + '#')
    print('#' * (4 * c + 5))
