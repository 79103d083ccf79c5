// verdict: TLE
// why: ignoring all signals, SIGXCPU among them, does not help
// limits: cpu=300ms
#include <signal.h>

int main(void) {
	for (int s = 1; s < 65; s++) signal(s, SIG_IGN);
	for (volatile int i = 0;; i++) {
	}
}
