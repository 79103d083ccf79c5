// verdict: ILE
// why: asleep, with all signals ignored and in a session of its own
// limits: wall=1s
#include <signal.h>
#include <unistd.h>

int main(void) {
	for (int s = 1; s < 65; s++)
		if (s != SIGALRM) signal(s, SIG_IGN);
	setsid();
	alarm(60);
	for (;;) pause();
}
