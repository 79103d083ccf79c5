/* Verdict: wrong answer. The table of positions met is not emptied for the next board:
 * what was met on an earlier one is not entered again. Shown by edge/each-side. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 1 << 16, LIMIT = 800 };
static const struct { char letter; int dr, dc; } SIDE[4] = {{'E', 0, -1}, {'N', 1, 0}, {'S', -1, 0}, {'W', 0, 1}};

struct state {
    struct state *bucket, *queue, *parent;
    char by;
    unsigned char place[][2];
};

static int N, M;
static unsigned char hole[LIMIT][2];
static char wall[40][40][4];
static struct state *bucket[BUCKETS], *tail;

static void enter(unsigned char (*place)[2], struct state *parent, char by)
{
    unsigned h = M;
    for (int i = 0; i < M; i++) h = (h * 41 + place[i][0]) * 41 + place[i][1];
    h ^= h >> 16;
    for (struct state *s = bucket[h % BUCKETS]; s; s = s->bucket)
        if (!memcmp(s->place, place, 2 * M)) return;
    struct state *s = calloc(1, sizeof *s + 2 * LIMIT * (M > 64) + 128);
    memcpy(s->place, place, 2 * M);
    s->bucket = bucket[h % BUCKETS];
    bucket[h % BUCKETS] = s;
    s->parent = parent;
    s->by = by;
    if (tail) tail->queue = s;
    tail = s;
}

static int lift(unsigned char (*place)[2], int side)
{
    int board[40][40] = {{0}}, open[40][40] = {{0}};
    for (int i = 0; i < M; i++) {
        if (!memcmp(place[i], hole[i], 2)) continue;
        board[place[i][0]][place[i][1]] = i + 1;
        open[hole[i][0]][hole[i][1]] = i + 1;
    }
    int backwards = SIDE[side].dr + SIDE[side].dc > 0;
    for (int k = 0; k < N * N; k++) {
        int at = backwards ? N * N - 1 - k : k, r = at / N, c = at % N, i = board[r][c];
        if (!i) continue;
        board[r][c] = 0;
        for (;;) {
            int r2 = r + SIDE[side].dr, c2 = c + SIDE[side].dc;
            if (r2 < 0 || c2 < 0 || r2 == N || c2 == N || wall[r][c][side] || board[r2][c2]) {
                board[r][c] = i;
                break;
            }
            r = r2, c = c2;
            if (open[r][c]) {
                if (open[r][c] != i) return 0;
                open[r][c] = 0;
                break;
            }
        }
        place[i - 1][0] = r, place[i - 1][1] = c;
    }
    return 1;
}

int main(void)
{
    int W, a, b, c, d;
    for (int number = 1; scanf("%d %d %d", &N, &M, &W) == 3 && N; number++) {
        static unsigned char place[LIMIT][2];
        for (int i = 0; i < M; i++) scanf("%hhu %hhu", &place[i][0], &place[i][1]);
        for (int i = 0; i < M; i++) scanf("%hhu %hhu", &hole[i][0], &hole[i][1]);
        memset(wall, 0, sizeof wall);
        while (W-- > 0) {
            scanf("%d %d %d %d", &a, &b, &c, &d);
            for (int s = 0; s < 4; s++)
                if (c - a == SIDE[s].dr && d - b == SIDE[s].dc) wall[a][b][s] = wall[c][d][3 - s] = 1;
        }
        struct state *s, *won = NULL;
        tail = NULL;
        enter(place, NULL, 0);
        for (s = tail; s && !won; s = s->queue) {
            if (!memcmp(s->place, hole, 2 * M)) won = s;
            for (int side = 0; side < 4; side++) {
                memcpy(place, s->place, 2 * M);
                if (lift(place, side)) enter(place, s, SIDE[side].letter);
            }
        }
        printf("Case %d: ", number);
        if (won) {
            static char moves[2000];
            int length = 0;
            for (s = won; s->parent; s = s->parent) moves[sizeof moves - ++length] = s->by;
            printf("%d moves %.*s", length, length, moves + sizeof moves - length);
        } else printf("impossible");
        printf("\n\n");
    }
    return 0;
}
