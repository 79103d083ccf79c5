// verdict: AC
// why: a program just below its limit is within it, however often it allocates and frees memory
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
	for (int i = 1; i <= 5; i++) {
		char *volatile p = malloc(60 << 20);
		memset(p, i, 60 << 20);
		free(p);
	}
	puts("held");
	return 0;
}
