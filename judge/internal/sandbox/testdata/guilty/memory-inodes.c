// verdict: MLE
// why: empty files cost the kernel memory, which is charged to the program that makes them
// limits: cpu=20s, memory=16MiB
// gaps: rlimit=WA
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
	for (int i = 0; i < 30000; i++) {
		char name[16];
		snprintf(name, sizeof name, "%d", i);
		int fd = open(name, O_CREAT | O_WRONLY, 0600);
		if (fd < 0) {
			puts("held");
			return 0;
		}
		close(fd);
	}
	puts("broke: 30000 files");
	return 0;
}
