// verdict: AC
// why: reading more from files than fits into the memory limit is no use of memory, since the kernel can forget it
// limits: memory=16MiB, cpu=10s, wall=60s
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
	static char block[1 << 18];
	long total = 0;
	const char *dir = "/usr/bin";
	DIR *list = opendir(dir);
	for (struct dirent *e; total < 64 << 20 && (e = readdir(list));) {
		char name[512];
		snprintf(name, sizeof name, "%s/%s", dir, e->d_name);
		int fd = open(name, O_RDONLY | O_NONBLOCK);
		for (long n; total < 64 << 20 && (n = read(fd, block, sizeof block)) > 0;) total += n;
		close(fd);
	}
	puts("held");
	return 0;
}
