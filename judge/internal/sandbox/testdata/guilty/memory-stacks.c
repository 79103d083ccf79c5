// verdict: MLE
// why: the kernel's stacks of threads, 16 KiB each, count as memory
// limits: memory=16MiB, processes=1200
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *wait_here(void *none) { pause(); return none; }

int main(void) {
	pthread_t thread;
	pthread_attr_t small;
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, PTHREAD_STACK_MIN);
	int n = 0;
	while (n < 1000 && pthread_create(&thread, &small, wait_here, 0) == 0) n++;
	sleep(5); // a poll of the memory may come late
	printf("broke: %d threads\n", n);
	return 0;
}
