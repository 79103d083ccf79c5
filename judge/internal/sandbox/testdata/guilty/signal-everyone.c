// verdict: AC
// why: kill(-1) kills the program's own children, and the container can still run the next program
// runs: twice
// gaps: rlimit=WA
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
	if (access("/etc/passwd", F_OK) == 0) return puts("broke: everyone is the whole host, and that is left alone"), 0;
	for (int i = 0; i < 5; i++)
		if (fork() == 0) for (;;) pause();
	kill(-1, SIGSTOP);
	kill(-1, SIGKILL);
	for (int i = 0; i < 5; i++) {
		int status;
		if (wait(&status) < 0 || !WIFSIGNALED(status)) return puts("broke: a child lives on"), 0;
	}
	kill(0, SIGCONT);
	puts("held");
	return 0;
}
