/* Verdict: wrong answer. The numbers on the right were typed in as a table, and with 5
 * on top and 3 in front two of them are exchanged. Shown by edge/top-before-roll. */
#include <stdio.h>
#include <string.h>

static const int RIGHT[6][6] = {
    /* front   1  2  3  4  5  6        top */
    {0, 3, 5, 2, 4, 0}, /* 1 */
    {4, 0, 1, 6, 0, 3}, /* 2 */
    {2, 6, 0, 0, 1, 5}, /* 3 */
    {5, 1, 0, 0, 6, 2}, /* 4 */
    {3, 0, 1, 6, 0, 4}, /* 5 */
    {0, 4, 2, 5, 3, 0}, /* 6 */
};

struct pos { short r, c, top, front, prev; };

static struct pos list[100 * 36 + 1];
static int seen[101][36], round_no;

int main(void)
{
    char name[21];
    int R, C, sr, sc, top, front, g[12][12];

    while (scanf("%s", name) == 1 && (strlen(name) != 3 || strcmp(name, "END"))) {
        scanf("%d %d %d %d %d %d", &R, &C, &sr, &sc, &top, &front);
        for (int i = 0; i <= R + 1; i++)
            for (int j = 0; j <= C + 1; j++)
                if (i == 0 || j == 0 || i > R || j > C) g[i][j] = 0;
                else scanf("%d", &g[i][j]);
        round_no++;
        int n = 0, goal = 0;
        list[n++] = (struct pos){sr, sc, top, front, -1};
        for (int i = 0; i < n && !goal; i++) {
            struct pos p = list[i];
            int right = RIGHT[p.top - 1][p.front - 1];
            struct pos next[4] = {
                {p.r - 1, p.c, p.front, 7 - p.top, i},
                {p.r + 1, p.c, 7 - p.front, p.top, i},
                {p.r, p.c - 1, right, p.front, i},
                {p.r, p.c + 1, 7 - right, p.front, i},
            };
            for (int k = 0; k < 4; k++) {
                struct pos q = next[k];
                if (g[q.r][q.c] != p.top && g[q.r][q.c] != -1) continue;
                int *mark = &seen[10 * (q.r - 1) + q.c - 1][6 * (q.top - 1) + q.front - 1];
                if (*mark == round_no) continue;
                *mark = round_no;
                list[n++] = q;
                if (q.r == sr && q.c == sc) {
                    goal = n - 1;
                    break;
                }
            }
        }
        puts(name);
        if (!goal) {
            puts("  No Solution Possible");
            continue;
        }
        static struct pos walk[2402];
        int length = 0;
        for (int i = goal; i >= 0; i = list[i].prev) walk[length++] = list[i];
        for (int i = 0; i < length; i++) {
            struct pos p = walk[length - 1 - i];
            if (i % 9 == 0) fputs(i ? ",\n  " : "  ", stdout);
            else fputs(",", stdout);
            printf("(%hd,%hd)", p.r, p.c);
        }
        puts("");
    }
    return 0;
}
