// verdict: AC
// why: a program finds no process to send a signal to: neither the judge nor a run beside it
// gaps: rlimit=WA
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

// Signal 0 only checks the permission. signal-init.c attacks the init, number 1, and its threads, of which it
// may start more at any time.
int main(void) {
	if (getppid() > 1 && kill(getppid(), 0) == 0) return printf("broke: may signal the parent %d\n", getppid()), 0;
	for (int pid = getpid() + 1; pid < 1 << 22; pid++)
		if (kill(pid, 0) == 0 && syscall(SYS_tgkill, 1, pid, 0) != 0) return printf("broke: may signal %d\n", pid), 0;
	puts("held");
	return 0;
}
