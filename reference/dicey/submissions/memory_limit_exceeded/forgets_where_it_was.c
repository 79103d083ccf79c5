/* Verdict: memory limit exceeded. A breadth-first search without marks: a maze without
 * a solution fills the queue, which grows when it is full, for ever. Shown by
 * edge/start-empty. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int row, col, top, front, right, parent;
} entry;

static entry *queue;
static int used, room;

static void put(entry e)
{
    if (used == room) {
        room = room ? 2 * room : 64;
        queue = realloc(queue, room * sizeof *queue);
        if (!queue) exit(2);
    }
    queue[used++] = e;
}

static int find_right(int top, int front)
{
    for (int right = 1; right <= 6; right++) {
        int a = top < 4 ? top : top - 7, b = front < 4 ? front : front - 7, c = right < 4 ? right : right - 7;
        int cyclic = abs(b) % 3 + 1 == abs(c) && abs(a) % 3 + 1 == abs(b);
        if (abs(a) + abs(b) + abs(c) == 6 && abs(a * b * c) == 6 && (a * b * c > 0) == cyclic) return right;
    }
    abort();
}

static void show(int i, int last, int *n)
{
    if (i < 0) return;
    show(queue[i].parent, 0, n);
    if (*n % 9 == 0) printf("  ");
    printf("(%d,%d)", queue[i].row, queue[i].col);
    ++*n;
    if (!last) putchar(',');
    if (last || *n % 9 == 0) putchar('\n');
}

int main(void)
{
    char name[30];
    for (scanf("%29s", name); strcmp(name, "END"); scanf("%29s", name)) {
        int rows, cols, row, col, top, front, maze[12][12] = {{0}};
        scanf("%d %d %d %d %d %d", &rows, &cols, &row, &col, &top, &front);
        for (int i = 1; i <= rows; i++)
            for (int j = 1; j <= cols; j++) scanf("%d", maze[i] + j);
        used = 0;
        put((entry){row, col, top, front, find_right(top, front), -1});
        int done = 0;
        printf("%s\n", name);
        for (int i = 0; i < used && !done; i++) {
            for (int k = 0; k < 4 && !done; k++) {
                entry e = queue[i], n = e;
                n.parent = i;
                if (k == 0) n.row--, n.top = e.front, n.front = 7 - e.top;
                if (k == 1) n.row++, n.top = 7 - e.front, n.front = e.top;
                if (k == 2) n.col--, n.top = e.right, n.right = 7 - e.top;
                if (k == 3) n.col++, n.top = 7 - e.right, n.right = e.top;
                if (maze[n.row][n.col] != -1 && maze[n.row][n.col] != e.top) continue;
                put(n);
                done = n.row == row && n.col == col;
            }
        }
        int n = 0;
        if (done) show(used - 1, 1, &n);
        else puts("  No Solution Possible");
    }
    return 0;
}
