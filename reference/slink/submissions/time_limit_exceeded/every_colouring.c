/* Verdict: time limit exceeded. Tries all sets of cells as the inside of the loop: 2^64 of
 * them for the first puzzle of the sample. Shown by sample/statement. */
#include <stdio.h>
#include <string.h>

static int r, c, n[20][20];
static char in[20][20], seen[22][22];

static char at(int i, int j) { return i < 0 || j < 0 || i >= r || j >= c ? 0 : in[i][j]; }

static int fits(void)
{
    for (int i = 0; i < r; i++)
        for (int j = 0; j < c; j++) {
            int lines = (at(i, j) ^ at(i - 1, j)) + (at(i, j) ^ at(i + 1, j)) + (at(i, j) ^ at(i, j - 1)) + (at(i, j) ^ at(i, j + 1));
            if (lines != n[i][j]) return 0;
        }
    return 1;
}

static int reach(int i, int j, char kind)
{
    if (i < -1 || j < -1 || i > r || j > c || seen[i + 1][j + 1] || at(i, j) != kind) return 0;
    seen[i + 1][j + 1] = 1;
    return 1 + reach(i + 1, j, kind) + reach(i - 1, j, kind) + reach(i, j + 1, kind) + reach(i, j - 1, kind);
}

static int single(void)
{
    memset(seen, 0, sizeof seen);
    int cells = reach(-1, -1, 0), inside = 0;
    for (int k = 0; k < r * c && !inside; k++) inside = reach(k / c, k % c, 1);
    return inside && cells + inside == (r + 2) * (c + 2);
}

/* Adds one to the number whose digits are the cells. */
static int next(void)
{
    for (int k = 0; k < r * c; k++)
        if (in[k / c][k % c] ^= 1) return 1;
    return 0;
}

int main(void)
{
    for (int k = 1; scanf("%d %d", &r, &c) == 2 && r; k++) {
        for (int i = 0; i < r * c; i++) scanf("%d", &n[i / c][i % c]);
        memset(in, 0, sizeof in);
        while (next() && !(fits() && single()))
            ;
        printf("%d\n", k);
        for (int i = 0; i < 4 * c + 5; i++) putchar('#');
        printf("\n#%*s\n", 4 * c + 4, "#");
        for (int i = 0; i <= r; i++) {
            printf("# ");
            for (int j = 0; j <= c; j++) {
                int a = at(i - 1, j - 1), b = at(i - 1, j), d = at(i, j - 1), e = at(i, j);
                putchar(a == b && d == e ? (a == d ? ' ' : '-') : a == d && b == e ? '|' : '+');
                if (j < c) printf(b == e ? "   " : "---");
            }
            printf(" #\n");
            if (i == r) break;
            printf("# ");
            for (int j = 0; j < c; j++) printf("%c %d ", at(i, j - 1) == at(i, j) ? ' ' : '|', n[i][j]);
            printf("%c #\n", at(i, c - 1) ? '|' : ' ');
        }
        printf("#%*s\n", 4 * c + 4, "#");
        for (int i = 0; i < 4 * c + 5; i++) putchar('#');
        printf("\n");
    }
    return 0;
}
