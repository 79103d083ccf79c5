// verdict: AC
// why: a program cannot raise its resource limits
#include <stdio.h>
#include <sys/resource.h>

int main(void) {
	for (int i = 0; i < RLIM_NLIMITS; i++) {
		struct rlimit now;
		if (getrlimit(i, &now) || now.rlim_max == RLIM_INFINITY) continue;
		now.rlim_max++;
		if (setrlimit(i, &now) == 0) {
			printf("broke: raised limit %d\n", i);
			return 0;
		}
	}
	puts("held");
	return 0;
}
