// verdict: MLE
// why: heap memory over the limit
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
	for (int i = 0; i < 512; i++) {
		char *volatile p = malloc(1 << 20);
		memset(p, i, 1 << 20);
	}
	puts("broke: 512 MiB of heap");
	return 0;
}
