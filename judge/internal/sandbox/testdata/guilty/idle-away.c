// verdict: ILE
// why: a program that waits for a process that has left its parent, session or group is idle
// args: daemon, double-fork, setsid, clone-parent, dead-leader, vfork-orphan
// limits: wall=1s
#include "../away.h"

static void act(void) { pause(); }

int main(int n, char **arg) {
	puts(away(arg[n - 1]) ? "broke" : "held");
	return 0;
}
