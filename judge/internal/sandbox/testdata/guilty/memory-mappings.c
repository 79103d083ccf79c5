// verdict: MLE
// why: mappings, of which the kernel keeps a record of 200 bytes each, count as memory
// limits: memory=16MiB
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void) {
	int ready[2];
	char c;
	if (pipe(ready)) return 1;
	for (int i = 0; i < 3; i++)
		if (fork() == 0) {
			alarm(10);
			const long page = 4096, many = 65000;
			char *p = mmap(0, page * many, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
			for (long j = 1; j < many; j += 2) mprotect(p + page * j, page, PROT_NONE);
			close(ready[1]);
			for (;;) pause();
		}
	close(ready[1]);
	read(ready[0], &c, 1); // ends when all are ready
	sleep(5);              // a poll of the memory may come late
	puts("broke: 37 MiB of mappings");
	return 0;
}
