// verdict: SV
// why: clone makes namespaces as unshare does
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void) {
	if (syscall(SYS_clone, CLONE_NEWUSER | CLONE_NEWNS | SIGCHLD, 0, 0, 0, 0) == 0) _exit(0);
	puts("broke: clone");
	return 0;
}
