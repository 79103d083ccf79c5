// verdict: AC
// why: a fork bomb gets no more processes than its limit and leaves none behind
// limits: memory=1GiB
// gaps: rlimit:root=WA
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

int main(void) {
	// The limit of an account counts the processes of others too, which may end meanwhile: try one more
	// than the limit. Where there is none, or a huge one, 1000 show that nothing else limits them.
	struct rlimit l;
	getrlimit(RLIMIT_NPROC, &l);
	int most = l.rlim_cur < 8191 ? (int)l.rlim_cur + 1 : 1000;
	for (int i = 0; i < most; i++) {
		pid_t pid = fork();
		if (pid < 0) {
			puts("held");
			return 0;
		}
		if (pid == 0) {
			alarm(10); // ends a child whose parent has already exited
			prctl(PR_SET_PDEATHSIG, SIGKILL); // ends a child if the jail does not
			for (;;) pause();
		}
	}
	printf("broke: %d processes at a time\n", most);
	return 0;
}
