/* Verdict: time limit exceeded. The sets are counted in 16 bits, and no number of 16
 * bits is ever greater than the last set: the loop begins anew. Shown by
 * sample/statement. */
#include <stdint.h>
#include <stdio.h>

int main(void) {
    char rows[7][6];
    uint16_t board = 0, effect[16];
    int best = 17;

    for (int i = 0; i < 7; i++) scanf("%5s", rows[i]);
    for (int i = 0; i < 16; i++) {
        board |= (rows[i / 4][i % 4] == 'B') << i;
        effect[i] = 0;
        for (int j = 0; j < 16; j++) {
            int down = j / 4 - i / 4 + 1, right = j % 4 - i % 4 + 1;
            if (down >= 0 && down <= 2 && right >= 0 && right <= 2 && rows[4 + down][right] == '1')
                effect[i] |= 1 << j;
        }
    }

    for (uint16_t set = 0; set <= UINT16_MAX; set++) {
        uint16_t now = board;
        for (int i = 0; i < 16; i++)
            if (set >> i & 1) now ^= effect[i];
        int moves = __builtin_popcount(set);
        if ((now == 0 || now == UINT16_MAX) && moves < best) best = moves;
    }

    if (best == 17) printf("Impossible\n");
    else printf("%d\n", best);
    return 0;
}
