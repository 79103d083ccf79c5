// verdict: AC
// why: an input is not charged to the program that maps it, nor to its children
// stdin: 50MiB
// limits: memory=32MiB
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
	const long size = 50 << 20;
	const char *p = mmap(0, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, 0, 0);
	long lines = 0;
	fork();
	for (long i = 0; i < size; i++) lines += p[i] == '\n';
	usleep(200000);
	if (wait(0) > 0) puts(lines == size / 16 ? "held" : "broke: not all of it is there");
	return 0;
}
