// verdict: AC
// why: files named like the compiler's parts are not its parts
// says: ok

#include "own.h"
#include <math.h>
#include <stdio.h>
int main(void) { puts("ok"); return 0; }
