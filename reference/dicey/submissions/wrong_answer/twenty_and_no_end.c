/* Verdict: wrong answer. A name may have twenty characters, and there is room for
 * twenty, but not for the zero byte behind them: the number of rows, read next, takes
 * its place and becomes part of the name. Shown by edge/name-of-twenty. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    char name[20];
    int32_t rows, cols, y, x, top, front;
    int8_t square[10][10];
} maze_t;

typedef struct { int8_t y, x, top, front, left; int16_t parent; } pos_t;

static pos_t list[100 * 24 + 1];

static int left_of(int top, int front)
{
    /* the cross product of the two axes, with the sign of the half they are in */
    static const int axis[7] = {0, 0, 1, 2, 2, 1, 0}, sign[7] = {0, 1, 1, 1, -1, -1, -1};
    int third = 3 - axis[top] - axis[front];
    int way = (axis[front] - axis[top] + 3) % 3 == 1 ? 1 : -1;
    int right = sign[top] * sign[front] * way;
    return right > 0 ? 6 - third : third + 1;
}

static bool read_maze(maze_t *m)
{
    if (scanf("%s", m->name) != 1 || strcmp(m->name, "END") == 0) return false;
    scanf("%d %d %d %d %d %d", &m->rows, &m->cols, &m->y, &m->x, &m->top, &m->front);
    for (int i = 0; i < m->rows; i++)
        for (int j = 0; j < m->cols; j++) scanf("%hhd", &m->square[i][j]);
    m->y--, m->x--;
    return true;
}

static int solve(const maze_t *m)
{
    static bool seen[10][10][7][7];
    memset(seen, 0, sizeof seen);
    int n = 0;
    list[n++] = (pos_t){m->y, m->x, m->top, m->front, left_of(m->top, m->front), -1};
    for (int i = 0; i < n; i++) {
        pos_t p = list[i], q[4] = {
            {p.y - 1, p.x, p.front, 7 - p.top, p.left, i},
            {p.y + 1, p.x, 7 - p.front, p.top, p.left, i},
            {p.y, p.x - 1, 7 - p.left, p.front, p.top, i},
            {p.y, p.x + 1, p.left, p.front, 7 - p.top, i},
        };
        for (int k = 0; k < 4; k++) {
            if (q[k].y < 0 || q[k].x < 0 || q[k].y >= m->rows || q[k].x >= m->cols) continue;
            int s = m->square[q[k].y][q[k].x];
            if (s != -1 && s != p.top) continue;
            bool *known = &seen[q[k].y][q[k].x][q[k].top][q[k].front];
            if (*known) continue;
            *known = true;
            list[n++] = q[k];
            if (q[k].y == m->y && q[k].x == m->x) return n - 1;
        }
    }
    return -1;
}

static int print(int i)
{
    int place = list[i].parent < 0 ? 0 : print(list[i].parent) + 1;
    if (place) printf(",");
    if (place && place % 9 == 0) printf("\n");
    if (place % 9 == 0) printf("  ");
    printf("(%d,%d)", list[i].y + 1, list[i].x + 1);
    return place;
}

int main(void)
{
    maze_t maze;
    while (read_maze(&maze)) {
        printf("%s\n", maze.name);
        int end = solve(&maze);
        if (end < 0) printf("  No Solution Possible");
        else print(end);
        printf("\n");
    }
    return 0;
}
