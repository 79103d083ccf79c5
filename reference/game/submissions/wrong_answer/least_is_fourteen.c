/* Verdict: wrong answer. Fourteen is the most moves that a game can take, so the
 * author begins with it as infinity, and a game that takes exactly fourteen is
 * called impossible. Shown by edge/fourteen. */
#include <stdio.h>

#define FAR 14

static char b[4][5], p[3][4];

static void press(int y, int x)
{
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            int r = y + dy, c = x + dx;
            if (r < 0 || r > 3 || c < 0 || c > 3) continue;
            if (p[dy + 1][dx + 1] == '1') b[r][c] ^= 'B' ^ 'W';
        }
}

static int same(void)
{
    for (int k = 1; k < 16; k++)
        if (b[k / 4][k % 4] != b[0][0]) return 0;
    return 1;
}

static int best = FAR;

static void go(int k, int moves)
{
    if (moves >= best) return;
    if (k == 16) {
        if (same()) best = moves;
        return;
    }
    go(k + 1, moves);
    press(k / 4, k % 4);
    go(k + 1, moves + 1);
    press(k / 4, k % 4);
}

int main(void)
{
    for (int i = 0; i < 4; i++) scanf("%4s", b[i]);
    for (int i = 0; i < 3; i++) scanf("%3s", p[i]);
    go(0, 0);
    if (best == FAR) puts("Impossible");
    else printf("%d\n", best);
    return 0;
}
