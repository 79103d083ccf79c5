/* Verdict: output limit exceeded. Continues "while scanf", but at the end of the input
 * scanf returns EOF, which is -1 and true: empty puzzles are drawn for ever. Shown by
 * sample/statement. */
#include <stdio.h>
#include <string.h>

int r, c, n[21][21];
int h[22][22], v[22][22]; /* edges: above a cell, left of a cell; -1 open */

int up(int i, int j) { return i > 0 ? v[i - 1][j] : 0; }
int left(int i, int j) { return j > 0 ? h[i][j - 1] : 0; }

int closed(void) {
    int i, j, edges = 0, y = -1, x = -1, dir = 1, steps = 0;
    for (i = 0; i <= r; i++)
        for (j = 0; j <= c; j++) {
            if (j < c && h[i][j]) { edges++; if (y < 0) y = i, x = j; }
            if (i < r && v[i][j]) edges++;
        }
    if (y < 0) return 0;
    int y0 = y, x0 = x;
    do { /* 0 up, 1 right, 2 down, 3 left */
        if (dir == 0) y--;
        if (dir == 1) x++;
        if (dir == 2) y++;
        if (dir == 3) x--;
        steps++;
        if (dir != 2 && up(y, x)) dir = 0;
        else if (dir != 3 && x < c && h[y][x]) dir = 1;
        else if (dir != 0 && y < r && v[y][x]) dir = 2;
        else dir = 3;
    } while (y != y0 || x != x0);
    return steps == edges;
}

/* vertices in rows: the edges to the right and below are chosen at each */
int vertex(int at) {
    int i = at / (c + 1), j = at % (c + 1);
    if (i > r) return closed();
    int before = up(i, j) + left(i, j);
    for (int e = 0; e < 4; e++) {
        int right = e & 1, down = e >> 1, all = before + right + down;
        if ((right && j == c) || (down && i == r) || (all != 0 && all != 2)) continue;
        if (i > 0 && j < c) {
            /* the cell above right: its left, upper and lower edges are known */
            if (j + 1 <= c && h[i - 1][j] + v[i - 1][j] + right > n[i - 1][j]) continue;
            if (n[i - 1][j] - h[i - 1][j] - v[i - 1][j] - right != v[i - 1][j + 1]) continue;
        }
        if (j < c) h[i][j] = right;
        if (i < r) v[i][j] = down;
        if (vertex(at + 1)) return 1;
    }
    if (j < c) h[i][j] = 0;
    if (i < r) v[i][j] = 0;
    return 0;
}

void draw(void) {
    int i, j, w = 4 * c + 5;
    char s[100];
    for (i = -1; i <= 2 * r + 3; i++) {
        memset(s, i == -1 || i == 2 * r + 3 ? '#' : ' ', w);
        s[0] = s[w - 1] = '#';
        s[w] = 0;
        int y = (i - 1) / 2;
        if (i >= 1 && i <= 2 * r + 1)
            for (j = 0; j <= c; j++) {
                char *p = s + 2 + 4 * j;
                if (i % 2 == 0) {
                    if (v[y][j]) *p = '|';
                    if (j < c) p[2] = '0' + n[y][j];
                    continue;
                }
                int l = left(y, j), rt = j < c && h[y][j], u = up(y, j), d = y < r && v[y][j];
                *p = l && rt ? '-' : u && d ? '|' : l + rt + u + d ? '+' : ' ';
                if (rt) memset(p + 1, '-', 3);
            }
        puts(s);
    }
}

int main() {
    int number = 0, i, j;
    while (scanf("%d %d", &r, &c)) {
        for (i = 0; i < r; i++)
            for (j = 0; j < c; j++) scanf("%d", &n[i][j]);
        memset(h, 0, sizeof h);
        memset(v, 0, sizeof v);
        vertex(0);
        printf("%d\n", ++number);
        draw();
    }
    return 0;
}
