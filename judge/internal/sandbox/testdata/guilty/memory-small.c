// verdict: MLE
// why: millions of small allocations exceed the limit
#include <stdio.h>
#include <stdlib.h>

int main(void) {
	void **chain = 0;
	for (int i = 0; i < 8 << 20; i++) {
		void **next = malloc(16);
		*next = chain;
		chain = next;
	}
	puts("broke: 256 MiB of small blocks");
	return chain == 0;
}
