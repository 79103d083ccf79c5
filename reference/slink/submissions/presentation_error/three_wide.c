/* Verdict: presentation error. The numbers of the puzzles are printed three characters
 * wide. Shown by sample/statement. */
#include <stdio.h>
#include <string.h>

#define W 48

typedef unsigned char byte;

static byte inside[W * W], mark[W * W];
static int clue[W * W], rows, cols;

static void flood(int at)
{
    int row = at / W, col = at % W;
    mark[at] = 1;
    if (row > 0 && !mark[at - W] && inside[at - W] == inside[at]) flood(at - W);
    if (row <= rows && !mark[at + W] && inside[at + W] == inside[at]) flood(at + W);
    if (col > 0 && !mark[at - 1] && inside[at - 1] == inside[at]) flood(at - 1);
    if (col <= cols && !mark[at + 1] && inside[at + 1] == inside[at]) flood(at + 1);
}

static int check(void)
{
    int floods[2] = {0, 0};
    memset(mark, 0, sizeof mark);
    for (int row = 0; row <= rows + 1; row++)
        for (int col = 0; col <= cols + 1; col++)
            if (!mark[row * W + col]) floods[inside[row * W + col]]++, flood(row * W + col);
    return floods[0] == 1 && floods[1] == 1;
}

static int solve(int diagonal)
{
    if (diagonal > rows + cols) return check();
    for (int top = diagonal <= cols; top >= 0; top--) {
        if (diagonal <= cols) inside[W + diagonal] = top;
        int at = W + diagonal - 1, left = rows, missing = 0;
        for (; left > 0 && at % W > 0; left--, at += W - 1) {
            if (at % W > cols) continue;
            missing = clue[at] - (inside[at] != inside[at - W]) - (inside[at] != inside[at - 1]) - (inside[at] != inside[at + 1]);
            if (missing & ~1) break;
            byte below = inside[at] ^ missing;
            if (left == 1 && below) break;
            inside[at + W] = below;
        }
        if ((left == 0 || at % W == 0) && solve(diagonal + 1)) return 1;
    }
    return 0;
}

int main(void)
{
    int count = 0, at;
    while (scanf("%d%d", &rows, &cols) == 2 && rows > 0) {
        memset(inside, 0, sizeof inside);
        for (int row = 1; row <= rows; row++)
            for (int col = 1; col <= cols; col++) scanf("%d", &clue[row * W + col]);
        solve(1);
        printf("%3d\n", ++count);
        for (int y = -2; y < 2 * rows + 3; y++) {
            for (int x = -2; x < 4 * cols + 3; x++) {
                char ch = ' ';
                at = (y >> 1) * W + (x >> 2);
                if (y == -2 || y == 2 * rows + 2 || x == -2 || x == 4 * cols + 2) ch = '#';
                else if (y < 0 || x < 0 || y > 2 * rows || x > 4 * cols) ch = ' ';
                else if (y % 2 && x % 4 == 2) ch = '0' + clue[at + W + 1];
                else if (y % 2 && x % 4 == 0) ch = inside[at + W] != inside[at + W + 1] ? '|' : ' ';
                else if (y % 2 == 0 && x % 4) ch = inside[at + 1] != inside[at + W + 1] ? '-' : ' ';
                else if (y % 2 == 0) {
                    int up = inside[at] != inside[at + 1], down = inside[at + W] != inside[at + W + 1];
                    int l = inside[at] != inside[at + W], r = inside[at + 1] != inside[at + W + 1];
                    ch = up & down ? '|' : l & r ? '-' : up | down ? '+' : ' ';
                }
                putchar(ch);
            }
            putchar('\n');
        }
    }
    return 0;
}
