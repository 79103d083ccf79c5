// verdict: TLE
// why: the time of all threads counts, also of those that have ended
// limits: cpu=300ms
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static void *work(void *unused) {
	struct timespec t;
	do clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	while (t.tv_sec * 1000 + t.tv_nsec / 1000000 < 100);
	return unused;
}

int main(void) {
	for (int round = 0; round < 3; round++) {
		pthread_t threads[4];
		for (int i = 0; i < 4; i++) pthread_create(&threads[i], 0, work, 0);
		for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
	}
	puts("broke: 1.2 seconds in 12 threads");
	return 0;
}
