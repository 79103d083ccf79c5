// verdict: AC
// why: a run cannot make the temporary folders unusable for the next
// runs: twice
// gaps: rlimit=WA
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
	if (access("/etc/passwd", F_OK) == 0) return puts("broke: the folders are those of the host, and that is left alone"), 0;
	static const char *files[] = {"/w/file", "/tmp/file", "/dev/shm/file"};
	for (int f = 0; f < 3; f++) {
		if (open(files[f], O_CREAT | O_EXCL | O_RDWR, 0600) < 0) return printf("broke: %s: %m\n", files[f]), 0;
		unlink(files[f]);
	}
	chmod("/w", 0);
	chmod("/tmp", 0);
	chmod("/dev/shm", 0);
	puts("held");
	return 0;
}
