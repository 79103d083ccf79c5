/* Verdict: wrong answer. A position is written out as text, and only the text's hash is kept
 * (djb2: times 33 and add, 32 bits), in a table of its own. Shown by edge/same-hash-again. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { unsigned char r, c; } Spot;

int n, m;
Spot *goal;
unsigned char shut[40][40][4]; /* nothing rolls on from here */
const int down[4] = {0, 1, -1, 0}, right[4] = {-1, 0, 0, 1};

Spot *spots;                   /* of all positions, m each */
int *came_from, many, space;
char *came_by;

uint32_t *met;                 /* hashes + 1 */
uint32_t met_size;

uint32_t djb2(const Spot *at)
{
    static char text[10000];
    char *p = text;
    for (int i = 0; i < m; i++) p += sprintf(p, "%d,%d;", at[i].r, at[i].c);
    uint32_t h = 5381;
    for (p = text; *p; p++) h = h * 33 + (unsigned char)*p;
    return h;
}

int first_time(uint32_t h)
{
    uint32_t k = h * 2654435761u & (met_size - 1);
    for (; met[k]; k = (k + 1) & (met_size - 1))
        if (met[k] == h + 1) return 0;
    met[k] = h + 1;
    return 1;
}

void put(const Spot *at, int from, char by)
{
    if (!first_time(djb2(at))) return;
    if (many == space) {
        space = space * 2 + 100;
        spots = realloc(spots, sizeof(Spot) * m * (size_t)space);
        came_from = realloc(came_from, sizeof(int) * space);
        came_by = realloc(came_by, space);
    }
    memcpy(spots + (size_t)many * m, at, sizeof(Spot) * m);
    came_from[many] = from;
    came_by[many++] = by;
    if ((uint32_t)many * 2 > met_size) { /* once more, and larger */
        uint32_t *old = met, size = met_size;
        met = calloc(met_size *= 2, sizeof *met);
        for (uint32_t k = 0; k < size; k++)
            if (old[k]) first_time(old[k] - 1);
        free(old);
    }
}

int same(Spot a, Spot b) { return a.r == b.r && a.c == b.c; }

int roll(Spot *at, int d)
{
    int marble[40][40] = {{0}}, hole[40][40] = {{0}};
    for (int i = 0; i < m; i++)
        if (!same(at[i], goal[i])) marble[at[i].r][at[i].c] = hole[goal[i].r][goal[i].c] = i + 1;
    int turned = down[d] + right[d] > 0;
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) {
            int r = turned ? n - 1 - a : a, c = turned ? n - 1 - b : b, i = marble[r][c], fell = 0;
            if (!i) continue;
            marble[r][c] = 0;
            while (!fell && !shut[r][c][d] && !marble[r + down[d]][c + right[d]]) {
                r += down[d], c += right[d];
                if (hole[r][c] && hole[r][c] != i) return 0;
                fell = hole[r][c];
            }
            if (fell) hole[r][c] = 0;
            else marble[r][c] = i;
            at[i - 1] = (Spot){r, c};
        }
    return 1;
}

Spot read_spot(void)
{
    int r, c;
    if (scanf("%d%d", &r, &c) != 2) exit(9);
    return (Spot){r, c};
}

int main(void)
{
    int walls, number = 0;
    while (scanf("%d%d%d", &n, &m, &walls) == 3 && n) {
        Spot at[800], home[800];
        for (int i = 0; i < m; i++) at[i] = read_spot();
        for (int i = 0; i < m; i++) home[i] = read_spot();
        goal = home;
        for (int r = 0; r < n; r++)
            for (int c = 0; c < n; c++)
                for (int d = 0; d < 4; d++) {
                    int r2 = r + down[d], c2 = c + right[d];
                    shut[r][c][d] = r2 < 0 || c2 < 0 || r2 >= n || c2 >= n;
                }
        for (; walls; walls--) {
            Spot a = read_spot(), b = read_spot();
            for (int d = 0; d < 4; d++)
                if (a.r + down[d] == b.r && a.c + right[d] == b.c) shut[a.r][a.c][d] = shut[b.r][b.c][3 - d] = 1;
        }
        many = space = 0;
        spots = NULL, came_from = NULL, came_by = NULL;
        met = calloc(met_size = 1024, sizeof *met);
        put(at, -1, 0);
        int k, found = 0;
        for (k = 0; k < many && !found; k++) {
            found = 1;
            for (int i = 0; i < m; i++) found &= same(spots[(size_t)k * m + i], goal[i]);
            for (int d = 0; d < 4 && !found; d++) {
                memcpy(at, spots + (size_t)k * m, sizeof(Spot) * m);
                if (roll(at, d)) put(at, k, "ENSW"[d]);
            }
        }
        printf("Case %d: ", ++number);
        if (!found) printf("impossible\n\n");
        else {
            char moves[2000], *first = moves + 1999;
            *first = 0;
            for (k--; came_from[k] >= 0; k = came_from[k]) *--first = came_by[k];
            printf("%d moves %s\n\n", (int)strlen(first), first);
        }
        free(spots), free(came_from), free(came_by), free(met);
    }
    return 0;
}
