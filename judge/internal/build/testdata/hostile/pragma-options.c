// verdict: AC
// why: options of the compiler driver in a pragma, which must have no effect
// says: ok
// never: root:

#pragma GCC optimize ("-wrapper,/bin/sh", "-o/tmp/x", "-include/etc/passwd", "-B/build")
#include <stdio.h>
int main(void) { puts("ok"); return 0; }
