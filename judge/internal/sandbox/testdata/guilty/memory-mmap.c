// verdict: MLE
// why: memory mapped and filled in one call
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void) {
	for (int i = 0; i < 8; i++)
		mmap(0, 64 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	puts("broke: 512 MiB mapped");
	return 0;
}
