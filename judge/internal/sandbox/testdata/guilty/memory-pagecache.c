// verdict: AC
// why: a program may read more from files than its memory limit, because the kernel can drop those pages
// limits: memory=8MiB
#define _GNU_SOURCE
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <unistd.h>

static long total;

static int look(const char *name, const struct stat *s, int kind, struct FTW *where) {
	static char block[1 << 18];
	(void)s, (void)where;
	if (kind != FTW_F) return 0;
	int fd = open(name, O_RDONLY | O_NONBLOCK);
	for (long n; total < 64 << 20 && (n = read(fd, block, sizeof block)) > 0;) total += n;
	close(fd);
	return total >= 64 << 20;
}

int main(void) {
	nftw("/usr/lib", look, 16, FTW_PHYS);
	nftw("/lib", look, 16, FTW_PHYS);
	fprintf(stderr, "%ld bytes\n", total);
	puts("held");
	return 0;
}
