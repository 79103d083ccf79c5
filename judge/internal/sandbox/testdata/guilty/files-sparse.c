// verdict: AC
// why: a sparse file takes only the room of what was written to it, whatever its size
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
	signal(SIGXFSZ, SIG_IGN);
	int fd = open("sparse", O_CREAT | O_RDWR, 0600);
	ftruncate(fd, 8L << 30);
	struct stat s;
	pwrite(fd, "x", 1, (8L << 30) - 1);
	if (fstat(fd, &s) == 0 && s.st_blocks < 1 << 11)
		puts("held");
	else
		printf("broke: %ld blocks\n", (long)s.st_blocks);
	return 0;
}
