// verdict: MLE
// why: page tables count as memory, also those of pages that were only read
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

// Reading maps the page of zeros, which costs nothing but a page of page table for each 2 MiB.
int main(void) {
	const long step = 2 << 20, many = 40000;
	volatile char *p = mmap(0, step * many, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (p == MAP_FAILED) return puts("held"), 0;
	madvise((void *)p, step * many, MADV_NOHUGEPAGE);
	for (long i = 0; i < many; i++) (void)p[i * step];
	sleep(5); // a poll of the memory may come late
	puts("broke: 156 MiB of page tables");
	return 0;
}
