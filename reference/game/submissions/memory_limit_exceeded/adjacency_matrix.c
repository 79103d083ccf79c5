/* Verdict: memory limit exceeded. The boards are the nodes of a graph, which is kept
 * as a matrix: one bit for each pair of boards, 512 MiB, of which every row is
 * written. Shown by sample/statement. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NODES 65536
#define WORDS (NODES / 64)

int main(void) {
    char chip[4][5], digit[3][4];
    for (int i = 0; i < 4; i++) scanf("%4s", chip[i]);
    for (int i = 0; i < 3; i++) scanf("%3s", digit[i]);

    uint64_t(*edge)[WORDS] = malloc(sizeof(uint64_t[NODES][WORDS]));
    if (!edge) abort();
    memset(edge, 0, sizeof(uint64_t[NODES][WORDS]));
    unsigned start = 0;
    for (int cell = 0; cell < 16; cell++) {
        if (chip[cell / 4][cell % 4] == 'B') start |= 1u << cell;
        unsigned flip = 0;
        for (int y = 0; y < 3; y++)
            for (int x = 0; x < 3; x++) {
                int r = cell / 4 + y - 1, c = cell % 4 + x - 1;
                if (digit[y][x] == '1' && r >= 0 && r < 4 && c >= 0 && c < 4) flip |= 1u << (4 * r + c);
            }
        for (unsigned a = 0; a < NODES; a++) edge[a][(a ^ flip) / 64] |= UINT64_C(1) << ((a ^ flip) % 64);
    }

    int *moves = calloc(NODES, sizeof *moves), *queue = malloc(NODES * sizeof *queue);
    int head = 0, tail = 0;
    moves[start] = 1;
    queue[tail++] = start;
    while (head < tail) {
        int a = queue[head++];
        if (a == 0 || a == NODES - 1) {
            printf("%d\n", moves[a] - 1);
            return 0;
        }
        for (int b = 0; b < NODES; b++)
            if (edge[a][b / 64] >> (b % 64) & 1 && !moves[b]) {
                moves[b] = moves[a] + 1;
                queue[tail++] = b;
            }
    }
    puts("Impossible");
    return 0;
}
