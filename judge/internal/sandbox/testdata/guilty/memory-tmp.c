// verdict: MLE
// why: a file in /tmp counts as memory
// gaps: rlimit=WA
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
	static char block[1 << 20];
	int fd = open("/tmp/guilty-memory", O_CREAT | O_RDWR, 0600);
	unlink("/tmp/guilty-memory");
	for (int i = 0; i < 96; i++)
		if (write(fd, block, sizeof block) != sizeof block) {
			puts("held");
			return 0;
		}
	usleep(2000000); // a poll of the memory may come late
	puts("broke: 96 MiB in /tmp");
	return 0;
}
