// verdict: AC
// why: no process is there to send a signal to: not the judge, nor a run beside it
// limits: cpu=10s, wall=60s
// cannot: rlimit=WA
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

// Signal 0 asks whether one may, and does nothing. The init, number 1, and its
// threads, of which it may start more at any time, have an attack of their own.
int main(void) {
	if (getppid() > 1 && kill(getppid(), 0) == 0) return printf("broke: may signal the parent %d\n", getppid()), 0;
	for (int pid = getpid() + 1; pid < 1 << 22; pid++)
		if (kill(pid, 0) == 0 && syscall(SYS_tgkill, 1, pid, 0) != 0) return printf("broke: may signal %d\n", pid), 0;
	puts("held");
	return 0;
}
