/* Verdict: idleness limit exceeded. Waits for a byte from a pipe into which only
 * this very program could write. */
#include <unistd.h>

int main(void) {
    int ends[2];
    char byte;
    if (pipe(ends) != 0) return 1;
    return read(ends[0], &byte, 1) != 1;
}
