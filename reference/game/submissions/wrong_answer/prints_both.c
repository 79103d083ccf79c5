/* Verdict: wrong answer. A line that helped its author to find mistakes is still
 * printed before the answer. Shown by sample/statement. */
#include <stdio.h>
#include <stdlib.h>

static int least(const int *effect, int goal)
{
    int least = 17;
    for (int set = 0; set < 65536; set++) {
        int got = 0, count = 0;
        for (int k = 0; k < 16; k++)
            if (set & 1 << k) {
                got ^= effect[k];
                count++;
            }
        if (got == goal && count < least) least = count;
    }
    return least;
}

int main(int argc, char **argv)
{
    char *line = NULL;
    size_t room = 0;
    int goal = 0, effect[16] = {0};
    for (int row = 0; row < 4; row++) {
        getline(&line, &room, stdin);
        for (int col = 0; col < 4; col++) goal += (line[col] == 'B') << (4 * row + col);
    }
    for (int dr = -1; dr < 2; dr++) {
        getline(&line, &room, stdin);
        for (int dc = -1; dc < 2; dc++)
            for (int k = 0; k < 16; k++) {
                int r = k / 4 + dr, c = k % 4 + dc;
                if (line[dc + 1] == '1' && r >= 0 && c >= 0 && r < 4 && c < 4) effect[k] += 1 << (4 * r + c);
            }
    }
    free(line);
    int white = least(effect, goal), black = least(effect, 65535 - goal);
    printf("white=%d black=%d\n", white, black);
    if (white > 16 && black > 16)
        printf("Impossible\n");
    else
        printf("%d\n", white < black ? white : black);
    return 0;
}
