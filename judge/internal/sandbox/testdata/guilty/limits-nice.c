// verdict: AC
// why: no program gets ahead of others by a better priority
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

int main(void) {
	struct sched_param first = {.sched_priority = 1};
	if (setpriority(PRIO_PROCESS, 0, -5) == 0)
		puts("broke: a negative nice value");
	else if (sched_setscheduler(0, SCHED_FIFO, &first) == 0 || sched_setscheduler(0, SCHED_RR, &first) == 0)
		puts("broke: a real-time class");
	else
		puts("held");
	return 0;
}
