# Verdict: wrong answer. Every chosen cell is counted from both of its coordinates, and
# the sum halved by "/", which makes a float of it: 3.0 for 3. Shown by edge/white-already.
import sys
data = sys.stdin.read().split()
B = [[1 if ch == 'B' else 0 for ch in row] for row in data[0:4]]
P = [[int(ch) for ch in row] for row in data[4:7]]
vec = {}
for i in range(4):
    for j in range(4):
        v = 0
        for di in range(-1, 2):
            for dj in range(-1, 2):
                if P[di+1][dj+1] and 0 <= i+di <= 3 and 0 <= j+dj <= 3:
                    v |= 2 ** ((i+di)*4 + j+dj)
        vec[i, j] = v
goal = sum(B[i][j] * 2 ** (i*4+j) for i in range(4) for j in range(4))
cost = {0: 0}
for (i, j), v in vec.items():
    new = dict(cost)
    for k, c in cost.items():
        # one for the row and one for the column
        if k ^ v not in new or new[k ^ v] > c + 2:
            new[k ^ v] = c + 2
    cost = new
found = [cost[g] for g in (goal, goal ^ 65535) if g in cost]
if found:
    print(min(found) / 2)
else:
    print('Impossible')
