// verdict: AC
// why: the judge's own standard input
// says: ok

#include "/dev/stdin"
#include <stdio.h>
int main(void) { puts("ok"); return 0; }
