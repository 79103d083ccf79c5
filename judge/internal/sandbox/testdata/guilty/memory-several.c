// verdict: MLE
// why: several processes, each below the limit, are over it together
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
	for (int i = 0; i < 4; i++)
		if (fork() == 0) {
			alarm(10);
			char *p = malloc(30 << 20);
			memset(p, i + 1, 30 << 20);
			sleep(5); // a poll of the memory may come late
			_exit(p[0] - i - 1);
		}
	int status, sum = 0;
	while (wait(&status) > 0) sum |= status;
	puts(sum ? "held" : "broke: 120 MiB in four processes");
	return 0;
}
