/* Verdict: run-time error. Of a maze of one cell the list is freed where it is found to
 * be done and once more behind: free(): double free detected. Shown by edge/one-cell. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item { int row, col; };

static char cells[40][40], below[40][40], right[40][40];

static int fresh(int row, int col, int rows, int cols)
{
    return row > 0 && row <= rows && col > 0 && col <= cols && !cells[row][col];
}

static void dig(struct item *list, int rows, int cols)
{
    int n = 1;
    if (rows * cols == 1) {
        free(list); /* done */
        return;
    }
    while (n > 0) {
        struct item last = list[n - 1];
        int r = last.row, c = last.col, position;
        if (!fresh(r + 1, c, rows, cols) && !fresh(r - 1, c, rows, cols) &&
            !fresh(r, c + 1, rows, cols) && !fresh(r, c - 1, rows, cols)) {
            n--;
            continue;
        }
        char *line = NULL;
        size_t room = 0;
        getline(&line, &room, stdin);
        char command = line[0];
        if (command == 'F') {
            position = atoi(line + 1) - 1;
            struct item *copy = malloc(n * sizeof *copy);
            memcpy(copy, list, n * sizeof *copy);
            for (int i = position; i < n; i++) list[i] = copy[position + n - 1 - i];
            free(copy);
        } else {
            struct item next = last;
            if (command == 'U') below[++next.row][c] = 0;
            if (command == 'D') below[next.row--][c] = 0;
            if (command == 'L') right[r][--next.col] = 0;
            if (command == 'R') right[r][next.col++] = 0;
            cells[next.row][next.col] = 1;
            list[n++] = next;
        }
        free(line);
    }
}

int main(void)
{
    int mazes, rows, cols;
    struct item start;
    for (scanf("%d\n", &mazes); mazes > 0; mazes--) {
        scanf("%d %d\n%d %d\n", &rows, &cols, &start.row, &start.col);
        struct item *list = malloc(rows * cols * sizeof *list);
        memset(cells, 0, sizeof cells);
        memset(below, 1, sizeof below);
        memset(right, 1, sizeof right);
        list[0] = start;
        cells[start.row][start.col] = 1;
        dig(list, rows, cols);
        free(list);
        for (int c = 0; c < cols; c++) printf(" _");
        for (int r = rows; r > 0; r--) {
            printf("\n|");
            for (int c = 1; c <= cols; c++) printf("%c%c", below[r][c] ? '_' : ' ', right[r][c] ? '|' : ' ');
        }
        printf("\n\n");
    }
    return 0;
}
