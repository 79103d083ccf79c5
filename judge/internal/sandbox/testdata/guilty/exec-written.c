// verdict: AC
// why: a program may execute a file that it has written: the same limits apply
#include <fcntl.h>
#include <stdio.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int count, char **args) {
	(void)args;
	if (count > 1) {
		puts("held");
		return 0;
	}
	struct stat size;
	int in = open("/proc/self/exe", O_RDONLY), out = open("copy", O_CREAT | O_WRONLY, 0700);
	if (fstat(in, &size) || sendfile(out, in, 0, size.st_size) != size.st_size) return 1;
	close(out);
	execl("./copy", "copy", "again", (char *)0);
	perror("exec");
	return 1;
}
