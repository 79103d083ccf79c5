// verdict: MLE
// why: memory that other processes could share counts
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

int main(void) {
	char *p = mmap(0, 256 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	memset(p, 1, 256 << 20);
	puts("broke: 256 MiB of shared memory");
	return p[0] - 1;
}
