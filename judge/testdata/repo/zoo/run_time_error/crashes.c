/* RTE: dies of a signal. */
#include <stdlib.h>

int main(void) {
	abort();
}
