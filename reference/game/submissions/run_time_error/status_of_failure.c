/* Verdict: run-time error. The output is right, but a game that cannot be won is taken
 * for a failure of the program, which ends with status 1. Shown by sample/statement. */
#include <stdio.h>
#include <stdlib.h>

enum { CELLS = 16, SETS = 1 << CELLS };

static int parity_table[CELLS];

static void die(const char *message)
{
    puts(message);
    exit(EXIT_FAILURE);
}

int main(void)
{
    int target = 0, c, n = 0, best = CELLS + 1;
    char digits[9];

    while (n < CELLS)
        if ((c = getchar()) == 'B' || c == 'W') target |= (c == 'B') << n++;
    for (n = 0; n < 9;)
        if ((c = getchar()) == '0' || c == '1') digits[n++] = c - '0';
    for (int cell = 0; cell < CELLS; cell++)
        for (int d = 0; d < 9; d++) {
            int row = cell / 4 + d / 3 - 1, column = cell % 4 + d % 3 - 1;
            if (digits[d] && row >= 0 && row < 4 && column >= 0 && column < 4)
                parity_table[cell] |= 1 << (row * 4 + column);
        }
    for (int set = 0; set < SETS; set++) {
        int size = 0, board = target;
        for (int cell = 0; cell < CELLS; cell++)
            if (set >> cell & 1) board ^= parity_table[cell], size++;
        if ((board == 0 || board == SETS - 1) && size < best) best = size;
    }
    if (best > CELLS) die("Impossible");
    printf("%d\n", best);
    return EXIT_SUCCESS;
}
