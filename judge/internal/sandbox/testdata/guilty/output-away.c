// verdict: OLE
// why: what a process writes that has left its parent, session or group counts as output
// args: daemon, double-fork, setsid, clone-parent, dead-leader, vfork-orphan
#include "../away.h"

static void act(void) {
	static char block[65536];
	for (int i = 0; i < 64; i++)
		if (write(1, block, sizeof block) < 0) return;
	succeed();
}

int main(int n, char **arg) {
	puts(away(arg[n - 1]) ? "broke: 4 MiB" : "held");
	return 0;
}
