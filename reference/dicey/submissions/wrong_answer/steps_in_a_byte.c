/* Verdict: wrong answer. The numbers of steps are signed chars; behind the 127th step
 * they are negative, which means "not met" to this program. Shown by edge/longest. */
#include <stdio.h>
#include <string.h>

enum { UP, DOWN, LEFT, RIGHT };

static signed char steps[10][10][24];
static int face[24][3], count = 0, after[24][4];

static int number_of(int t, int f, int r) {
    for (int i = 0; i < count; i++)
        if (face[i][0] == t && face[i][1] == f && face[i][2] == r) return i;
    face[count][0] = t, face[count][1] = f, face[count][2] = r;
    return count++;
}

static void prepare(void) {
    number_of(1, 2, 3);
    for (int i = 0; i < count; i++) {
        int t = face[i][0], f = face[i][1], r = face[i][2];
        after[i][UP] = number_of(f, 7 - t, r);
        after[i][DOWN] = number_of(7 - f, t, r);
        after[i][LEFT] = number_of(r, f, 7 - t);
        after[i][RIGHT] = number_of(7 - r, f, t);
    }
}

int main(void) {
    static const int dr[4] = {-1, 1, 0, 0}, dc[4] = {0, 0, -1, 1};
    static struct { int r, c, d, p; } q[2401], s;
    char name[24];
    int R, C, r0, c0, top, front, m[10][10];
    prepare();
    while (scanf("%23s", name) == 1 && strcmp(name, "END") != 0) {
        scanf("%d %d %d %d %d %d", &R, &C, &r0, &c0, &top, &front);
        r0--, c0--;
        for (int i = 0; i < R * C; i++) scanf("%d", &m[i / C][i % C]);
        memset(steps, -1, sizeof steps);
        int d = 0, end = -1, n = 0;
        while (face[d][0] != top || face[d][1] != front) d++;
        q[n].r = r0, q[n].c = c0, q[n].d = d, q[n++].p = -1;
        steps[r0][c0][d] = 0;
        for (int i = 0; i < n && end < 0; i++) {
            s = q[i];
            for (int k = 0; k < 4 && end < 0; k++) {
                int r = s.r + dr[k], c = s.c + dc[k], to = after[s.d][k];
                if (r < 0 || c < 0 || r >= R || c >= C) continue;
                if (m[r][c] != -1 && m[r][c] != face[s.d][0]) continue;
                if (r == r0 && c == c0) end = i;
                else if (steps[r][c][to] < 0) {
                    steps[r][c][to] = steps[s.r][s.c][s.d] + 1;
                    if (n < 2401) q[n].r = r, q[n].c = c, q[n].d = to, q[n++].p = i;
                }
            }
        }
        printf("%s\n", name);
        if (end < 0) {
            printf("  No Solution Possible\n");
            continue;
        }
        /* as many positions as there are steps, one for the start and one for the end */
        int length = steps[q[end].r][q[end].c][q[end].d] + 2;
        char text[400][12];
        sprintf(text[length > 0 ? length - 1 : 0], "(%d,%d)", r0 + 1, c0 + 1);
        for (int i = length - 2; i >= 0; i--, end = q[end].p)
            sprintf(text[i], "(%d,%d)", q[end].r + 1, q[end].c + 1);
        for (int i = 0; i < length; i++)
            printf("%s%s%s", i % 9 ? "" : "  ", text[i], i + 1 == length ? "\n" : i % 9 == 8 ? ",\n" : ",");
    }
    return 0;
}
