/* Verdict: wrong_answer.
 *
 * Relies on what the original promises: goes on with the original's rules until every
 * edge is known, and does not look at what it has drawn. In the group beyond, the rules
 * may be wrong, as for two 3s side by side in a loop round just these, or may not
 * suffice, and then the program never ends. The sheet has a square for each vertex, edge
 * and cell. Rules are written down for one corner of a cell, and the others are reached
 * by steps with other signs. */
#include <stdio.h>
#include <string.h>

enum { SIDE = 20, OPEN = 0, LINE = 1, NONE = 2 };

/* Vertices are at even rows and columns, cells at odd ones; two rows and columns of
 * NONE surround the sheet, so that nothing needs to ask where the grid ends. */
static char sheet[2 * SIDE + 9][2 * SIDE + 9];
static int rows, cols, unknown;

#define AT(y, x) sheet[(y) + 4][(x) + 4]

static void mark(int y, int x, int what) {
    if (AT(y, x) != OPEN) return;
    AT(y, x) = what;
    --unknown;
}

static int count(const int (*at)[2], int n, int what) {
    int found = 0;
    for (int k = 0; k < n; ++k) found += AT(at[k][0], at[k][1]) == what;
    return found;
}

static void around(int y, int x, int number) {
    const int at[4][2] = {{y - 1, x}, {y + 1, x}, {y, x - 1}, {y, x + 1}};
    const int lines = count(at, 4, LINE), open = count(at, 4, OPEN);
    int what = OPEN;
    if (number < 0) { /* a vertex has two lines or none */
        if (lines == 2 || (lines == 0 && open == 1)) what = NONE;
        if (lines == 1 && open == 1) what = LINE;
    } else {
        if (lines + open == number) what = LINE;
        if (lines == number) what = NONE;
    }
    for (int k = 0; what != OPEN && k < 4; ++k) mark(at[k][0], at[k][1], what);
}

static int digit(int y, int x) {
    return y > 0 && x > 0 && y < 2 * rows && x < 2 * cols ? AT(y, x) - '0' : -1;
}

/* The corner of cell (y, x) towards dy, dx: v lies there. */
static void corner(int y, int x, int dy, int dx) {
    const int vy = y + dy, vx = x + dx, wy = y - dy, wx = x - dx, number = digit(y, x);
    const int out[2][2] = {{vy + dy, vx}, {vy, vx + dx}}, in[2][2] = {{vy - dy, vx}, {vy, vx - dx}};
    const int far_out[2][2] = {{wy - dy, wx}, {wy, wx - dx}}, far_in[2][2] = {{wy + dy, wx}, {wy, wx + dx}};
    const int sides[2][2][2] = {{{vy + dy, wx}, {vy, wx - dx}}, {{wy - dy, vx}, {wy, vx + dx}}};
    const int shut = count(out, 2, NONE) == 2, entered = count(out, 2, NONE) == 1 && count(out, 2, LINE) == 1;
    const int across = digit(y - 2 * dy, x - 2 * dx);
    const int end[2][2] = {{wy - 2 * dy, wx - dx}, {wy - dy, wx - 2 * dx}};
    for (int k = 0; k < 2; ++k) {
        if (number == 3 && (shut || across == 3)) mark(in[k][0], in[k][1], LINE);
        if (number == 1 && shut) mark(in[k][0], in[k][1], NONE);
        if (number == 3 && entered) mark(far_in[k][0], far_in[k][1], LINE);
        if (number == 1 && entered) mark(far_in[k][0], far_in[k][1], NONE);
        if (number == 2 && entered && count(far_out, 2, NONE) == 1) mark(far_out[k][0], far_out[k][1], LINE);
        if (number == 3 && across == 1 && shut) mark(end[k][0], end[k][1], NONE);
    }
    if (number == 3 && across == 1 && count(end, 2, NONE) == 2) {
        mark(out[0][0], out[0][1], NONE);
        mark(out[1][0], out[1][1], NONE);
    }
    for (int s = 0; number == 2 && shut && s < 2; ++s) {
        if (count(sides[s], 2, NONE) != 1) continue;
        mark(sides[s][0][0], sides[s][0][1], LINE);
        mark(sides[s][1][0], sides[s][1][1], LINE);
    }
}

static void apply_rules(void) {
    for (int y = 0; y <= 2 * rows; y += 2)
        for (int x = 0; x <= 2 * cols; x += 2) around(y, x, -1);
    for (int y = 1; y < 2 * rows; y += 2)
        for (int x = 1; x < 2 * cols; x += 2) {
            around(y, x, digit(y, x));
            for (int k = -1; k <= 3; k += 2) {
                if (digit(y, x) == 3 && digit(y, x + 2) == 3) mark(y, x + k, LINE);
                if (digit(y, x) == 3 && digit(y + 2, x) == 3) mark(y + k, x, LINE);
            }
            for (int k = 0; k < 4; ++k) corner(y, x, k / 2 * 2 - 1, k % 2 * 2 - 1);
        }
}

static void rule_off(char with) {
    putchar('#');
    for (int k = 0; k < 4 * cols + 3; ++k) putchar(with);
    puts("#");
}

static void draw(void) {
    rule_off('#');
    rule_off(' ');
    for (int y = 0; y <= 2 * rows; ++y) {
        printf("# ");
        for (int x = 0; x <= 2 * cols; ++x) {
            const int vertex = y % 2 == 0 && x % 2 == 0, cell = y % 2 && x % 2;
            const int up = AT(y - 1, x) == LINE, down = AT(y + 1, x) == LINE;
            const int left = AT(y, x - 1) == LINE, right = AT(y, x + 1) == LINE, here = AT(y, x) == LINE;
            if (vertex) putchar(up && down ? '|' : left && right ? '-' : up || down ? '+' : ' ');
            else if (cell) printf(" %c ", AT(y, x));
            else if (y % 2) putchar(here ? '|' : ' ');
            else printf(here ? "---" : "   ");
        }
        puts(" #");
    }
    rule_off(' ');
    rule_off('#');
}

int main(void) {
    for (int n = 1; scanf("%d%d", &rows, &cols) == 2 && rows > 0; ++n) {
        memset(sheet, NONE, sizeof sheet);
        unknown = 0;
        for (int y = 0; y <= 2 * rows; ++y)
            for (int x = 0; x <= 2 * cols; ++x)
                if (y % 2 != x % 2) {
                    AT(y, x) = OPEN;
                    ++unknown;
                }
        for (int y = 1; y < 2 * rows; y += 2)
            for (int x = 1; x < 2 * cols; x += 2) scanf(" %c", &AT(y, x));
        while (unknown > 0) apply_rules();
        printf("%d\n", n);
        draw();
    }
    return 0;
}
