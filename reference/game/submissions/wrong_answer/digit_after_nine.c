/* Verdict: wrong answer. The answer is written as one character, '0' plus the number
 * of moves; after 9 comes a colon. Shown by edge/above. */
#include <stdio.h>
#include <string.h>

int main(void) {
    char line[8];
    int board = 0, mask[16] = {0}, pat[9];
    for (int i = 0; i < 4; ++i) {
        fgets(line, sizeof line, stdin);
        for (int j = 0; j < 4; ++j) board = board * 2 + (line[j] == 'B');
    }
    for (int i = 0; i < 3; ++i) {
        fgets(line, sizeof line, stdin);
        for (int j = 0; j < 3; ++j) pat[i * 3 + j] = line[j] - '0';
    }
    for (int at = 0; at < 16; ++at)
        for (int k = 0; k < 9; ++k) {
            int r = at / 4 + k / 3 - 1, c = at % 4 + k % 3 - 1;
            if (pat[k] && r >= 0 && r < 4 && c >= 0 && c < 4) mask[at] |= 1 << (15 - r * 4 - c);
        }

    static signed char dist[65536];
    static int queue[65536];
    int head = 0, tail = 0;
    memset(dist, -1, sizeof dist);
    dist[board] = 0;
    queue[tail++] = board;
    while (head < tail) {
        int cur = queue[head++];
        if (cur == 0 || cur == 65535) {
            putchar('0' + dist[cur]);
            putchar('\n');
            return 0;
        }
        for (int at = 0; at < 16; ++at)
            if (dist[cur ^ mask[at]] < 0) {
                dist[cur ^ mask[at]] = dist[cur] + 1;
                queue[tail++] = cur ^ mask[at];
            }
    }
    printf("Impossible\n");
    return 0;
}
