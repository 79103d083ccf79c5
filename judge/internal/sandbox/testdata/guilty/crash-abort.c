// verdict: RTE
// why: a failed assertion is told by its signal and its words
// says: 1 + 1 == 3
#include <assert.h>

int main(void) { assert(1 + 1 == 3); }
