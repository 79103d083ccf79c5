// verdict: MLE
// why: open files, of which the kernel keeps a record of 200 bytes each, count as memory
// limits: memory=16MiB
// gaps: polling=WA, rlimit=WA
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
	int ready[2];
	char c;
	if (pipe(ready)) return 1;
	for (int i = 0; i < 30; i++)
		if (fork() == 0) {
			alarm(20);
			for (int j = 0; j < 4000; j++) open("/dev/null", O_RDONLY);
			close(ready[1]);
			for (;;) pause();
		}
	close(ready[1]);
	read(ready[0], &c, 1); // ends when all are ready
	usleep(300000);        // a poll of the memory may come late
	puts("broke: 23 MiB of descriptors");
	return 0;
}
