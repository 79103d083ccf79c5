/* Verdict: presentation error. The lines below the names are indented by a tab. Shown by
 * sample/statement. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIDE 12
#define STATES (SIDE * SIDE * 24)

static unsigned char faces[24][3];
static int rolled[24][4], kinds;

static int kind(int top, int front, int right)
{
    int i;
    for (i = 0; i < kinds; i++)
        if (faces[i][0] == top && faces[i][1] == front) return i;
    faces[kinds][0] = top, faces[kinds][1] = front, faces[kinds][2] = right;
    kinds++;
    rolled[i][0] = kind(front, 7 - top, right);
    rolled[i][1] = kind(7 - front, top, right);
    rolled[i][2] = kind(right, front, 7 - top);
    rolled[i][3] = kind(7 - right, front, top);
    return i;
}

static char *line(void)
{
    static char text[256];
    return fgets(text, sizeof text, stdin) ? text : NULL;
}

int main(void)
{
    static const int step[4] = {-SIDE, SIDE, -1, 1};
    static int board[SIDE * SIDE], parent[STATES], queue[STATES];
    char name[256], *text;

    kind(1, 2, 3);
    while ((text = line()) && strcmp(text, "END\n") != 0) {
        int rows, columns, row, column, top, front;
        strcpy(name, text);
        sscanf(line(), "%d%d%d%d%d%d", &rows, &columns, &row, &column, &top, &front);
        memset(board, 0, sizeof board);
        for (int r = 1; r <= rows; r++) {
            char *rest = line();
            for (int c = 1; c <= columns; c++) board[r * SIDE + c] = strtol(rest, &rest, 10);
        }
        int home = row * SIDE + column, start = home * 24 + kind(top, front, 0);
        int head = 0, tail = 0, last = -1;
        memset(parent, -1, sizeof parent);
        queue[tail++] = start;
        while (head < tail && last < 0) {
            int s = queue[head++], die = s % 24;
            for (int way = 0; way < 4; way++) {
                int to = s / 24 + step[way], state = to * 24 + rolled[die][way];
                if (board[to] != -1 && board[to] != faces[die][0]) continue;
                if (to == home) {
                    last = s;
                    break;
                }
                if (parent[state] < 0) {
                    parent[state] = s;
                    queue[tail++] = state;
                }
            }
        }
        fputs(name, stdout);
        if (last < 0) {
            puts("\tNo Solution Possible");
            continue;
        }
        int n = 0;
        queue[n++] = home;
        for (; last != start; last = parent[last]) queue[n++] = last / 24;
        queue[n++] = home;
        for (int i = 0; i < n; i++) {
            int at = queue[n - 1 - i];
            printf("%s(%d,%d)%s", i % 9 ? "" : "\t", at / SIDE, at % SIDE, i + 1 < n ? "," : "");
            if (i % 9 == 8 || i + 1 == n) printf("\n");
        }
    }
    return 0;
}
