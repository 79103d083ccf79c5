// verdict: TLE
// why: the time of children counts, also of those that have ended
// limits: cpu=300ms
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int main(void) {
	for (int i = 0; i < 12; i++) {
		if (fork() == 0) {
			struct timespec t;
			do clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
			while (t.tv_sec * 1000 + t.tv_nsec / 1000000 < 100);
			_exit(0);
		}
		wait(0);
	}
	puts("broke: 1.2 seconds in 12 children");
	return 0;
}
