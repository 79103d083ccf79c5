/* Verdict: accepted. Breadth-first search over arrays of squares with a hash table of their
 * numbers. A marble does not roll square by square: two tables say where the run from a
 * square ends when a side is lifted, and which hole comes first on it. Marbles that rest
 * lie in a row before the end of their run, so that their count tells where the next one
 * stops; an open hole is always in front of them. The side that was lifted last is not lifted
 * again, nor, as long as no marble is home, the opposite one: that leads to where it would have
 * led before. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 40, SQUARES = SIDE * SIDE, MARBLES = SQUARES / 2, START = 9 };

static const char letter[] = "ENSW";
static int n, m;
static uint16_t hole[MARBLES], ends[4][SQUARES];
static int16_t first_hole[4][SQUARES]; /* strictly ahead, or -1 */
static char closed[4][SQUARES];
static int step[4];

static uint16_t *place; /* m for each position */
static uint32_t *parent, count, room;
static uint8_t *side_of;
static uint32_t *table, mask; /* number of the position + 1 */

static void *more(void *p, size_t size)
{
    p = realloc(p, size);
    if (!p) exit(3);
    return p;
}

static uint32_t *find(const uint16_t *at)
{
    uint64_t h = 0;
    for (int i = 0; i < m; i++) {
        h = (h ^ at[i]) * 0x9E3779B97F4A7C15u;
        h ^= h >> 29;
    }
    uint32_t k = (uint32_t)(h >> 20) & mask;
    while (table[k] && memcmp(place + (size_t)(table[k] - 1) * m, at, 2 * m)) k = (k + 1) & mask;
    return &table[k];
}

static void add(const uint16_t *at, uint32_t from, int side)
{
    if (2 * count >= mask) {
        mask = 2 * mask + 1;
        free(table);
        table = calloc((size_t)mask + 1, sizeof *table);
        if (!table) exit(3);
        for (uint32_t k = 0; k < count; k++) *find(place + (size_t)k * m) = k + 1;
    }
    uint32_t *slot = find(at);
    if (*slot) return;
    if (count == room) {
        room += room / 2 + 1024;
        place = more(place, (size_t)room * m * sizeof *place);
        parent = more(parent, room * sizeof *parent);
        side_of = more(side_of, room);
    }
    memcpy(place + (size_t)count * m, at, 2 * m);
    parent[count] = from;
    side_of[count] = side;
    *slot = ++count;
}

static int lift(uint16_t *at, int side)
{
    static uint16_t order[MARBLES], resting[SQUARES];
    int moving = 0, lost = 0;
    for (int i = 0; i < m; i++) {
        if (at[i] == hole[i]) continue;
        int k = moving++;
        for (; k > 0 && (at[order[k - 1]] < at[i]) == (step[side] > 0); k--) order[k] = order[k - 1];
        order[k] = i;
    }
    int done = 0;
    for (; done < moving && !lost; done++) {
        int i = order[done], end = ends[side][at[i]], h = first_hole[side][at[i]];
        while (h >= 0 && at[h] == hole[h]) h = first_hole[side][hole[h]];
        if (h >= 0) {
            lost = h != i;
            at[i] = hole[h];
        } else {
            at[i] = end - resting[end]++ * step[side];
        }
    }
    for (int k = 0; k < done; k++) resting[ends[side][at[order[k]]]] = 0;
    return !lost;
}

static void prepare(void)
{
    static int16_t which[SQUARES];
    memset(which, -1, sizeof which);
    for (int i = 0; i < m; i++) which[hole[i]] = i;
    for (int side = 0; side < 4; side++)
        for (int k = 0; k < n * n; k++) {
            int s = step[side] < 0 ? k : n * n - 1 - k, to = s + step[side];
            if (closed[side][s]) {
                ends[side][s] = s;
                first_hole[side][s] = -1;
            } else {
                ends[side][s] = ends[side][to];
                first_hole[side][s] = which[to] >= 0 ? which[to] : first_hole[side][to];
            }
        }
}

static int square(void)
{
    int row, column;
    if (scanf("%d %d", &row, &column) != 2) exit(3);
    return row * n + column;
}

int main(void)
{
    int walls;
    for (int board = 1; scanf("%d %d %d", &n, &m, &walls) == 3 && n > 0; board++) {
        uint16_t at[MARBLES];
        step[0] = -1, step[1] = n, step[2] = -n, step[3] = 1;
        for (int i = 0; i < m; i++) at[i] = square();
        for (int i = 0; i < m; i++) hole[i] = square();
        for (int s = 0; s < n * n; s++) {
            closed[0][s] = s % n == 0;
            closed[1][s] = s / n == n - 1;
            closed[2][s] = s / n == 0;
            closed[3][s] = s % n == n - 1;
        }
        while (walls-- > 0) {
            int a = square(), b = square();
            for (int side = 0; side < 4; side++)
                if (b - a == step[side]) closed[side][a] = closed[3 - side][b] = 1;
        }
        prepare();

        count = room = 0;
        mask = 1023;
        table = calloc(mask + 1, sizeof *table);
        add(at, 0, START);
        uint32_t won = UINT32_MAX;
        for (uint32_t k = 0; k < count && won == UINT32_MAX; k++) {
            if (!memcmp(place + (size_t)k * m, hole, 2 * m)) won = k;
            int nothing_home = 1;
            for (int i = 0; i < m; i++) nothing_home &= place[(size_t)k * m + i] != hole[i];
            for (int side = 0; side < 4 && won == UINT32_MAX; side++) {
                if (side == side_of[k] || (nothing_home && side + side_of[k] == 3)) continue;
                memcpy(at, place + (size_t)k * m, 2 * m);
                if (lift(at, side)) add(at, k, side);
            }
        }
        printf("Case %d: ", board);
        if (won == UINT32_MAX) {
            printf("impossible\n\n");
        } else {
            int length = 0;
            for (uint32_t k = won; side_of[k] != START; k = parent[k]) length++;
            char *moves = calloc(length + 1, 1);
            printf("%d moves", length);
            for (uint32_t k = won; side_of[k] != START; k = parent[k]) moves[--length] = letter[side_of[k]];
            printf("%s%s\n\n", *moves ? " " : "", moves);
            free(moves);
        }
        free(place), free(parent), free(side_of), free(table);
        place = NULL, parent = NULL, side_of = NULL;
    }
    return 0;
}
