/* Verdict: run-time error. To reverse cells, two indices run towards each other until
 * they are equal. If the number of cells is even they pass each other and run on until
 * memory ends. Shown by sample/statement. */
#include <stdio.h>
#include <string.h>

#define N 42

static int grid[N][N]; /* bits: 1 visited, 2 no floor, 4 no right wall */
static int list[N * N], length;

static void visit(int cell)
{
    grid[cell / N][cell % N] |= 1;
    list[length++] = cell;
}

static int taken(int cell) { return grid[cell / N][cell % N] & 1; }

static void flip(int from)
{
    for (int i = from - 1, j = length - 1; i != j; i++, j--) {
        int swap = list[i];
        list[i] = list[j];
        list[j] = swap;
    }
}

static void command(void)
{
    char c;
    int n, here = list[length - 1];
    scanf(" %c", &c);
    switch (c) {
    case 'F':
        scanf("%d", &n);
        flip(n);
        return;
    case 'U':
        visit(here + N);
        grid[here / N + 1][here % N] |= 2;
        return;
    case 'D':
        visit(here - N);
        grid[here / N][here % N] |= 2;
        return;
    case 'L':
        visit(here - 1);
        grid[here / N][here % N - 1] |= 4;
        return;
    case 'R':
        visit(here + 1);
        grid[here / N][here % N] |= 4;
        return;
    }
}

int main(void)
{
    int mazes, m, n, r, c;
    for (scanf("%d", &mazes); mazes; mazes--) {
        scanf("%d %d %d %d", &m, &n, &r, &c);
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) grid[i][j] = i < 1 || i > m || j < 1 || j > n;
        length = 0;
        visit(r * N + c);
        while (length) {
            int here = list[length - 1];
            if (taken(here + N) && taken(here - N) && taken(here + 1) && taken(here - 1)) length--;
            else command();
        }
        for (int j = 0; j < n; j++) printf(" _");
        printf("\n");
        for (int i = m; i >= 1; i--) {
            printf("|");
            for (int j = 1; j <= n; j++) printf("%c%c", grid[i][j] & 2 ? ' ' : '_', grid[i][j] & 4 ? ' ' : '|');
            printf("\n");
        }
        printf("\n");
    }
    return 0;
}
