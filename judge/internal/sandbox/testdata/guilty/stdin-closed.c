// verdict: AC
// why: reading from a pipe without a writer ends at once
// stdin: closed
#include <stdio.h>

int main(void) {
	puts(getchar() == EOF ? "held" : "broke: read something");
	return 0;
}
