/* Verdict: run-time error. A search by recursion that marks nothing: between two wild
 * squares it goes to and fro until the stack is full. Shown by sample/statement. */
#include <stdio.h>
#include <string.h>

static int R, C, square[11][11], home_r, home_c;
static int path[4000][2];

static int search(int r, int c, int top, int front, int right, int length)
{
    static const int dr[] = {-1, 1, 0, 0}, dc[] = {0, 0, -1, 1};
    path[length % 4000][0] = r;
    path[length % 4000][1] = c;
    for (int k = 0; k < 4; k++) {
        int nr = r + dr[k], nc = c + dc[k], found;
        if (nr < 1 || nc < 1 || nr > R || nc > C) continue;
        if (square[nr][nc] != -1 && square[nr][nc] != top) continue;
        if (nr == home_r && nc == home_c) return length + 1;
        switch (k) {
        case 0: found = search(nr, nc, front, 7 - top, right, length + 1); break;
        case 1: found = search(nr, nc, 7 - front, top, right, length + 1); break;
        case 2: found = search(nr, nc, right, front, 7 - top, length + 1); break;
        default: found = search(nr, nc, 7 - right, front, top, length + 1);
        }
        if (found) return found;
    }
    return 0;
}

static int right_of(int top, int front)
{
    int die[3] = {1, 2, 3}; /* top, front, right */
    for (int i = 0; i < 4 && die[0] != top; i++) {
        int t = die[0];
        die[0] = die[1], die[1] = 7 - t;
    }
    if (die[0] != top) { /* 3 or 4 */
        int t = die[0];
        die[0] = top == 3 ? die[2] : 7 - die[2];
        die[2] = top == 3 ? 7 - t : t;
    }
    while (die[1] != front) {
        int f = die[1];
        die[1] = die[2], die[2] = 7 - f;
    }
    return die[2];
}

int main(void)
{
    char name[21];
    while (scanf("%20s", name) == 1 && strcmp(name, "END") != 0) {
        int top, front;
        scanf("%d %d %d %d %d %d", &R, &C, &home_r, &home_c, &top, &front);
        for (int i = 1; i <= R; i++)
            for (int j = 1; j <= C; j++) scanf("%d", &square[i][j]);
        int length = search(home_r, home_c, top, front, right_of(top, front), 0);
        puts(name);
        if (!length) {
            puts("  No Solution Possible");
            continue;
        }
        path[length][0] = home_r, path[length][1] = home_c;
        for (int i = 0; i <= length; i++)
            printf("%s(%d,%d)%s", i % 9 ? "" : "  ", path[i][0], path[i][1],
                   i == length ? "\n" : i % 9 == 8 ? ",\n" : ",");
    }
    return 0;
}
