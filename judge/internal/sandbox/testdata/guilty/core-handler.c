// verdict: AC
// why: a crash starts no core handler on the host: a core limit of 0 allows that, one of 1 does not (core(5))
#include <stdio.h>
#include <sys/resource.h>

int main(void) {
	struct rlimit core;
	if (getrlimit(RLIMIT_CORE, &core) || core.rlim_max != 1 || core.rlim_cur != 1) return printf("broke: the core limit is %ld\n", (long)core.rlim_max), 0;
	puts("held");
	return 0;
}
