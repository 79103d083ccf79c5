// verdict: AC
// why: address space that is never touched does not count as memory
#include <stdio.h>
#include <sys/mman.h>

int main(void) {
	void *p = mmap(0, 8L << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	puts(p == MAP_FAILED ? "broke: no 8 GiB of addresses" : "held");
	return 0;
}
