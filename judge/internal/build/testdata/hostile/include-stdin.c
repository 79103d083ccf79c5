// verdict: AC
// why: the judge's own standard input, of which there is none
// says: ok

#include "/dev/stdin"
#include <stdio.h>
int main(void) { puts("ok"); return 0; }
