// verdict: MLE
// why: the memory of a daemon counts, which is a process in a session of its own whose parent has exited
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
	int ends[2];
	char c;
	pipe(ends);
	if (fork() == 0) {
		pid_t parent = getpid();
		if (fork() > 0) _exit(0);
		setsid();
		alarm(10);
		while (getppid() == parent) usleep(1000);
		for (int i = 0; i < 128; i++) {
			char *volatile p = malloc(1 << 20);
			memset(p, i, 1 << 20);
		}
		usleep(2000000); // a poll of the memory may come late
		write(ends[1], "x", 1);
		_exit(0);
	}
	wait(0);
	close(ends[1]);
	puts(read(ends[0], &c, 1) == 1 ? "broke: 128 MiB in an orphan" : "held");
	return 0;
}
