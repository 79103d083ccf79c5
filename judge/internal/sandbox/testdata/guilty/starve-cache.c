// verdict: AC
// why: a run cannot drop the host's files from the page cache, which would slow down the runs beside it
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/uio.h>
#include <unistd.h>

// A read that must not wait succeeds only if the page is in memory.
static int cached(int fd) {
	char b[16];
	struct iovec v = {b, sizeof b};
	return preadv2(fd, &v, 1, 0, RWF_NOWAIT) > 0;
}

int main(void) {
	int fd = open("/etc/ld.so.cache", O_RDONLY);
	char b[16];
	for (int i = 0; i < 50; i++) {
		pread(fd, b, sizeof b, 0);
		if (!cached(fd)) continue;
		posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
		if (!cached(fd)) return puts("broke: thrown out"), 0;
	}
	puts("held");
	return 0;
}
