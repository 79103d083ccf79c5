// verdict: AC
// why: a program can map neither the page at address zero nor a page of the kernel
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void) {
	if (geteuid() == 0 && access("/etc/passwd", F_OK) == 0) return puts("held"), 0; // root on the host may map it
	if (mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED) return puts("broke: a page at zero"), 0;
	if (mmap((void *)0xffff888000000000, 4096, PROT_READ, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED) return puts("broke: a page of the kernel"), 0;
	puts("held");
	return 0;
}
