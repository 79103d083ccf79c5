// verdict: MLE
// why: the stack counts as memory: a recursion and the heap are over the limit together
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int descend(int depth) {
	volatile char frame[1024];
	frame[depth & 1023] = 1;
	if (depth % 1024 == 0) usleep(10000); // so that a poll of the memory sees it
	return depth ? descend(depth - 1) + frame[7] : frame[0];
}

int main(void) {
	volatile char *heap = malloc(32 << 20);
	for (int i = 0; i < 32 << 20; i += 4096) heap[i] = 1;
	printf("broke: 32 MiB of heap and 50 MiB of stack %d\n", descend(50 << 10));
	return 0;
}
