// verdict: SV
// why: joining the namespaces of another process
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>

int main(void) {
	setns(open("/proc/self/ns/net", O_RDONLY), 0);
	puts("broke: setns");
	return 0;
}
