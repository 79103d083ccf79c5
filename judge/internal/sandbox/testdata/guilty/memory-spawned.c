// verdict: MLE
// why: a process counts even beside a child that shares its parent's memory
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
	char *volatile p = malloc(30 << 20);
	memset(p, 1, 30 << 20);
	int filled[2];
	char byte = 0;
	if (pipe(filled) != 0) return 1;
	if (fork() == 0) {
		for (int i = 0; i < 20; i++) {
			char *volatile q = malloc(2 << 20);
			memset(q, i, 2 << 20);
		}
		if (write(filled[1], &byte, 1) == 1) sleep(6); // a poll of the memory may come late
		_exit(0);
	}
	if (vfork() == 0) {
		if (read(filled[0], &byte, 1) == 1) sleep(5);
		_exit(0);
	}
	puts("broke: 70 MiB in three processes");
	return 0;
}
