// verdict: AC
// why: no run takes precedence over the judge and the runs beside it
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void) {
	for (int nice = -20; nice < getpriority(PRIO_PROCESS, 0); nice++)
		if (setpriority(PRIO_PROCESS, 0, nice) == 0) return printf("broke: nice %d\n", nice), 0;
	static const int policies[] = {SCHED_FIFO, SCHED_RR};
	for (int i = 0; i < 2; i++) {
		struct sched_param p = {1};
		if (sched_setscheduler(0, policies[i], &p) == 0) return sched_setscheduler(0, SCHED_OTHER, &(struct sched_param){0}), puts("broke: real time"), 0;
	}
	struct { unsigned size, policy; unsigned long flags; int nice; unsigned priority; unsigned long runtime, deadline, period; } deadline = {48, 6, 0, 0, 0, 10000000, 30000000, 30000000};
	if (syscall(SYS_sched_setattr, 0, &deadline, 0) == 0) return puts("broke: a deadline"), 0;
	if (syscall(SYS_ioprio_set, 1, 0, 1 << 13) == 0) return puts("broke: real time for its input and output"), 0;
	static const int limits[] = {RLIMIT_NICE, RLIMIT_RTPRIO};
	for (int i = 0; i < 2; i++) {
		struct rlimit l;
		if (getrlimit(limits[i], &l) == 0 && l.rlim_max > 0) return printf("broke: limit %d is %ld\n", limits[i], (long)l.rlim_max), 0;
	}
	// A core scheduling cookie would keep other runs off the sibling of this CPU.
	if (prctl(62, 1, 0, 0, 0) == 0) return puts("broke: a core of its own"), 0;
	puts("held");
	return 0;
}
