// verdict: SV
// why: the kernel's log contains data about the host and other runs
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/klog.h>

int main(void) {
	char b[64];
	klogctl(3, b, sizeof b);
	puts("broke: syslog");
	return 0;
}
