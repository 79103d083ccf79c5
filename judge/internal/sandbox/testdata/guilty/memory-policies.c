// verdict: AC
// why: a program cannot set memory policies page by page, because those take kernel memory that no limit counts
// limits: memory=8MiB
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

// Policies stay with the file when the mapping is gone; no page is ever touched.
int main(void) {
	int fd = memfd_create("pages", 0), made = 0;
	if (ftruncate(fd, 200 << 20)) return 1;
	for (long i = 0; i < 25000; i++) {
		void *p = mmap(0, 4096, PROT_READ, MAP_SHARED, fd, i << 13);
		unsigned long node = 1;
		if (syscall(SYS_mbind, p, 4096, 2, &node, 8, 0) == 0) made++;
		munmap(p, 4096);
	}
	if (made == 0) return puts("held"), 0;
	printf("broke: %d policies\n", made);
	return 0;
}
