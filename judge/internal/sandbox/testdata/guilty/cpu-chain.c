// verdict: TLE
// why: work that is handed from process to process, each of which exits, is the work of one program
// limits: cpu=300ms, wall=120s
#include <stdio.h>
#include <time.h>
#include <unistd.h>

int main(void) {
	int ends[2];
	char c;
	pipe(ends);
	for (int i = 0; i < 30; i++) {
		if (fork() > 0) {
			if (i > 0) _exit(0);
			close(ends[1]);
			puts(read(ends[0], &c, 1) == 1 ? "broke: 3 seconds in a chain of 30" : "held");
			return 0;
		}
		alarm(60);
		for (pid_t parent = getppid(); i > 0 && getppid() == parent && parent != 1;) usleep(1000);
		struct timespec t;
		do clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
		while (t.tv_sec * 1000 + t.tv_nsec / 1000000 < 100);
	}
	write(ends[1], "x", 1);
	_exit(0);
}
