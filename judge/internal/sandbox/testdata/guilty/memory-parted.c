// verdict: MLE
// why: pages that were shared after a fork count for each process that has written to them
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
	volatile char *p = malloc(30 << 20);
	for (int i = 0; i < 30 << 20; i += 4096) p[i] = 1;
	for (int i = 0; i < 3; i++)
		if (fork() == 0) {
			usleep(200000);
			for (int j = 0; j < 30 << 20; j += 4096) p[j] = i + 2;
			sleep(5); // a poll of the memory may come late
			_exit(0);
		}
	int status, sum = 0;
	while (wait(&status) > 0) sum |= status;
	puts(sum ? "held" : "broke: 120 MiB in four processes");
	return 0;
}
