// verdict: AC
// why: a thousand warnings are not an error
// says: ok

#include <stdio.h>
#define TEN(x) x x x x x x x x x x
int main(void) {
    TEN(TEN(TEN({ int *p = 1; (void)p; })))
    puts("ok");
    return 0;
}
