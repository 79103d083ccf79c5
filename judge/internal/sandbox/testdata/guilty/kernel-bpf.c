// verdict: SV
// why: loading programs into the kernel
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void) {
	syscall(SYS_bpf, 0, 0, 0);
	puts("broke: bpf");
	return 0;
}
