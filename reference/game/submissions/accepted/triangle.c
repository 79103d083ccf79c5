/* Verdict: accepted. Elimination with a record of the moves behind each row gives one
 * way to win and the moves that change nothing; all sums of both are tried, of which
 * there are at most 2^16. */
#include <stdio.h>

typedef struct {
    unsigned chips; /* what they turn */
    unsigned moves; /* and which these are */
} row_t;

static row_t basis[16];
static unsigned idle[16];
static int idles;

/* Takes from r what the basis can do; what is left has a new leading chip. */
static row_t reduce(row_t r)
{
    for (int bit = 15; bit >= 0; bit--)
        if (r.chips >> bit & 1 && basis[bit].chips) {
            r.chips ^= basis[bit].chips;
            r.moves ^= basis[bit].moves;
        }
    return r;
}

static int fewest(unsigned difference)
{
    row_t way = reduce((row_t){difference, 0});
    if (way.chips) return -1;
    int best = 16;
    for (unsigned code = 0; code < 1u << idles; code++) {
        unsigned moves = way.moves;
        for (int i = 0; i < idles; i++)
            if (code >> i & 1) moves ^= idle[i];
        int count = __builtin_popcount(moves);
        if (count < best) best = count;
    }
    return best;
}

int main(void)
{
    unsigned board = 0;
    int pattern[3][3];
    for (int k = 0; k < 16; k++) {
        char c;
        if (scanf(" %c", &c) != 1) return 1;
        board |= (unsigned)(c == 'B') << k;
    }
    for (int k = 0; k < 9; k++)
        if (scanf("%1d", &pattern[k / 3][k % 3]) != 1) return 1;

    for (int cell = 0; cell < 16; cell++) {
        row_t r = {0, 1u << cell};
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                int y = cell / 4 + i - 1, x = cell % 4 + j - 1;
                if (pattern[i][j] && y >= 0 && y < 4 && x >= 0 && x < 4) r.chips |= 1u << (4 * y + x);
            }
        r = reduce(r);
        if (r.chips)
            basis[31 - __builtin_clz(r.chips)] = r;
        else
            idle[idles++] = r.moves;
    }

    int white = fewest(board), black = fewest(board ^ 0xFFFF);
    if (white < 0 || (black >= 0 && black < white)) white = black;
    if (white < 0)
        puts("Impossible");
    else
        printf("%d\n", white);
    return 0;
}
