/* Verdict: wrong answer. The puzzles are counted in an unsigned char; after 255 comes 0.
 * Shown by large/thousand-by-rules. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* A row is a bit set; bit 0 and bit c+1 are outside. */
static int r, c;
static uint32_t row[23];
static uint8_t num[21][22];

static unsigned bit(int i, int j) { return row[i] >> j & 1; }

static bool connected(void)
{
    uint32_t all = (1u << (c + 2)) - 1;
    for (int kind = 0; kind < 2; kind++) {
        uint32_t mine[23], got[23] = {0};
        bool any = false, grown = true;
        for (int i = 0; i <= r + 1; i++) {
            mine[i] = (kind ? row[i] : ~row[i]) & all;
            if (!any && mine[i]) got[i] = mine[i] & -mine[i], any = true;
        }
        while (grown) {
            grown = false;
            for (int i = 0; i <= r + 1; i++) {
                uint32_t more = got[i] | got[i] << 1 | got[i] >> 1;
                if (i > 0) more |= got[i - 1];
                if (i <= r) more |= got[i + 1];
                more &= mine[i];
                if (more != got[i]) got[i] = more, grown = true;
            }
        }
        for (int i = 0; i <= r + 1; i++)
            if (got[i] != mine[i]) return false;
        if (!any) return false;
    }
    return true;
}

static bool search(int d)
{
    if (d == r + c) return connected();
    for (unsigned b = 0; b <= (d < c); b++) {
        bool good = true;
        if (d < c) row[1] = (row[1] & ~(1u << (d + 1))) | b << (d + 1);
        for (int i = 1, j = d; i <= r && j >= 1 && good; i++, j--) {
            if (j > c) continue;
            unsigned x = bit(i, j);
            int left = num[i][j] - (x ^ bit(i - 1, j)) - (x ^ bit(i, j - 1)) - (x ^ bit(i, j + 1));
            good = left == 0 || left == 1;
            row[i + 1] = (row[i + 1] & ~(1u << j)) | ((x ^ left) & 1) << j;
            if (i == r && bit(i + 1, j)) good = false;
        }
        if (good && search(d + 1)) return true;
    }
    return false;
}

static void frame(int n, char fill)
{
    putchar('#');
    while (n--) putchar(fill);
    puts("#");
}

int main(void)
{
    for (unsigned char count = 1;; count++) {
        scanf("%d %d", &r, &c);
        if (!r && !c) return 0;
        for (int i = 0; i < 23; i++) row[i] = 0;
        for (int i = 1; i <= r; i++)
            for (int j = 1; j <= c; j++) scanf("%hhu", &num[i][j]);
        search(0);
        printf("%u\n", count);
        frame(4 * c + 3, '#');
        frame(4 * c + 3, ' ');
        for (int i = 0; i <= r; i++) {
            printf("# ");
            for (int j = 0; j <= c; j++) {
                unsigned nw = bit(i, j), ne = bit(i, j + 1), sw = bit(i + 1, j), se = bit(i + 1, j + 1);
                putchar(nw + ne + sw + se == 2 && nw != se ? (nw == ne ? '-' : '|') : (nw + ne + sw + se) % 4 ? '+' : ' ');
                if (j < c) printf("%s", ne != se ? "---" : "   ");
            }
            printf(" #\n");
            if (i == r) break;
            printf("# ");
            for (int j = 0; j <= c; j++) {
                putchar(bit(i + 1, j) != bit(i + 1, j + 1) ? '|' : ' ');
                if (j < c) printf(" %d ", num[i + 1][j + 1]);
            }
            printf(" #\n");
        }
        frame(4 * c + 3, ' ');
        frame(4 * c + 3, '#');
    }
}
