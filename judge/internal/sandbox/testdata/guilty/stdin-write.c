// verdict: AC
// why: the input, which other runs may share, cannot be changed
// stdin: "input\n"
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void) {
	int fd = open("/proc/self/fd/0", O_RDWR);
	if (fd >= 0 && pwrite(fd, "X", 1, 0) == 1) puts("broke: wrote through the descriptor");
	if (fd >= 0 && ftruncate(fd, 0) == 0) puts("broke: cut it off");
	if (fd >= 0 && mmap(0, 4096, PROT_WRITE, MAP_SHARED, fd, 0) != MAP_FAILED) puts("broke: mapped it to write");
	puts("held");
	return 0;
}
