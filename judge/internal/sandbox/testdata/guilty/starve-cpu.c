// verdict: AC
// why: a run stays on its CPUs and does not take those of the runs beside it
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
	cpu_set_t mine, all, now;
	sched_getaffinity(0, sizeof mine, &mine);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) CPU_SET(cpu, &all);
	sched_setaffinity(0, sizeof all, &all);
	sched_getaffinity(0, sizeof now, &now);
	if (CPU_COUNT(&now) > CPU_COUNT(&mine)) return printf("broke: %d CPUs instead of %d\n", CPU_COUNT(&now), CPU_COUNT(&mine)), 0;
	puts("held");
	return 0;
}
