/* Verdict: presentation error. Numbers are printed two characters wide, so that a
 * blank stands before those of one digit. Shown by edge/white-already. */
#include <stdio.h>

static unsigned flip_of[16];

static unsigned search(unsigned board, int from, int left)
{
    if (board == 0 || board == 0xffff) return 1;
    for (int k = from; left > 0 && k < 16; k++)
        if (search(board ^ flip_of[k], k + 1, left - 1)) return 1;
    return 0;
}

int main(void)
{
    unsigned board = 0;
    char s[5];
    for (int r = 0; r < 4; r++) {
        scanf(" %4[BW]", s);
        for (int c = 0; c < 4; c++) board |= (unsigned)(s[c] == 'B') << (r * 4 + c);
    }
    for (int r = -1; r <= 1; r++) {
        scanf(" %3[01]", s);
        for (int c = -1; c <= 1; c++)
            for (int k = 0; k < 16; k++)
                if (s[c + 1] == '1' && k / 4 + r >= 0 && k / 4 + r < 4 && k % 4 + c >= 0 && k % 4 + c < 4)
                    flip_of[k] |= 1u << (k + 4 * r + c);
    }
    for (int most = 0; most <= 16; most++)
        if (search(board, 0, most)) {
            printf("%2d\n", most);
            return 0;
        }
    printf("Impossible\n");
    return 0;
}
