// verdict: MLE
// why: many small files are as much memory as a large one
// gaps: rlimit=WA
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
	static char block[64 << 10];
	for (int i = 0; i < 1536; i++) {
		char name[16];
		snprintf(name, sizeof name, "file%d", i);
		int fd = open(name, O_CREAT | O_WRONLY, 0600);
		if (fd < 0 || write(fd, block, sizeof block) != sizeof block) {
			puts("held");
			return 0;
		}
		close(fd);
	}
	puts("broke: 96 MiB in 1536 files");
	return 0;
}
