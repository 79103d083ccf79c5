/* Verdict: wrong answer. Searches depth first and takes the first way that wins, which is
 * rarely a shortest. Shown by edge/each-side. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAXM 64

static int n, m, w;
static short start[MAXM], hole[MAXM];
static char wall[1600][4]; /* E N S W: cannot roll on when this is lifted */
static const char name[] = "ENSW";

typedef struct node { short at[MAXM]; struct node *next; } node;
static node *table[65536];
static char moves[1000000];

static int known(const short *at)
{
    unsigned h = 0;
    for (int i = 0; i < m; i++) h = h * 1601 + at[i];
    node **p = &table[h % 65536];
    for (node *q = *p; q; q = q->next)
        if (!memcmp(q->at, at, m * sizeof *at)) return 1;
    node *q = malloc(sizeof *q);
    memcpy(q->at, at, sizeof q->at);
    q->next = *p;
    *p = q;
    return 0;
}

/* Rolls in passes, as long as any marble can go one square on. */
static int lift(short *at, int side)
{
    int step = side == 0 ? -1 : side == 1 ? n : side == 2 ? -n : 1, any;
    do {
        any = 0;
        for (int i = 0; i < m; i++) {
            if (at[i] == hole[i] || wall[at[i]][side]) continue;
            int to = at[i] + step, free = 1;
            for (int j = 0; j < m; j++)
                if (at[j] == to && at[j] != hole[j]) free = 0;
            if (!free) continue;
            at[i] = to;
            any = 1;
            for (int j = 0; j < m; j++)
                if (hole[j] == to && j != i && at[j] != hole[j]) return 0;
        }
    } while (any);
    return 1;
}

static int search(const short *at, int depth)
{
    if (!memcmp(at, hole, m * sizeof *at)) return depth;
    for (int side = 0; side < 4; side++) {
        short next[MAXM] = {0};
        memcpy(next, at, m * sizeof *at);
        if (!lift(next, side) || known(next)) continue;
        moves[depth] = name[side];
        int found = search(next, depth + 1);
        if (found) return found;
    }
    return 0;
}

int main(void)
{
    for (int k = 1; scanf("%d %d %d", &n, &m, &w) == 3 && n; k++) {
        int a, b, c, d;
        for (int i = 0; i < m; i++) scanf("%d %d", &a, &b), start[i] = a * n + b;
        for (int i = 0; i < m; i++) scanf("%d %d", &a, &b), hole[i] = a * n + b;
        for (int i = 0; i < n * n; i++) {
            wall[i][0] = i % n == 0;
            wall[i][1] = i / n == n - 1;
            wall[i][2] = i / n == 0;
            wall[i][3] = i % n == n - 1;
        }
        while (w--) {
            scanf("%d %d %d %d", &a, &b, &c, &d);
            int s = a * n + b, t = c * n + d;
            if (s > t) s ^= t, t ^= s, s ^= t;
            if (t == s + n) wall[s][1] = wall[t][2] = 1;
            else wall[s][3] = wall[t][0] = 1;
        }
        memset(table, 0, sizeof table);
        known(start);
        int length = search(start, 0);
        moves[length] = 0;
        if (length) printf("Case %d: %d moves %s\n\n", k, length, moves);
        else printf("Case %d: impossible\n\n", k);
    }
    return 0;
}
