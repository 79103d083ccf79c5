// verdict: ILE
// why: a program that stops itself is idle, not at its end
// limits: wall=1s
#include <signal.h>
#include <unistd.h>

int main(void) {
	alarm(60);
	kill(getpid(), SIGSTOP);
	return 0;
}
