// verdict: AC
// why: pages that processes share after a fork count once
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
	char *p = malloc(20 << 20);
	memset(p, 1, 20 << 20);
	pid_t children[6];
	for (int i = 0; i < 6; i++)
		if ((children[i] = fork()) == 0) {
			int sum = 0;
			for (int j = 0; j < 20 << 20; j += 4096) sum += p[j];
			sleep(10);
			_exit(sum == 0);
		}
	usleep(500000);
	for (int i = 0; i < 6; i++) kill(children[i], SIGKILL);
	while (wait(0) > 0) {
	}
	puts("held");
	return p[0] - 1;
}
