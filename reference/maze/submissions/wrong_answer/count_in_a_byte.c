/* Verdict: wrong answer. The number of mazes is kept in one byte; of a thousand mazes
 * 232 are drawn. Shown by large/one-cell-mazes. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define AT(r, c) ((r) * 40 + (c))

typedef struct { uint8_t mazes, rows, cols; } head_t;

enum { VISITED = 1, BELOW = 2, BESIDE = 4 };

static uint8_t flags[41 * 40 + 1];
static uint16_t list[39 * 39];

static void reverse(uint16_t *first, uint16_t *last)
{
    while (first < last) {
        uint16_t keep = *first;
        *first++ = *last;
        *last-- = keep;
    }
}

static void dig(uint16_t start)
{
    int n = 0;
    list[n++] = start;
    flags[start] |= VISITED;
    while (n > 0) {
        uint16_t here = list[n - 1];
        if (flags[here + 1] & flags[here - 1] & flags[here + 40] & flags[here - 40] & VISITED) {
            --n;
            continue;
        }
        char word[4];
        int from;
        scanf("%3s", word);
        if (word[0] == 'F') {
            scanf("%d", &from);
            reverse(list + from - 1, list + n - 1);
            continue;
        }
        uint16_t there = here + (word[0] == 'U' ? 40 : word[0] == 'D' ? -40 : word[0] == 'L' ? -1 : 1);
        if (word[0] == 'U') flags[there] |= BELOW;
        if (word[0] == 'D') flags[here] |= BELOW;
        if (word[0] == 'L') flags[there] |= BESIDE;
        if (word[0] == 'R') flags[here] |= BESIDE;
        flags[there] |= VISITED;
        list[n++] = there;
    }
}

int main(void)
{
    head_t h;
    scanf("%hhu", &h.mazes);
    while (h.mazes--) {
        int r, c;
        scanf("%hhu %hhu %d %d", &h.rows, &h.cols, &r, &c);
        memset(flags, VISITED, sizeof flags);
        for (int i = 1; i <= h.rows; i++) memset(flags + AT(i, 1), 0, h.cols);
        dig(AT(r, c));
        for (int j = 0; j < h.cols; j++) printf(" _");
        printf("\n");
        for (int i = h.rows; i; i--) {
            printf("|");
            for (int j = 1; j <= h.cols; j++)
                printf("%c%c", flags[AT(i, j)] & BELOW ? ' ' : '_', flags[AT(i, j)] & BESIDE ? ' ' : '|');
            printf("\n");
        }
        printf("\n");
    }
    return 0;
}
