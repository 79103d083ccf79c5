// verdict: TLE
// why: the CPU time of a process that has left its parent, session or group counts
// args: daemon, double-fork, setsid, clone-parent, dead-leader, vfork-orphan
// limits: cpu=300ms, wall=120s
#include "../away.h"

static void act(void) {
	struct timespec t;
	do clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	while (t.tv_sec < 3);
	succeed();
}

int main(int n, char **arg) {
	puts(away(arg[n - 1]) ? "broke: 3 s of CPU time" : "held");
	return 0;
}
