// verdict: AC
// why: the container's init survives every signal, sent to it and to each of its threads
// runs: twice
// gaps: rlimit=WA
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void) {
	if (access("/etc/passwd", F_OK) == 0) return puts("broke: the init is that of the host, and that is left alone"), 0;
	for (int id = 1; id < getpid(); id++)
		for (int s = 1; s <= 64; s++) {
			siginfo_t info = {.si_signo = s, .si_code = SI_QUEUE};
			kill(id, s);
			syscall(SYS_tkill, id, s);
			syscall(SYS_tgkill, 1, id, s);
			syscall(SYS_rt_sigqueueinfo, id, s, &info);
			syscall(SYS_rt_tgsigqueueinfo, 1, id, s, &info);
			int process = syscall(SYS_pidfd_open, id, 0);
			if (process >= 0) syscall(SYS_pidfd_send_signal, process, s, 0, 0);
			close(process);
		}
	usleep(10000); // so that a deadly signal takes effect before the program ends
	puts("held");
	return 0;
}
