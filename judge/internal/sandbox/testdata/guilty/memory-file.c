// verdict: MLE
// why: a file in the working folder counts as memory
// gaps: rlimit=WA
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
	static char block[1 << 20];
	int fd = open("flood", O_CREAT | O_RDWR, 0600);
	for (int i = 0; i < 96; i++)
		if (write(fd, block, sizeof block) != sizeof block) {
			puts("held");
			return 0;
		}
	puts("broke: 96 MiB in a file");
	return 0;
}
