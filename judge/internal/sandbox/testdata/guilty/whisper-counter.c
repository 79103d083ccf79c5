// verdict: AC
// why: a run cannot pass a number to the next by the counters of its container, of processes and of files made
// runs: twice
// gaps: cgroup=WA, polling=WA, rlimit=WA
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
	struct stat s;
	int fd = open("file", O_CREAT | O_RDWR, 0600);
	if (fstat(fd, &s) || s.st_ino > 500) return printf("broke: %ld files before this one\n", (long)s.st_ino), 0;
	if (getpid() > 500) return printf("broke: %d processes before this one\n", getpid()), 0;
	for (int i = 0; i < 600; i++) {
		close(open("counted", O_CREAT | O_RDWR, 0600));
		unlink("counted");
		pid_t pid = vfork();
		if (pid == 0) _exit(0);
		waitpid(pid, 0, 0);
	}
	puts("held");
	return 0;
}
