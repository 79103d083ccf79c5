# Verdict: run-time error. The position is cut out of the line, two characters of it; a
# third digit is not read. Other cells are dug, and the commands do not suffice. Shown by edge/three-digit-positions.
from sys import stdin

lines = stdin.readlines()
now = 1
out = []
for maze in range(int(lines[0])):
    h, w = [int(x) for x in lines[now].split()]
    y, x = [int(x) for x in lines[now + 1].split()]
    now += 2
    W = w + 1
    used = [True] * W + ([False] * w + [True]) * h + [True] * W
    walls = ['_|'] * len(used)
    here = y * W + x - 1
    used[here] = True
    queue = [here]
    while queue:
        here = queue[-1]
        if used[here - 1] and used[here + 1] and used[here - W] and used[here + W]:
            queue.pop()
            continue
        line = lines[now]
        now += 1
        if line[0] == 'F':
            n = int(line[2:4])
            queue = queue[:n - 1] + queue[n - 1:][::-1]
            continue
        there = here + {'U': W, 'D': -W, 'L': -1, 'R': 1}[line[0]]
        if line[0] == 'U':
            walls[there] = ' ' + walls[there][1]
        if line[0] == 'D':
            walls[here] = ' ' + walls[here][1]
        if line[0] == 'L':
            walls[there] = walls[there][0] + ' '
        if line[0] == 'R':
            walls[here] = walls[here][0] + ' '
        if not used[there]:
            used[there] = True
            queue.append(there)
    out.append(' _' * w + '\n')
    for y in range(h, 0, -1):
        out.append('|' + ''.join(walls[y * W:y * W + w]) + '\n')
    out.append('\n')
print(''.join(out), end='')
