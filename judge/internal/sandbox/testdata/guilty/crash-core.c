// verdict: RTE
// why: no core is dumped, even when the program asks for one
// message: SIGABRT
// runs: twice
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

int main(void) {
	struct rlimit most;
	getrlimit(RLIMIT_CORE, &most);
	most.rlim_cur = most.rlim_max;
	setrlimit(RLIMIT_CORE, &most);
	DIR *list = opendir(".");
	for (struct dirent *e; (e = readdir(list));)
		if (strncmp(e->d_name, "core", 4) == 0) {
			puts("broke: a core was left");
			return 0;
		}
	if (most.rlim_max > 1) {
		puts("broke: a core may be dumped");
		return 0;
	}
	abort();
}
