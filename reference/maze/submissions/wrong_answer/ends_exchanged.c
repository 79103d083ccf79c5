/* Verdict: wrong answer. F n exchanges the cell at n and the last one; those between
 * stay as they are. Shown by edge/flips-in-a-row. */
#include <stdio.h>

int H, W, t, n, k;
int list[2000];
char was[50][50], floor_[50][50], wall[50][50];

int ok(int r, int c) { return r >= 0 && c >= 0 && r < H && c < W && !was[r][c]; }

int main() {
    scanf("%d", &t);
    while (t--) {
        int r, c, i, j;
        if (scanf("%d%d%d%d", &H, &W, &r, &c) != 4) return 0;
        for (i = 0; i < H; i++)
            for (j = 0; j < W; j++) was[i][j] = 0, floor_[i][j] = '_', wall[i][j] = '|';
        n = 0;
        list[n++] = --r * 50 + --c;
        was[r][c] = 1;
        while (n) {
            r = list[n - 1] / 50;
            c = list[n - 1] % 50;
            if (!ok(r + 1, c) && !ok(r - 1, c) && !ok(r, c + 1) && !ok(r, c - 1)) {
                n--;
                continue;
            }
            char cmd[9];
            if (scanf("%8s", cmd) != 1) break;
            if (cmd[0] == 'F') {
                scanf("%d", &k);
                if (k < 1 || k > n) continue;
                i = list[k - 1];
                list[k - 1] = list[n - 1];
                list[n - 1] = i;
                continue;
            }
            int nr = r + (cmd[0] == 'U') - (cmd[0] == 'D');
            int nc = c + (cmd[0] == 'R') - (cmd[0] == 'L');
            if (!ok(nr, nc)) continue;
            was[nr][nc] = 1;
            list[n++] = nr * 50 + nc;
            if (cmd[0] == 'U') floor_[nr][nc] = ' ';
            if (cmd[0] == 'D') floor_[r][c] = ' ';
            if (cmd[0] == 'R') wall[r][c] = ' ';
            if (cmd[0] == 'L') wall[nr][nc] = ' ';
        }
        for (j = 0; j < W; j++) printf(" _");
        printf("\n");
        for (i = H - 1; i >= 0; i--) {
            printf("|");
            for (j = 0; j < W; j++) printf("%c%c", floor_[i][j], wall[i][j]);
            printf("\n");
        }
        printf("\n");
    }
    return 0;
}
