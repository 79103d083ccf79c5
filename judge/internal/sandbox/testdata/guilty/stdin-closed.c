// verdict: AC
// why: reading where nobody will ever write ends at once
// stdin: closed
#include <stdio.h>

int main(void) {
	puts(getchar() == EOF ? "held" : "broke: read something");
	return 0;
}
