// verdict: AC
// why: the environment of the compiler, which reads as nothing
// says: ok

#include "/proc/self/environ"
#include <stdio.h>
int main(void) { puts("ok"); return 0; }
