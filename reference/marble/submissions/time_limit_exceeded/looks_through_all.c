/* Verdict: time limit exceeded. The positions met so far are a list, and whether one is new is
 * found by looking through all of it: a million positions take 10^12 comparisons. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef short square;

static int n, m, met, room;
static square hole[800], *list;
static int *parent;
static char *move, closed[4][1600];

static int add(const square *position, int from, char by)
{
    for (int k = 0; k < met; k++)
        if (memcmp(list + (long)k * m, position, m * sizeof(square)) == 0) return 0;
    if (met == room) {
        room = room ? 2 * room : 256;
        list = realloc(list, (size_t)room * m * sizeof(square));
        parent = realloc(parent, room * sizeof(int));
        move = realloc(move, room);
        if (!list || !parent || !move) abort();
    }
    memcpy(list + (long)met * m, position, m * sizeof(square));
    parent[met] = from;
    move[met++] = by;
    return 1;
}

/* Marbles by square, and open holes by square, both + 1. */
static int roll(square *position, int side)
{
    static short on[1600], pit[1600];
    const int step[4] = {-1, n, -n, 1};
    int good = 1;
    for (int i = 0; i < m; i++)
        if (position[i] != hole[i]) {
            on[position[i]] = i + 1;
            pit[hole[i]] = i + 1;
        }
    for (int k = 0; k < n * n; k++) {
        int s = side % 2 ? n * n - 1 - k : k, i = on[s];
        if (i == 0) continue;
        on[s] = 0;
        while (good && pit[s] == 0 && !closed[side][s] && on[s + step[side]] == 0) s += step[side];
        if (pit[s]) {
            good &= pit[s] == i;
            pit[s] = 0;
        } else on[s] = i;
        position[i - 1] = s;
    }
    memset(on, 0, sizeof on);
    memset(pit, 0, sizeof pit);
    return good;
}

static int get(void)
{
    int number = 0;
    if (scanf("%d", &number) != 1) exit(1);
    return number;
}

static square get_square(void)
{
    int row = get();
    return row * n + get();
}

int main(void)
{
    for (int game = 1; ; game++) {
        square now[800];
        n = get(), m = get();
        int walls = get();
        if (n == 0) return 0;
        for (int i = 0; i < m; i++) now[i] = get_square();
        for (int i = 0; i < m; i++) hole[i] = get_square();
        for (int s = 0; s < n * n; s++) {
            closed[0][s] = s % n == 0, closed[3][s] = s % n == n - 1;
            closed[2][s] = s / n == 0, closed[1][s] = s / n == n - 1;
        }
        while (walls--) {
            int a = get_square(), b = get_square(), low = a < b ? a : b, high = a + b - low;
            closed[high == low + 1 ? 3 : 1][low] = 1;
            closed[high == low + 1 ? 0 : 2][high] = 1;
        }
        met = 0;
        add(now, -1, 0);
        int k = 0;
        for (; k < met && memcmp(list + (long)k * m, hole, m * sizeof(square)); k++)
            for (int side = 0; side < 4; side++) {
                memcpy(now, list + (long)k * m, m * sizeof(square));
                if (roll(now, side)) add(now, k, "ENSW"[side]);
            }
        if (k == met) {
            printf("Case %d: impossible\n\n", game);
        } else {
            char way[1601] = "";
            int length = 0;
            for (; parent[k] >= 0; k = parent[k]) way[length++] = move[k];
            printf("Case %d: %d moves%s", game, length, length ? " " : "");
            while (length) putchar(way[--length]);
            printf("\n\n");
        }
        free(list), free(parent), free(move);
        list = NULL, parent = NULL, move = NULL, room = 0;
    }
}
