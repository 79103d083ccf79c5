// verdict: RTE
// why: the report of a failed assertion names its signal and quotes its message
// message: 1 + 1 == 3
#include <assert.h>

int main(void) { assert(1 + 1 == 3); }
