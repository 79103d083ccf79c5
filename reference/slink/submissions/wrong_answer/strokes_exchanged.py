# Verdict: wrong answer. A vertex that the loop passes straight on is drawn with the wrong
# stroke: "|" where it runs from left to right. Shown by sample/statement.
import sys
sys.setrecursionlimit(3000)
inp = [list(map(int, l.split())) for l in sys.stdin]
STRAIGHT = {'LR': '|', 'UD': '-'}


def go(n, m, num, a, d):
    if d >= n + m:
        return ok(n, m, a)
    for t in range(2 if d < m else 1):
        if d < m:
            a[1][d + 1] = t
        bad = False
        for i in range(1, n + 1):
            j = d - i + 1
            if j < 1 or j > m:
                continue
            v = a[i][j]
            q = num[i - 1][j - 1] - (v ^ a[i - 1][j]) - (v ^ a[i][j - 1]) - (v ^ a[i][j + 1])
            if q < 0 or q > 1 or (i == n and v ^ q):
                bad = True
                break
            a[i + 1][j] = v ^ q
        if not bad and go(n, m, num, a, d + 1):
            return True
    return False


def ok(n, m, a):
    seen = [[False] * (m + 2) for _ in range(n + 2)]
    def dfs(i, j):
        seen[i][j] = True
        k = 1
        for y, x in (i+1, j), (i-1, j), (i, j+1), (i, j-1):
            if 0 <= y <= n+1 and 0 <= x <= m+1 and not seen[y][x] and a[y][x] == a[i][j]:
                k += dfs(y, x)
        return k
    total = dfs(0, 0)
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            if a[i][j]:
                return total + dfs(i, j) == (n + 2) * (m + 2)
    return False


pos, k = 0, 0
while inp[pos] != [0, 0]:
    n, m = inp[pos]
    num = inp[pos + 1:pos + 1 + n]
    pos += 1 + n
    k += 1
    a = [[0] * (m + 2) for _ in range(n + 2)]
    go(n, m, num, a, 0)
    page = [['#'] * (4 * m + 5)] + [['#'] + [' '] * (4 * m + 3) + ['#'] for _ in range(2 * n + 3)] + [['#'] * (4 * m + 5)]
    for i in range(n + 1):
        for j in range(m + 1):
            lines = ''
            if a[i][j] != a[i + 1][j]:
                lines += 'L'
            if a[i][j + 1] != a[i + 1][j + 1]:
                lines += 'R'
                page[2 + 2 * i][3 + 4 * j:6 + 4 * j] = '---'
            if a[i][j] != a[i][j + 1]:
                lines += 'U'
            if a[i + 1][j] != a[i + 1][j + 1]:
                lines += 'D'
                page[3 + 2 * i][2 + 4 * j] = '|'
            if lines:
                page[2 + 2 * i][2 + 4 * j] = STRAIGHT.get(lines, '+')
            if i < n and j < m:
                page[3 + 2 * i][4 + 4 * j] = str(num[i][j])
    print(k)
    for line in page:
        print(''.join(line))
