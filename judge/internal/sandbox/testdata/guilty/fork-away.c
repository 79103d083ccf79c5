// verdict: AC
// why: the children of a process that has left its parent, session or group count against the process limit
// args: daemon, double-fork, setsid, clone-parent, dead-leader, vfork-orphan
// limits: memory=1GiB
// gaps: rlimit:root=WA
#include "../away.h"

static void act(void) {
	for (int i = 0; i < 700; i++) {
		pid_t pid = fork();
		if (pid < 0) return;
		if (pid == 0) {
			close(ends[1]);
			alarm(10); // ends it if the jail does not
			for (;;) pause();
		}
	}
	succeed();
}

int main(int n, char **arg) {
	puts(away(arg[n - 1]) ? "broke: 700 processes" : "held");
	return 0;
}
