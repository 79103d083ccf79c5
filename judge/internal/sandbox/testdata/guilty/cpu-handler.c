// verdict: TLE
// why: a loop in a signal handler that blocks every signal ends like any other
// limits: cpu=300ms
#include <signal.h>
#include <string.h>

static void loop(int unused) {
	for (volatile int i = unused;; i++) {
	}
}

int main(void) {
	struct sigaction act;
	memset(&act, 0, sizeof act);
	act.sa_handler = loop;
	sigfillset(&act.sa_mask);
	sigaction(SIGUSR1, &act, 0);
	raise(SIGUSR1);
	return 0;
}
