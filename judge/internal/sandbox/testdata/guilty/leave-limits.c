// verdict: AC
// why: a program cannot change the limits, priority, scheduling and CPUs of the init, which the next program would inherit
// runs: twice
// gaps: rlimit=WA
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void) {
	if (access("/etc/passwd", F_OK) == 0) return puts("broke: the parent is the judge, and that is left alone"), 0;
	struct rlimit now;
	if (getrlimit(RLIMIT_MSGQUEUE, &now) == 0 && now.rlim_cur == 12345) return puts("broke: a limit set by the run before"), 0;
	if (getpriority(PRIO_PROCESS, 0) == 7) return puts("broke: a priority set by the run before"), 0;
	if (sched_getscheduler(0) != SCHED_OTHER || syscall(SYS_ioprio_get, 1, 0) >> 13 == 3) return puts("broke: a schedule set by the run before"), 0;
	// The init's threads have the numbers below the program's own.
	for (int id = 1; id < getpid(); id++) {
		struct rlimit limit = {12345, now.rlim_max};
		struct sched_param none = {0};
		cpu_set_t cpu;
		CPU_ZERO(&cpu);
		CPU_SET(1, &cpu);
		prlimit(id, RLIMIT_MSGQUEUE, &limit, 0);
		setpriority(PRIO_PROCESS, id, 7);
		sched_setscheduler(id, SCHED_IDLE, &none);
		syscall(SYS_ioprio_set, 1, id, 3 << 13);
		sched_setaffinity(id, sizeof cpu, &cpu);
	}
	puts("held");
	return 0;
}
