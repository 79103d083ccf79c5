// verdict: MLE
// why: a file without a name (memfd) counts as memory
// gaps: polling=WA, rlimit=WA
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void) {
	static char block[1 << 20];
	int fd = memfd_create("guilty", 0);
	for (int i = 0; i < 96; i++)
		if (write(fd, block, sizeof block) != sizeof block) {
			puts("held");
			return 0;
		}
	puts("broke: 96 MiB in a memory file");
	return 0;
}
