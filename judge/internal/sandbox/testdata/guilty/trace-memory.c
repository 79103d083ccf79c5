// verdict: SV
// why: reading the memory of another process
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/uio.h>
#include <unistd.h>

int main(void) {
	char b[64];
	struct iovec here = {b, sizeof b}, there = {(void *)main, sizeof b};
	process_vm_readv(getppid(), &here, 1, &there, 1, 0);
	puts("broke: process_vm_readv");
	return 0;
}
