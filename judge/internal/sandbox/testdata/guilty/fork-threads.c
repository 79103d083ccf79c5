// verdict: AC
// why: threads count against the process limit
// limits: memory=1GiB
// gaps: rlimit:root=WA
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *idle(void *unused) {
	for (;;) pause();
	return unused;
}

int main(void) {
	for (int i = 0; i < 1500; i++) {
		pthread_t thread;
		if (pthread_create(&thread, 0, idle, 0)) {
			puts("held");
			return 0;
		}
	}
	puts("broke: 1500 threads at a time");
	return 0;
}
