/* Verdict: accepted. The orientations of the die on one square are bits of a number: bit
 * d of here[s] says that the die can lie on square s in orientation d. Rounds of rolls
 * move whole sets of orientations at once; from the end the walk is traced back through
 * the rounds. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { ROW = 12, SQUARES = ROW * ROW, DICE = 24, ROUNDS = 2402 };

typedef uint32_t set; /* of orientations */

static struct { int top, front, right; } dice[DICE];
static int turn[4][DICE];
static const int step[4] = {-ROW, ROW, -1, 1};

static int find(int top, int front)
{
    for (int d = 0; d < DICE; d++)
        if (dice[d].top == top && dice[d].front == front) return d;
    return -1;
}

static void make_dice(void)
{
    int n = 0;
    for (int top = 1; top <= 6; top++)
        for (int front = 1; front <= 6; front++)
            for (int right = 1; right <= 6; right++) {
                int v[3] = {top, front, right}, odd = 0;
                for (int i = 0; i < 3; i++)
                    if (v[i] > 3) v[i] = 7 - v[i], odd ^= 1;
                if (v[0] == v[1] || v[1] == v[2] || v[0] == v[2]) continue;
                for (int i = 0; i < 3; i++)
                    for (int j = i + 1; j < 3; j++) odd ^= v[i] > v[j];
                if (odd) continue;
                dice[n].top = top, dice[n].front = front, dice[n++].right = right;
            }
    for (int d = 0; d < DICE; d++) {
        int t = dice[d].top, f = dice[d].front, r = dice[d].right;
        turn[0][d] = find(f, 7 - t);
        turn[1][d] = find(7 - f, t);
        turn[2][d] = find(r, f);
        turn[3][d] = find(7 - r, f);
    }
}

static int maze[SQUARES];
static set fresh[ROUNDS][SQUARES], old[SQUARES];
static int walk[ROUNDS + 1];

static set may_enter(int square)
{
    set s = 0;
    for (int d = 0; d < DICE; d++)
        if (maze[square] == -1 || maze[square] == dice[d].top) s |= (set)1 << d;
    return s;
}

/* Fills walk and returns the number of positions, or 0. */
static int solve(int home, int start)
{
    set enter[SQUARES];
    for (int s = 0; s < SQUARES; s++) enter[s] = may_enter(s);
    memset(old, 0, sizeof old);
    memset(fresh[0], 0, sizeof fresh[0]);
    fresh[0][home] = (set)1 << start;

    for (int round = 0;; round++) {
        set any = 0;
        memset(fresh[round + 1], 0, sizeof fresh[0]);
        for (int s = ROW; s < SQUARES - ROW; s++) {
            if (!fresh[round][s]) continue;
            for (int way = 0; way < 4; way++) {
                set rolling = fresh[round][s] & enter[s + step[way]];
                if (!rolling) continue;
                if (s + step[way] == home) {
                    int n = 0, at = s, d = __builtin_ctz(rolling);
                    walk[n++] = home;
                    for (int r = round; r > 0; r--) {
                        walk[n++] = at;
                        for (int back = 0; back < 4; back++) {
                            int from = at - step[back], e = 0;
                            while (turn[back][e] != d) e++;
                            if (!(fresh[r - 1][from] & enter[at] & (set)1 << e)) continue;
                            at = from, d = e;
                            break;
                        }
                    }
                    walk[n++] = home;
                    return n;
                }
                for (int d = 0; d < DICE; d++)
                    if (rolling >> d & 1) fresh[round + 1][s + step[way]] |= (set)1 << turn[way][d];
            }
        }
        for (int s = 0; s < SQUARES; s++) {
            fresh[round + 1][s] &= ~old[s];
            old[s] |= fresh[round + 1][s];
            any |= fresh[round + 1][s];
        }
        if (!any) return 0;
    }
}

int main(void)
{
    char name[32];
    int rows, columns, row, column, top, front;
    make_dice();
    while (scanf("%31s", name) == 1 && strcmp(name, "END") != 0) {
        if (scanf("%d%d%d%d%d%d", &rows, &columns, &row, &column, &top, &front) != 6) return 1;
        memset(maze, 0, sizeof maze);
        for (int r = 1; r <= rows; r++)
            for (int c = 1; c <= columns; c++)
                if (scanf("%d", &maze[r * ROW + c]) != 1) return 1;
        int n = solve(row * ROW + column, find(top, front));
        puts(name);
        if (n == 0) puts("  No Solution Possible");
        for (int i = 0; i < n; i++) {
            int at = walk[n - 1 - i];
            printf(i % 9 ? "" : "  ");
            printf("(%d,%d)", at / ROW, at % ROW);
            printf(i + 1 == n ? "\n" : i % 9 == 8 ? ",\n" : ",");
        }
    }
    return 0;
}
