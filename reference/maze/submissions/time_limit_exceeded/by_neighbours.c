/* Verdict: time limit exceeded. A run of cells is reversed by exchanges of neighbours, as
 * bubble sort would: a million of them for the longest list, fifty thousand times. The
 * answers are right. Shown by large/first-largest. */
#include <stdio.h>
#include <string.h>

typedef struct { signed char row, col; } cell;

static int rows, cols;
static char visited[40][40], picture[40][80];

static int dead(cell c)
{
    if (c.row < rows && !visited[c.row + 1][c.col]) return 0;
    if (c.row > 1 && !visited[c.row - 1][c.col]) return 0;
    if (c.col < cols && !visited[c.row][c.col + 1]) return 0;
    return c.col == 1 || visited[c.row][c.col - 1];
}

static void reverse(volatile cell *list, int length)
{
    for (int rest = length - 1; rest > 0; rest--)
        for (int i = 0; i < rest; i++) {
            cell first = {list[i].row, list[i].col};
            list[i].row = list[i + 1].row, list[i].col = list[i + 1].col;
            list[i + 1].row = first.row, list[i + 1].col = first.col;
        }
}

int main(void)
{
    static cell list[1521];
    int mazes, row, col, position, length;
    char command;
    scanf("%d", &mazes);
    for (int z = 0; z < mazes; z++) {
        scanf("%d %d %d %d", &rows, &cols, &row, &col);
        memset(visited, 0, sizeof visited);
        for (int r = 1; r <= rows; r++) {
            strcpy(picture[r], "|");
            for (int c = 1; c <= cols; c++) strcat(picture[r], "_|");
        }
        list[0] = (cell){row, col};
        visited[row][col] = 1;
        length = 1;
        while (length > 0) {
            cell c = list[length - 1];
            if (dead(c)) {
                length--;
                continue;
            }
            scanf(" %c", &command);
            if (command == 'F') {
                scanf("%d", &position);
                reverse(list + position - 1, length - position + 1);
                continue;
            }
            if (command == 'U') picture[++c.row][2 * c.col - 1] = ' ';
            else if (command == 'D') picture[c.row--][2 * c.col - 1] = ' ';
            else if (command == 'L') picture[c.row][2 * --c.col] = ' ';
            else picture[c.row][2 * c.col++] = ' ';
            visited[c.row][c.col] = 1;
            list[length++] = c;
        }
        for (int c = 1; c <= cols; c++) printf(" _");
        printf("\n");
        for (int r = rows; r >= 1; r--) printf("%s\n", picture[r]);
        printf("\n");
    }
    return 0;
}
