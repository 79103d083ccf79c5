// verdict: AC
// why: children that lead sessions of their own count against the limit of processes as well
// limits: memory=1GiB
// cannot: rlimit:root=WA
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

int main(void) {
	for (int i = 0; i < 1500; i++) {
		pid_t pid = fork();
		if (pid < 0) {
			puts("held");
			return 0;
		}
		if (pid == 0) {
			alarm(10); // and, for those whose parent is gone already,
			prctl(PR_SET_PDEATHSIG, SIGKILL); // where nothing else ends it
			setsid();
			for (;;) pause();
		}
	}
	puts("broke: 1500 sessions at a time");
	return 0;
}
