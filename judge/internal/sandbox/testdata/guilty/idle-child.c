// verdict: ILE
// why: waiting for a child that is stopped
// limits: wall=1s
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
	pid_t pid = fork();
	if (pid == 0) {
		alarm(60);
		for (;;) pause();
	}
	if (pid < 0) return 2; // kill(-1) would reach every process of this account
	kill(pid, SIGSTOP);
	wait(0);
	return 0;
}
