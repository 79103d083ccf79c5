// verdict: AC
// why: a program cannot make its executable busy, so that the runs beside it cannot start
// runs: together
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

// While the program runs, the kernel refuses to open its file for writing. So it keeps the file open and executes a
// copy of itself from memory.
int main(int argc, char **argv) {
	if (argc > 1) {
		int busy = open("/proc/self/fd/9", O_RDWR);
		usleep(100000);
		puts(busy >= 0 ? "broke: opened its file for writing" : "held");
		return 0;
	}
	int exe = open("/proc/self/exe", O_RDONLY), copy = memfd_create("copy", 0);
	char block[1 << 16];
	for (long n; (n = read(exe, block, sizeof block)) > 0;) write(copy, block, n);
	dup2(exe, 9);
	char *again[] = {argv[0], "second", 0}, *none[] = {0};
	fexecve(copy, again, none);
	return 1;
}
