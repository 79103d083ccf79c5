// verdict: TLE
// why: executing another program does not reset the CPU time
// limits: cpu=300ms
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int main(int count, char **args) {
	int round = count > 1 ? atoi(args[1]) : 1;
	struct timespec t;
	do clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	while (t.tv_sec * 1000 + t.tv_nsec / 1000000 < 100 * round);
	if (round == 12) {
		puts("broke: 1.2 seconds in 12 programs");
		return 0;
	}
	char text[16];
	snprintf(text, sizeof text, "%d", round + 1);
	execl("/proc/self/exe", "again", text, (char *)0);
	return 1;
}
