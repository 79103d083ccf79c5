// verdict: AC
// why: pragmas that would load code into the compiler
// says: ok

#pragma GCC plugin "/build/evil.so"
#pragma GCC optimize ("-fplugin=/build/evil.so")
#pragma GCC optimize ("plugin=/build/evil.so")
#pragma comment(linker, "/build/evil.so")
__attribute__((optimize("-fplugin=/build/evil.so"))) int f(void) { return 0; }
#include <stdio.h>
int main(void) { puts("ok"); return f(); }
