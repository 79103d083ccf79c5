// verdict: AC
// why: a program starts with no signal ignored or blocked
#include <signal.h>
#include <stdio.h>

int main(void) {
	sigset_t blocked;
	sigprocmask(SIG_BLOCK, 0, &blocked);
	// In rlimit mode a signal that nohup ignores stays ignored.
	for (int s = SIGHUP + 1; s < 65; s++) {
		struct sigaction a;
		if (sigaction(s, 0, &a)) continue;
		if (a.sa_handler != SIG_DFL) return printf("broke: signal %d is ignored\n", s), 0;
		if (sigismember(&blocked, s)) return printf("broke: signal %d is blocked\n", s), 0;
	}
	puts("held");
	return 0;
}
