/* Verdict: wrong answer. Cells just outside the board may be chosen too, so that
 * some games look easier than they are, and others that cannot be won look as if
 * they could, the sample among them. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int distance[1 << 16], queue[1 << 16];

int main(void) {
    char board[17] = "", pattern[10] = "";
    for (int i = 0; i < 4; i++)
        if (scanf("%4s", board + 4 * i) != 1) return 1;
    for (int i = 0; i < 3; i++)
        if (scanf("%3s", pattern + 3 * i) != 1) return 1;

    int moves[36], start = 0;
    for (int cell = 0; cell < 16; cell++) start |= (board[cell] == 'B') << cell;
    for (int centre = 0; centre < 36; centre++) {
        moves[centre] = 0;
        for (int k = 0; k < 9; k++) {
            int row = centre / 6 - 1 + k / 3 - 1, column = centre % 6 - 1 + k % 3 - 1;
            if (row >= 0 && row < 4 && column >= 0 && column < 4)
                moves[centre] |= (pattern[k] - '0') << (4 * row + column);
        }
    }

    memset(distance, -1, sizeof distance);
    int tail = 0;
    queue[tail++] = start;
    distance[start] = 0;
    for (int head = 0; head < tail; head++) {
        int here = queue[head];
        if (here == 0 || here == 0xFFFF) {
            printf("%d\n", distance[here]);
            return 0;
        }
        for (int centre = 0; centre < 36; centre++) {
            int next = here ^ moves[centre];
            if (distance[next] < 0) {
                distance[next] = distance[here] + 1;
                queue[tail++] = next;
            }
        }
    }
    puts("Impossible");
    return 0;
}
