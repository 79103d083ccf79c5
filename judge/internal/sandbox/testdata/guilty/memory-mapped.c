// verdict: AC
// why: a temporary file that is also mapped counts once
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void) {
	const long size = 40 << 20;
	int fd = open("mapped", O_CREAT | O_RDWR, 0600);
	if (fd < 0 || ftruncate(fd, size) != 0) return 1;
	char *p = mmap(0, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	memset(p, 1, size);
	usleep(200000);
	puts("held");
	return p[0] - 1;
}
