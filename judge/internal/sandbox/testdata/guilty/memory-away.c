// verdict: MLE
// why: the memory of a process that has left its parent, session or group counts
// args: daemon, double-fork, setsid, clone-parent, dead-leader, vfork-orphan
#include "../away.h"

static void act(void) {
	for (int i = 0; i < 100; i++) {
		char *volatile p = malloc(1 << 20);
		memset(p, i, 1 << 20);
	}
	sleep(3); // a poll of the memory may come late
	succeed();
}

int main(int n, char **arg) {
	puts(away(arg[n - 1]) ? "broke: 100 MiB" : "held");
	return 0;
}
