// verdict: RTE
// why: a stack overflow is distinguished from other wild accesses
// message: stack overflow
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

static char *top;
static long size;

static int descend(int depth) {
	volatile char frame[256];
	frame[depth & 255] = 1;
	if (top - (char *)frame > size - (64 << 10) && size > 0) {
		size = 0;
		usleep(3000000); // so that a poll of the memory sees it, on a busy host as well
	}
	return descend(depth + 1) + frame[5];
}

int main(void) {
	struct rlimit stack;
	char here;
	getrlimit(RLIMIT_STACK, &stack);
	top = &here;
	size = stack.rlim_cur;
	printf("broke: a stack without end %d\n", descend(0));
	return 0;
}
