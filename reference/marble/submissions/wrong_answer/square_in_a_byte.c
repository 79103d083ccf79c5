/* Verdict: wrong answer. A square is a number in a byte, and from side 17 on a board has
 * more than 256 of them. Shown by edge/far-corners. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint8_t square;

typedef struct {
    square *marbles;
    int parent;
    char side;
} position;

static int n, m;
static square *home;
static uint8_t blocked[256]; /* bits E N S W */

static position *list;
static int length, room, *slots, slot_count;

static int *slot_of(const square *marbles)
{
    uint64_t h = 1469598103934665603u;
    for (int i = 0; i < m; i++) h = (h ^ marbles[i]) * 1099511628211u;
    size_t i = h % slot_count;
    while (slots[i] >= 0 && memcmp(list[slots[i]].marbles, marbles, m)) i = (i + 1) % slot_count;
    return &slots[i];
}

static void grow(void)
{
    slot_count = slot_count ? slot_count * 2 : 1024;
    slots = realloc(slots, slot_count * sizeof *slots);
    memset(slots, -1, slot_count * sizeof *slots);
    for (int i = 0; i < length; i++) *slot_of(list[i].marbles) = i;
}

static void add(const square *marbles, int parent, char side)
{
    if (2 * length >= slot_count) grow();
    int *slot = slot_of(marbles);
    if (*slot >= 0) return;
    if (length == room) list = realloc(list, (room = room ? 2 * room : 256) * sizeof *list);
    list[length].marbles = memcpy(malloc(m), marbles, m);
    list[length].parent = parent;
    list[length].side = side;
    *slot = length++;
}

static int by_front(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static int tilt(square *marbles, int side)
{
    static const char sign[4] = {1, -1, 1, -1};
    int step[4] = {-1, n, -n, 1};
    int order[256], count = 0;
    uint8_t rest[256] = {0}, filled[256] = {0};
    for (int i = 0; i < m; i++) {
        if (marbles[i] == home[i]) filled[home[i]] = 1;
        else order[count++] = sign[side] * (marbles[i] * 256 + i);
    }
    qsort(order, count, sizeof *order, by_front);
    for (int k = 0; k < count; k++) {
        int i = abs(order[k]) % 256, dropped = 0;
        square at = marbles[i];
        while (!dropped && !(blocked[at] >> side & 1) && !rest[(square)(at + step[side])]) {
            at += step[side];
            for (int j = 0; j < m; j++)
                if (home[j] == at && !filled[at]) {
                    if (j != i) return 0;
                    filled[at] = dropped = 1;
                    break;
                }
        }
        marbles[i] = at;
        if (!dropped) rest[at] = 1;
    }
    return 1;
}

static void print(int i)
{
    if (list[i].parent >= 0) print(list[i].parent), putchar(list[i].side);
}

int main(void)
{
    int w, number = 0;
    while (scanf("%d %d %d", &n, &m, &w) == 3 && n > 0) {
        square *start = malloc(m), *copy = malloc(m);
        int r, c, r2, c2, depth = 0, won = -1;
        home = malloc(m);
        for (int i = 0; i < m; i++) scanf("%d %d", &r, &c), start[i] = r * n + c;
        for (int i = 0; i < m; i++) scanf("%d %d", &r, &c), home[i] = r * n + c;
        memset(blocked, 0, sizeof blocked);
        for (int i = 0; i < n; i++) {
            blocked[(square)(i * n)] |= 1;
            blocked[(square)((n - 1) * n + i)] |= 2;
            blocked[(square)i] |= 4;
            blocked[(square)(i * n + n - 1)] |= 8;
        }
        for (; w > 0; w--) {
            scanf("%d %d %d %d", &r, &c, &r2, &c2);
            square a = r * n + c, b = r2 * n + c2;
            if (c2 < c || r2 < r) { square t = a; a = b; b = t; }
            blocked[a] |= r == r2 ? 8 : 2;
            blocked[b] |= r == r2 ? 1 : 4;
        }
        length = 0;
        if (slots) memset(slots, -1, slot_count * sizeof *slots);
        add(start, -1, 0);
        for (int i = 0; i < length && won < 0; i++) {
            if (!memcmp(list[i].marbles, home, m)) won = i;
            for (int side = 0; side < 4; side++) {
                memcpy(copy, list[i].marbles, m);
                if (tilt(copy, side)) add(copy, i, "ENSW"[side]);
            }
        }
        printf("Case %d: ", ++number);
        if (won < 0) printf("impossible");
        else {
            for (int i = won; list[i].parent >= 0; i = list[i].parent) depth++;
            printf("%d moves ", depth);
            print(won);
        }
        printf("\n\n");
    }
    return 0;
}
