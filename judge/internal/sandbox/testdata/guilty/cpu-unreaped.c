// verdict: TLE
// why: the time of children that no process waits for counts
// limits: cpu=300ms, wall=120s
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int main(void) {
	signal(SIGCHLD, SIG_IGN);
	for (int i = 0; i < 40; i++) {
		if (fork() == 0) {
			struct timespec t;
			do clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
			while (t.tv_sec * 1000000 + t.tv_nsec / 1000 < 250000); // so that polls on a busy host see most of it
			_exit(0);
		}
		while (wait(0) > 0) {
		}
	}
	puts("broke: 10 seconds in 40 children");
	return 0;
}
