// verdict: MLE
// why: the memory of a child counts
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
	if (fork() == 0) {
		for (int i = 0; i < 512; i++) {
			char *volatile p = malloc(1 << 20);
			memset(p, i, 1 << 20);
		}
		puts("broke: 512 MiB in a child");
		exit(0);
	}
	wait(0);
	puts("held");
	return 0;
}
