/* Verdict: wrong answer. The chips are read with %c and no blank before it, so that
 * the ends of the lines are taken for chips too and the rest slides along. Shown by
 * sample/statement. */
#include <stdio.h>

int chip[4][4], pat[3][3], best = 99;

void flip(int i, int j) {
    int a, b;
    for (a = 0; a < 3; a++)
        for (b = 0; b < 3; b++)
            if (pat[a][b] && i + a > 0 && i + a <= 4 && j + b > 0 && j + b <= 4)
                chip[i + a - 1][j + b - 1] = !chip[i + a - 1][j + b - 1];
}

void try_from(int n, int used) {
    int k, sum = 0;
    if (n == 16) {
        for (k = 0; k < 16; k++) sum += chip[k / 4][k % 4];
        if ((sum == 0 || sum == 16) && used < best) best = used;
        return;
    }
    try_from(n + 1, used);
    flip(n / 4, n % 4);
    try_from(n + 1, used + 1);
    flip(n / 4, n % 4);
}

int main() {
    int i, j;
    char c;
    for (i = 0; i < 4; i++)
        for (j = 0; j < 4; j++) {
            scanf("%c", &c);
            chip[i][j] = c == 'B' ? 1 : 0;
        }
    for (i = 0; i < 3; i++)
        for (j = 0; j < 3; j++) {
            scanf("%c", &c);
            pat[i][j] = c == '1' ? 1 : 0;
        }
    try_from(0, 0);
    if (best == 99) printf("Impossible\n");
    else printf("%d\n", best);
    return 0;
}
