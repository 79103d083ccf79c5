// verdict: AC
// why: the environment of the compiler, which must read as empty
// says: ok

#include "/proc/self/environ"
#include <stdio.h>
int main(void) { puts("ok"); return 0; }
