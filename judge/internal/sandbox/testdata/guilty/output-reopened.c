// verdict: AC
// output: "123"
// why: standard output may be reopened by name, as some programs do with /dev/stdout
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
	const char *names[] = {"/proc/self/fd/1", "/dev/stdout", "/dev/fd/1"};
	for (int i = 0; i < 3; i++) {
		int fd = open(names[i], O_WRONLY);
		if (fd < 0) {
			perror(names[i]);
			return 1;
		}
		write(fd, "123" + i, 1);
		close(fd);
	}
	return 0;
}
