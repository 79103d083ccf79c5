/* Verdict: wrong answer. All eight cells around the last one are looked at, so that a
 * cell stays in the list while only a diagonal one is free. Shown by edge/flip-last-two. */
#include <stdio.h>
#include <string.h>

#define MAX 41

static char seen[MAX][MAX];
static char page[MAX][2 * MAX + 2];
static struct { int r, c; } list[1600], tmp;
static int m, n, len;

static int alive(int r, int c)
{
    int dr, dc;
    for (dr = -1; dr <= 1; dr++)
        for (dc = -1; dc <= 1; dc++)
            if (r + dr >= 1 && r + dr <= m && c + dc >= 1 && c + dc <= n && !seen[r + dr][c + dc]) return 1;
    return 0;
}

static void add(int r, int c)
{
    if (r < 1 || r > m || c < 1 || c > n || seen[r][c]) return;
    seen[r][c] = 1;
    list[len].r = r;
    list[len++].c = c;
}

int main(void)
{
    int mazes, r, c, i, j, k;
    char cmd;
    scanf("%d", &mazes);
    while (mazes-- > 0) {
        if (scanf("%d %d %d %d", &m, &n, &r, &c) != 4) break;
        memset(seen, 0, sizeof seen);
        for (i = 1; i <= m; i++) {
            page[i][0] = '|';
            for (j = 1; j <= n; j++) page[i][2 * j - 1] = '_', page[i][2 * j] = '|';
            page[i][2 * n + 1] = 0;
        }
        len = 0;
        add(r, c);
        while (len) {
            r = list[len - 1].r;
            c = list[len - 1].c;
            if (!alive(r, c)) {
                len--;
                continue;
            }
            if (scanf(" %c", &cmd) != 1) break;
            switch (cmd) {
            case 'F':
                scanf("%d", &k);
                for (i = k - 1, j = len - 1; i < j; i++, j--) tmp = list[i], list[i] = list[j], list[j] = tmp;
                break;
            case 'U': add(r + 1, c); if (r < m) page[r + 1][2 * c - 1] = ' '; break;
            case 'D': add(r - 1, c); page[r][2 * c - 1] = ' '; break;
            case 'L': add(r, c - 1); page[r][2 * c - 2] = ' '; break;
            case 'R': add(r, c + 1); page[r][2 * c] = ' '; break;
            }
        }
        for (j = 0; j < n; j++) printf(" _");
        puts("");
        for (i = m; i > 0; i--) puts(page[i]);
        puts("");
    }
    return 0;
}
