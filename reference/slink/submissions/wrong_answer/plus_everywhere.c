/* Verdict: wrong answer. Every vertex is a plus, as such puzzles are printed in
 * magazines. Shown by sample/statement. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct puzzle {
    int rows, cols;
    int digit[20][20];
    char side[20][20]; /* 1 inside */
};

static char side_at(const struct puzzle *p, int i, int j)
{
    return i >= 0 && j >= 0 && i < p->rows && j < p->cols ? p->side[i][j] : 0;
}

static int spread(const struct puzzle *p, char seen[22][22], int i, int j, char kind)
{
    if (i < -1 || j < -1 || i > p->rows || j > p->cols) return 0;
    if (seen[i + 1][j + 1] || side_at(p, i, j) != kind) return 0;
    seen[i + 1][j + 1] = 1;
    return 1 + spread(p, seen, i + 1, j, kind) + spread(p, seen, i - 1, j, kind) +
           spread(p, seen, i, j + 1, kind) + spread(p, seen, i, j - 1, kind);
}

static int whole(const struct puzzle *p)
{
    char seen[22][22] = {{0}};
    int outside = spread(p, seen, -1, -1, 0), inside = 0;
    for (int k = 0; k < p->rows * p->cols && !inside; k++)
        inside = spread(p, seen, k / p->cols, k % p->cols, 1);
    return inside && inside + outside == (p->rows + 2) * (p->cols + 2);
}

static int fill(struct puzzle *p, int diagonal)
{
    if (diagonal == p->rows + p->cols) return whole(p);
    for (char first = 0; first < 2; first++) {
        if (diagonal < p->cols) p->side[0][diagonal] = first;
        else if (first) break;
        int i;
        for (i = 1; i <= diagonal && i <= p->rows; i++) {
            int j = diagonal - i, lines = 0;
            if (j >= p->cols) continue;
            char own = side_at(p, i - 1, j);
            lines += own != side_at(p, i - 2, j);
            lines += own != side_at(p, i - 1, j - 1);
            lines += own != side_at(p, i - 1, j + 1);
            int missing = p->digit[i - 1][j] - lines;
            if (missing < 0 || missing > 1) break;
            if (i < p->rows) p->side[i][j] = own ^ missing;
            else if (own ^ missing) break;
        }
        if ((i > diagonal || i > p->rows) && fill(p, diagonal + 1)) return 1;
    }
    return 0;
}

static void print(const struct puzzle *p)
{
    int w = 4 * p->cols + 5, h = 2 * p->rows + 5;
    char *page = malloc((w + 1) * h);
    for (int y = 0; y < h; y++) {
        memset(page + y * (w + 1), y == 0 || y == h - 1 ? '#' : ' ', w);
        page[y * (w + 1)] = page[y * (w + 1) + w - 1] = '#';
        page[y * (w + 1) + w] = '\n';
    }
#define AT(y, x) page[(y) * (w + 1) + (x)]
    for (int i = 0; i <= p->rows; i++)
        for (int j = 0; j <= p->cols; j++) {
            AT(2 + 2 * i, 2 + 4 * j) = '+';
            if (i < p->rows && j < p->cols) AT(3 + 2 * i, 4 + 4 * j) = '0' + p->digit[i][j];
            if (i < p->rows && side_at(p, i, j) != side_at(p, i, j - 1)) AT(3 + 2 * i, 2 + 4 * j) = '|';
            if (j < p->cols && side_at(p, i, j) != side_at(p, i - 1, j)) memset(&AT(2 + 2 * i, 3 + 4 * j), '-', 3);
        }
    fwrite(page, 1, (w + 1) * h, stdout);
    free(page);
}

int main(void)
{
    struct puzzle p;
    int number = 0;
    while (scanf("%d%d", &p.rows, &p.cols), p.rows) {
        for (int i = 0; i < p.rows; i++)
            for (int j = 0; j < p.cols; j++) scanf("%d", &p.digit[i][j]);
        memset(p.side, 0, sizeof p.side);
        fill(&p, 0);
        printf("%d\n", ++number);
        print(&p);
    }
    return 0;
}
