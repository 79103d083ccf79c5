// verdict: OLE
// why: output counts even if it does not pass through the program's memory
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <unistd.h>

int main(void) {
	int fd = memfd_create("flood", 0);
	ftruncate(fd, 1 << 20);
	for (;;) {
		off_t start = 0;
		if (sendfile(1, fd, &start, 1 << 20) < 0) {
			perror("sendfile");
			return 1;
		}
	}
}
