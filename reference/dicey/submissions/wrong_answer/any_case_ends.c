/* Verdict: wrong answer. Names are compared with END as strcasecmp does, so that a maze
 * called "end" ends the input. Shown by edge/end-as-prefix. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

struct die { int top, front, right; };

struct state { int row, col, before; struct die die; };

static int maze[12][12];
static char met[12][12][7][7];
static struct state queue[2600];

static int right_of(int top, int front)
{
    struct die d = {1, 2, 3};
    for (int turn = 0; turn < 4; turn++) {
        for (int tip = 0; tip < 4; tip++) {
            for (int spin = 0; spin < 4; spin++) {
                if (d.top == top && d.front == front) return d.right;
                d = (struct die){d.top, d.right, 7 - d.front};
            }
            d = (struct die){d.front, 7 - d.top, d.right};
        }
        d = (struct die){d.right, d.front, 7 - d.top};
    }
    return 0;
}

static struct die roll(struct die d, int way)
{
    switch (way) {
    case 0: return (struct die){d.front, 7 - d.top, d.right};
    case 1: return (struct die){7 - d.front, d.top, d.right};
    case 2: return (struct die){d.right, d.front, 7 - d.top};
    default: return (struct die){7 - d.right, d.front, d.top};
    }
}

static void print_way(int at, int row, int col)
{
    int rows[2600], cols[2600], n = 0;
    rows[n] = row, cols[n++] = col;
    for (; at >= 0; at = queue[at].before) rows[n] = queue[at].row, cols[n++] = queue[at].col;
    for (int i = n; i-- > 0;) {
        if ((n - 1 - i) % 9 == 0) printf("  ");
        printf("(%d,%d)%s", rows[i], cols[i], i ? "," : "\n");
        if (i && (n - i) % 9 == 0) printf("\n");
    }
}

int main(void)
{
    char name[32];
    static const int down[] = {-1, 1, 0, 0}, across[] = {0, 0, -1, 1};
    while (scanf("%31s", name) == 1 && strcasecmp(name, "END") != 0) {
        int r, c, sr, sc, top, front, found = 0;
        scanf("%d%d%d%d%d%d", &r, &c, &sr, &sc, &top, &front);
        memset(maze, 0, sizeof maze);
        memset(met, 0, sizeof met);
        for (int i = 1; i <= r; i++)
            for (int j = 1; j <= c; j++) scanf("%d", &maze[i][j]);
        puts(name);
        int tail = 0;
        queue[tail++] = (struct state){sr, sc, -1, {top, front, right_of(top, front)}};
        for (int head = 0; head < tail && !found; head++) {
            struct state s = queue[head];
            for (int way = 0; way < 4 && !found; way++) {
                int y = s.row + down[way], x = s.col + across[way];
                if (maze[y][x] != -1 && maze[y][x] != s.die.top) continue;
                if (y == sr && x == sc) {
                    print_way(head, y, x);
                    found = 1;
                    break;
                }
                struct die d = roll(s.die, way);
                if (met[y][x][d.top][d.front]) continue;
                met[y][x][d.top][d.front] = 1;
                queue[tail++] = (struct state){y, x, head, d};
            }
        }
        if (!found) puts("  No Solution Possible");
    }
    return 0;
}
