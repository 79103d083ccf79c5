// verdict: AC
// why: a program without an input reads an empty one
// stdin: none
#include <stdio.h>

int main(void) {
	puts(getchar() == EOF ? "held" : "broke: read something");
	return 0;
}
