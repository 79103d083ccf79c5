// verdict: AC
// why: a child that shares its parent's memory until its execve adds none
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
	char *p = malloc(40 << 20);
	memset(p, 1, 40 << 20);
	for (int i = 0; i < 2; i++) {
		pid_t child = vfork();
		if (child == 0) {
			if (vfork() == 0) {
				usleep(250000);
				_exit(0);
			}
			_exit(0);
		}
		wait(0);
	}
	puts("held");
	return p[0] - 1;
}
