// verdict: AC
// why: the input keeps its content and its length, whatever a program tries on its descriptor
// stdin: "secret\n"
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void) {
	if (write(0, "broken", 6) == 6) return puts("broke: written"), 0;
	int again = open("/proc/self/fd/0", O_RDWR);
	for (int fd = 0; fd >= 0; fd = fd == 0 ? again : -1) {
		if (pwrite(fd, "broken", 6, 0) == 6) return puts("broke: written by place"), 0;
		if (ftruncate(fd, 0) == 0 || ftruncate(fd, 1 << 20) == 0) return puts("broke: resized"), 0;
		if (fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 4096) == 0) return puts("broke: a hole"), 0;
		char *p = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		if (p != MAP_FAILED) {
			*p = 'b';
			return puts("broke: mapped for writing"), 0;
		}
		p = mmap(0, 4096, PROT_READ, MAP_SHARED, fd, 0);
		if (p != MAP_FAILED && mprotect(p, 4096, PROT_READ | PROT_WRITE) == 0) return puts("broke: made writable"), 0;
		int mem = open("/proc/self/mem", O_RDWR);
		if (p != MAP_FAILED && mem >= 0) pwrite(mem, "broken", 6, (off_t)p); // goes to a private copy at most
	}
	char b[16] = "";
	if (pread(0, b, sizeof b, 0) != 7 || memcmp(b, "secret\n", 7) != 0) return puts("broke: the input is another"), 0;
	puts("held");
	return 0;
}
