/* Verdict: wrong answer. The queue is a ring of 1,024 places, without a check whether it
 * is full; later boards overwrite boards that wait, and the boards behind those are met
 * late or never. Shown by edge/centre-to-white. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define RING 1024

typedef struct { uint16_t board; uint8_t moves; } state_t;

static state_t ring[RING];
static unsigned front, back;
static bool known[1 << 16];

static void push(uint16_t board, uint8_t moves)
{
    if (known[board])
        return;
    known[board] = true;
    ring[back++ % RING] = (state_t){board, moves};
}

int main(void)
{
    char text[7][8];
    uint16_t start = 0, press[16] = {0};

    for (int i = 0; i < 7; i++)
        if (scanf("%7s", text[i]) != 1)
            return 1;
    for (int k = 0; k < 16; k++) {
        start |= (text[k >> 2][k & 3] == 'B') << k;
        for (int n = 0; n < 9; n++) {
            int y = (k >> 2) + n / 3 - 1, x = (k & 3) + n % 3 - 1;
            if (text[4 + n / 3][n % 3] == '1' && !((y | x) & ~3))
                press[k] |= 1 << (4 * y + x);
        }
    }

    push(start, 0);
    while (front != back) {
        state_t s = ring[front++ % RING];
        if (s.board == 0 || s.board == UINT16_MAX) {
            printf("%d\n", s.moves);
            return 0;
        }
        for (int k = 0; k < 16; k++)
            push(s.board ^ press[k], s.moves + 1);
    }
    printf("Impossible\n");
    return 0;
}
