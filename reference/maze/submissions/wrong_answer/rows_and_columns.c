/* Verdict: wrong answer. Reads the number of columns first and that of rows second; it
 * takes commands only while they lead into its own grid. Shown by sample/statement. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct maze {
    int width, height;
    bool *dug, *floor, *side;
    int *list, count;
} maze;

static maze *new_maze(int width, int height)
{
    int cells = (width + 2) * (height + 2);
    maze *z = calloc(1, sizeof *z);
    z->width = width, z->height = height;
    z->dug = malloc(cells), z->floor = malloc(cells), z->side = malloc(cells);
    memset(z->dug, true, cells), memset(z->floor, true, cells), memset(z->side, true, cells);
    for (int y = 1; y <= height; y++) memset(z->dug + y * (width + 2) + 1, false, width);
    z->list = malloc(sizeof(int) * cells);
    return z;
}

static void free_maze(maze *z)
{
    free(z->dug), free(z->floor), free(z->side), free(z->list), free(z);
}

static bool dead(const maze *z, int at)
{
    int up = z->width + 2;
    return z->dug[at + 1] && z->dug[at - 1] && z->dug[at + up] && z->dug[at - up];
}

static void go(maze *z, int to)
{
    if (to < 0 || to >= (z->width + 2) * (z->height + 2) || z->dug[to]) return;
    z->dug[to] = true;
    z->list[z->count++] = to;
}

int main(void)
{
    int number, width, height, x, y;
    scanf("%d", &number);
    for (; number > 0; number--) {
        if (scanf("%d %d %d %d", &width, &height, &y, &x) < 4) break;
        maze *z = new_maze(width, height);
        int up = width + 2;
        go(z, y * up + x);
        while (z->count) {
            int at = z->list[z->count - 1], from, *a, *b;
            char command[2];
            if (dead(z, at)) {
                z->count--;
                continue;
            }
            if (scanf("%1s", command) != 1) break;
            if (*command == 'U') z->floor[at + up] = false, go(z, at + up);
            if (*command == 'D') z->floor[at] = false, go(z, at - up);
            if (*command == 'L') z->side[at - 1] = false, go(z, at - 1);
            if (*command == 'R') z->side[at] = false, go(z, at + 1);
            if (*command != 'F') continue;
            scanf("%d", &from);
            for (a = z->list + from - 1, b = z->list + z->count - 1; a < b; a++, b--) {
                int t = *a;
                *a = *b, *b = t;
            }
        }
        for (x = 1; x <= width; x++) fputs(" _", stdout);
        for (y = height; y >= 1; y--) {
            fputs("\n|", stdout);
            for (x = 1; x <= width; x++) {
                putchar(z->floor[y * up + x] ? '_' : ' ');
                putchar(z->side[y * up + x] ? '|' : ' ');
            }
        }
        fputs("\n\n", stdout);
        free_maze(z);
    }
    return 0;
}
