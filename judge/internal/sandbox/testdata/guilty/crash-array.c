// verdict: RTE
// why: an array on the stack that is larger than the memory limit is a wild access, not memory in use
// message: SIGSEGV
#include <stdio.h>

int main(void) {
	volatile char array[1 << 30];
	array[0] = 1;
	printf("broke: 1 GiB of stack %d\n", array[0]);
	return 0;
}
