/* Verdict: wrong answer. The walk is printed as it is found from the parents, from its
 * end to its start. Shown by sample/statement. */
#include <stdio.h>
#include <string.h>

/* right[t][f] is the number on the right with t on top and f in front */
static const int right[7][7] = {
    {0, 0, 0, 0, 0, 0, 0},
    {0, 0, 3, 5, 2, 4, 0},
    {0, 4, 0, 1, 6, 0, 3},
    {0, 2, 6, 0, 0, 1, 5},
    {0, 5, 1, 0, 0, 6, 2},
    {0, 3, 0, 6, 1, 0, 4},
    {0, 0, 4, 2, 5, 3, 0},
};

int R, C, grid[16][16];
int top[2500], front[2500], place[2500], from[2500];
char been[256][7][7];

int main() {
    char name[100];
    int sr, sc, t, f, i, j, k;
    for (;;) {
        scanf("%s", name);
        if (!strcmp(name, "END")) break;
        scanf("%d %d %d %d %d %d", &R, &C, &sr, &sc, &t, &f);
        memset(grid, 0, sizeof(grid));
        memset(been, 0, sizeof(been));
        for (i = 1; i <= R; i++)
            for (j = 1; j <= C; j++) scanf("%d", &grid[i][j]);
        printf("%s\n", name);

        int home = sr * 16 + sc, first = 0, last = 1, end = -1;
        place[0] = home, top[0] = t, front[0] = f, from[0] = -1;
        while (first < last && end < 0) {
            int p = place[first];
            t = top[first], f = front[first];
            int r = right[t][f];
            int np[4] = {p - 16, p + 16, p - 1, p + 1};
            int nt[4] = {f, 7 - f, r, 7 - r};
            int nf[4] = {7 - t, t, f, f};
            for (k = 0; k < 4; k++) {
                int s = grid[np[k] / 16][np[k] % 16];
                if (s != -1 && s != t) continue;
                if (been[np[k]][nt[k]][nf[k]]) continue;
                been[np[k]][nt[k]][nf[k]] = 1;
                place[last] = np[k], top[last] = nt[k], front[last] = nf[k], from[last] = first;
                if (np[k] == home) { end = last; break; }
                last++;
            }
            first++;
        }
        if (end < 0) {
            printf("  No Solution Possible\n");
            continue;
        }
        int count = 0;
        for (i = end; i >= 0; i = from[i]) {
            if (count % 9 == 0) printf(count ? ",\n  " : "  ");
            else printf(",");
            printf("(%d,%d)", place[i] / 16, place[i] % 16);
            count++;
        }
        printf("\n");
    }
    return 0;
}
