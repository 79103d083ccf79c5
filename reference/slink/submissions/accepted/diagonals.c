/* Verdict: accepted. Cells are inside or outside, and the number of a cell decides the
 * one below it. Going by diagonals from the upper left, only the top cell of each is
 * free; all others follow, and most mistakes show at once. */
#include <stdio.h>
#include <string.h>

static int r, c, number[22][22], in[22][22]; /* with a frame of cells outside */

static int stack[500], met[22][22];

static int flood(int row, int col)
{
    int n = 0, size = 0;
    stack[n++] = row * 22 + col;
    met[row][col] = 1;
    while (n) {
        int at = stack[--n], y = at / 22, x = at % 22;
        size++;
        for (int k = 0; k < 4; k++) {
            int v = y + (k == 0) - (k == 1), u = x + (k == 2) - (k == 3);
            if (v < 0 || u < 0 || v > r + 1 || u > c + 1 || met[v][u] || in[v][u] != in[y][x]) continue;
            met[v][u] = 1;
            stack[n++] = v * 22 + u;
        }
    }
    return size;
}

static int one_loop(void)
{
    memset(met, 0, sizeof met);
    int all = flood(0, 0);
    for (int i = 1; i <= r; i++)
        for (int j = 1; j <= c; j++)
            if (in[i][j]) return all + flood(i, j) == (r + 2) * (c + 2);
    return 0;
}

static int solve(int d)
{
    if (d > r + c + 1) return one_loop();
    for (int free = 0; free <= (d <= c); free++) {
        int ok = 1;
        if (d <= c) in[1][d] = free;
        for (int i = 2; i <= r + 1 && i < d + 1 && ok; i++) {
            int j = d - i + 1, own;
            if (j > c) continue;
            own = in[i - 1][j];
            int rest = number[i - 1][j] - (own != in[i - 2][j]) - (own != in[i - 1][j - 1]) - (own != in[i - 1][j + 1]);
            int below = own ^ rest;
            ok = (rest == 0 || rest == 1) && !(i == r + 1 && below);
            if (ok) in[i][j] = below;
        }
        if (ok && solve(d + 1)) return 1;
    }
    return 0;
}

static void draw(void)
{
    int width = 4 * c + 5;
    static char line[2][90];
    memset(line[0], '#', width);
    memset(line[1], ' ', width);
    line[1][0] = line[1][width - 1] = '#';
    printf("%.*s\n%.*s\n", width, line[0], width, line[1]);
    for (int i = 1; i <= r + 1; i++) {
        char flat[90], tall[90];
        memcpy(flat, line[1], width);
        memcpy(tall, line[1], width);
        for (int j = 1; j <= c + 1; j++) {
            int right = in[i - 1][j] != in[i][j], left = in[i - 1][j - 1] != in[i][j - 1];
            int up = in[i - 1][j - 1] != in[i - 1][j], down = in[i][j - 1] != in[i][j];
            char *vertex = flat + 4 * j - 2;
            *vertex = left && right ? '-' : up && down ? '|' : left + right + up + down ? '+' : ' ';
            if (right && j <= c) memset(vertex + 1, '-', 3);
            if (down) tall[4 * j - 2] = '|';
            if (j <= c) tall[4 * j] = '0' + number[i][j];
        }
        printf("%.*s\n", width, flat);
        if (i <= r) printf("%.*s\n", width, tall);
    }
    printf("%.*s\n%.*s\n", width, line[1], width, line[0]);
}

int main(void)
{
    for (int puzzle = 1; scanf("%d %d", &r, &c) == 2 && r; puzzle++) {
        memset(in, 0, sizeof in);
        for (int i = 1; i <= r; i++)
            for (int j = 1; j <= c; j++)
                if (scanf("%d", &number[i][j]) != 1) return 1;
        if (!solve(1)) return 2;
        printf("%d\n", puzzle);
        draw();
    }
    return 0;
}
