/* Verdict: wrong answer. The squares are kept in unsigned chars; -1 becomes 255, which
 * does not equal -1. So no die may enter a wild square. Shown by sample/statement. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned char byte;

static byte wall[14 * 14];
static short origin[14 * 14 * 64];
static short todo[14 * 14 * 64];

/* die code: top * 8 + front */
static byte side(byte top, byte front)
{
    const char *round[] = {"", "2354", "1463", "1265"};
    byte low = top <= 3 ? top : 7 - top;
    const char *s = round[low];
    int i = strchr(s, '0' + front) - s;
    /* with low on top the faces follow one another clockwise or not */
    byte next = s[(i + 1) % 4] - '0';
    return top <= 3 ? next : 7 - next;
}

int main(void)
{
    char name[64];
    int h, w, y, x, top, front;
    while (scanf("%63s", name) == 1) {
        if (!strcmp(name, "END")) return 0;
        if (scanf("%d%d%d%d%d%d", &h, &w, &y, &x, &top, &front) != 6) return 1;
        memset(wall, 0, sizeof wall);
        memset(origin, 0, sizeof origin);
        for (int i = 1; i <= h; i++)
            for (int j = 1; j <= w; j++) {
                int v;
                scanf("%d", &v);
                wall[14 * i + j] = v;
            }
        int home = 14 * y + x, last = -1, head = 0, tail = 0;
        todo[tail++] = home * 64 + top * 8 + front;
        while (head < tail && last < 0) {
            int s = todo[head++], at = s / 64, t = s / 8 % 8, f = s % 8, r = side(t, f);
            int to[4] = {at - 14, at + 14, at - 1, at + 1};
            int die[4] = {f * 8 + 7 - t, (7 - f) * 8 + t, r * 8 + f, (7 - r) * 8 + f};
            for (int k = 0; k < 4; k++) {
                if (wall[to[k]] != -1 && wall[to[k]] != t) continue;
                if (to[k] == home) {
                    last = s;
                    break;
                }
                if (origin[to[k] * 64 + die[k]]) continue;
                origin[to[k] * 64 + die[k]] = s;
                todo[tail++] = to[k] * 64 + die[k];
            }
        }
        printf("%s\n", name);
        if (last < 0) {
            printf("  No Solution Possible\n");
            continue;
        }
        int n = 0, *way = malloc(sizeof(int) * 3000);
        way[n++] = home;
        for (int first = home * 64 + top * 8 + front; last != first; last = origin[last]) way[n++] = last / 64;
        way[n++] = home;
        for (int i = 1; i <= n; i++) {
            if (i % 9 == 1) printf("  ");
            printf("(%d,%d)", way[n - i] / 14, way[n - i] % 14);
            if (i < n) putchar(',');
            if (i == n || i % 9 == 0) putchar('\n');
        }
        free(way);
    }
    return 0;
}
