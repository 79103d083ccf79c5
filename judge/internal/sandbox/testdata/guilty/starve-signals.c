// verdict: AC
// why: no run queues so many signals that the judge's account has none left
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
	sigset_t all;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, 0);
	for (int i = 0; i < 20000; i++)
		if (sigqueue(getpid(), SIGRTMIN, (union sigval){0}) != 0) return puts("held"), 0;
	puts("broke: 20000 signals wait");
	return 0;
}
