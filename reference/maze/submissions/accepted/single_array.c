/* Verdict: accepted. One array of cells with a frame; the walls are removed in the text
 * of the picture itself. A flip exchanges pairs of cells, 18 million of them for the
 * longest input. */
#include <stdio.h>
#include <string.h>

enum { SIDE = 41, CELLS = SIDE * SIDE };

static unsigned char visited[CELLS];
static char picture[SIDE][2 * SIDE];
static int list[CELLS];

static int stuck(int cell)
{
    return visited[cell - 1] && visited[cell + 1] && visited[cell - SIDE] && visited[cell + SIDE];
}

int main(void)
{
    int mazes, rows, columns, row, column;
    if (scanf("%d", &mazes) != 1) return 1;
    for (; mazes > 0; mazes--) {
        if (scanf("%d %d %d %d", &rows, &columns, &row, &column) != 4) return 1;
        memset(visited, 1, sizeof visited);
        for (int r = 1; r <= rows; r++) {
            memset(visited + r * SIDE + 1, 0, columns);
            picture[r][0] = '|';
            for (int c = 1; c <= columns; c++) memcpy(&picture[r][2 * c - 1], "_|", 2);
            picture[r][2 * columns + 1] = '\0';
        }
        int length = 1;
        list[0] = row * SIDE + column;
        visited[list[0]] = 1;
        while (length > 0) {
            int cell = list[length - 1];
            if (stuck(cell)) {
                length--;
                continue;
            }
            char command;
            int position;
            if (scanf(" %c", &command) != 1) return 1;
            if (command == 'F') {
                if (scanf("%d", &position) != 1) return 1;
                for (int *a = list + position - 1, *b = list + length - 1; a < b; a++, b--) {
                    int kept = *a;
                    *a = *b;
                    *b = kept;
                }
                continue;
            }
            int r = cell / SIDE, c = cell % SIDE;
            switch (command) {
            case 'U': picture[++r][2 * c - 1] = ' '; break;
            case 'D': picture[r--][2 * c - 1] = ' '; break;
            case 'L': picture[r][2 * --c] = ' '; break;
            default: picture[r][2 * c++] = ' ';
            }
            visited[r * SIDE + c] = 1;
            list[length++] = r * SIDE + c;
        }
        for (int c = 0; c < columns; c++) printf(" _");
        putchar('\n');
        for (int r = rows; r > 0; r--) puts(picture[r]);
        putchar('\n');
    }
    return 0;
}
