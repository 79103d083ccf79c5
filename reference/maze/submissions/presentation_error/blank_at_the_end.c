/* Verdict: presentation error. The first line is made of underscores with a blank behind
 * each of them and one before all: one blank too many. Shown by sample/statement. */
#include <ctype.h>
#include <stdio.h>

static int number(int *next)
{
    int n = 0;
    while (isspace(*next)) *next = getchar();
    for (; isdigit(*next); *next = getchar()) n = 10 * n + *next - '0';
    return n;
}

int main(void)
{
    enum { NO_FLOOR = 1, NO_WALL = 2, VISITED = 4 };
    int next = getchar(), mazes = number(&next);
    while (mazes-- > 0) {
        int grid[41][41], list[1521], length = 0;
        int rows = number(&next), columns = number(&next), r = number(&next), c = number(&next);
        for (int i = 0; i < 41; i++)
            for (int j = 0; j < 41; j++) grid[i][j] = i && j && i <= rows && j <= columns ? 0 : VISITED;
        grid[r][c] = VISITED;
        list[length++] = 41 * r + c;
        while (length > 0) {
            int at = list[length - 1], *cell = &grid[0][0] + at;
            if (cell[1] & cell[-1] & cell[41] & cell[-41] & VISITED) {
                --length;
                continue;
            }
            while (isspace(next)) next = getchar();
            int command = next, to = at;
            next = getchar();
            switch (command) {
            case 'F':
                for (int i = number(&next) - 1, j = length - 1; i < j; i++, j--) {
                    int k = list[i];
                    list[i] = list[j];
                    list[j] = k;
                }
                continue;
            case 'U': cell[41] |= NO_FLOOR; to += 41; break;
            case 'D': cell[0] |= NO_FLOOR; to -= 41; break;
            case 'L': cell[-1] |= NO_WALL; to -= 1; break;
            case 'R': cell[0] |= NO_WALL; to += 1; break;
            }
            (&grid[0][0])[to] |= VISITED;
            list[length++] = to;
        }
        putchar(' ');
        for (int j = 1; j <= columns; j++) printf("_ ");
        putchar('\n');
        for (int i = rows; i > 0; i--) {
            putchar('|');
            for (int j = 1; j <= columns; j++) {
                putchar("_ "[grid[i][j] & NO_FLOOR]);
                putchar("| "[grid[i][j] / NO_WALL & 1]);
            }
            putchar('\n');
        }
        putchar('\n');
    }
    return 0;
}
