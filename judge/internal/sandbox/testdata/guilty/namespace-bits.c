// verdict: SV
// why: the upper half of the argument of clone, which the kernel ignores, hides no flag from the filter
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void) {
	if (syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD | 1L << 40, 0, 0, 0, 0) == 0) _exit(0);
	puts("broke: clone with high bits");
	return 0;
}
