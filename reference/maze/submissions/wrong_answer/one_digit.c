/* Verdict: wrong answer.
 * Takes the position of a flip from a single character of the line, which is
 * right only for lists of up to nine cells. */
#include <stdio.h>
#include <string.h>

enum { SIDE = 64 };

static char line[80];
static int rows, columns;
static char visited[SIDE][SIDE], floor_gone[SIDE][SIDE], side_gone[SIDE][SIDE];
static int list[SIDE * SIDE];

static int open_cell(int r, int c)
{
    return r >= 1 && r <= rows && c >= 1 && c <= columns && !visited[r][c];
}

static void draw(void)
{
    for (int c = 1; c <= columns; c++)
        printf(" _");
    printf("\n");
    for (int r = rows; r >= 1; r--) {
        putchar('|');
        for (int c = 1; c <= columns; c++) {
            putchar(floor_gone[r][c] ? ' ' : '_');
            putchar(side_gone[r][c] ? ' ' : '|');
        }
        printf("\n");
    }
    printf("\n");
}

int main(void)
{
    int mazes;
    if (!fgets(line, sizeof line, stdin) || sscanf(line, "%d", &mazes) != 1)
        return 0;
    while (mazes-- > 0) {
        int row, column, length = 0;
        if (!fgets(line, sizeof line, stdin) || sscanf(line, "%d %d", &rows, &columns) != 2)
            return 0;
        if (!fgets(line, sizeof line, stdin) || sscanf(line, "%d %d", &row, &column) != 2)
            return 0;
        memset(visited, 0, sizeof visited);
        memset(floor_gone, 0, sizeof floor_gone);
        memset(side_gone, 0, sizeof side_gone);
        visited[row][column] = 1;
        list[length++] = row * SIDE + column;
        while (length > 0) {
            int r = list[length - 1] / SIDE, c = list[length - 1] % SIDE;
            if (!open_cell(r + 1, c) && !open_cell(r - 1, c) && !open_cell(r, c - 1) && !open_cell(r, c + 1)) {
                length--;
                continue;
            }
            if (!fgets(line, sizeof line, stdin))
                break;
            if (line[0] == 'F') {
                for (int i = line[2] - '1', j = length - 1; i < j; i++, j--) {
                    int cell = list[i];
                    list[i] = list[j];
                    list[j] = cell;
                }
                continue;
            }
            int next_row = r + (line[0] == 'U') - (line[0] == 'D');
            int next_column = c + (line[0] == 'R') - (line[0] == 'L');
            if (!open_cell(next_row, next_column))
                continue;
            if (next_column == c)
                floor_gone[next_row > r ? next_row : r][c] = 1;
            else
                side_gone[r][next_column < c ? next_column : c] = 1;
            visited[next_row][next_column] = 1;
            list[length++] = next_row * SIDE + next_column;
        }
        draw();
    }
    return 0;
}
