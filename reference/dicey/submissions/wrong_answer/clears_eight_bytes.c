/* Verdict: wrong answer. The marks are cleared by sizeof of a pointer to them, which is
 * eight bytes; the other marks remain from the maze before. Shown by edge/start-number. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPP(f) (7 - (f))

typedef struct node {
    int r, c, t, f, e;
    struct node *up, *next;
} node;

static int rows, cols, cell[11][11];

static void forget(char *marks) {
    memset(marks, 0, sizeof(marks));
}

static int east(int t, int f) {
    int a = t, b = f, c = 6, flips = 0;
    if (a > 3) a = OPP(a), flips++;
    if (b > 3) b = OPP(b), flips++;
    c -= a + b;
    if ((b - a + 3) % 3 != 1) flips++;
    return flips % 2 ? OPP(c) : c;
}

static node *make(int r, int c, int t, int f, int e, node *up) {
    node *n = malloc(sizeof *n);
    *n = (node){r, c, t, f, e, up, NULL};
    return n;
}

static node *search(char *marks, node *start) {
    node *head = start, *tail = start;
    for (; head; head = head->next) {
        for (int k = 0; k < 4; k++) {
            int r = head->r, c = head->c, t = head->t, f = head->f, e = head->e;
            if (k == 0) r--, t = head->f, f = OPP(head->t);
            if (k == 1) c++, t = OPP(head->e), e = head->t;
            if (k == 2) r++, t = OPP(head->f), f = head->t;
            if (k == 3) c--, t = head->e, e = OPP(head->t);
            if (r < 1 || r > rows || c < 1 || c > cols) continue;
            if (cell[r][c] != head->t && cell[r][c] != -1) continue;
            if (r == start->r && c == start->c) return make(r, c, t, f, e, head);
            char *mark = &marks[((r * 11 + c) * 7 + t) * 7 + f];
            if (*mark) continue;
            *mark = 1;
            tail = tail->next = make(r, c, t, f, e, head);
        }
    }
    return NULL;
}

static void write_way(node *n, int *count) {
    if (n->up) {
        write_way(n->up, count);
        printf(*count % 9 ? "," : ",\n");
    }
    if (*count % 9 == 0) printf("  ");
    printf("(%d,%d)", n->r, n->c);
    ++*count;
}

int main(void) {
    static char marks[11 * 11 * 49];
    char name[21];
    int r, c, t, f;
    while (scanf("%20s", name), strcmp(name, "END")) {
        scanf("%d %d %d %d %d %d", &rows, &cols, &r, &c, &t, &f);
        for (int i = 1; i <= rows; i++)
            for (int j = 1; j <= cols; j++) scanf("%d", &cell[i][j]);
        forget(marks);
        node *end = search(marks, make(r, c, t, f, east(t, f), NULL));
        int count = 0;
        puts(name);
        if (end) write_way(end, &count);
        else printf("  No Solution Possible");
        puts("");
    }
    return 0;
}
