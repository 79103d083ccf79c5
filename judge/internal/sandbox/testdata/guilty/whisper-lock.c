// verdict: AC
// why: two runs at the same time cannot signal each other by locks on a file that both may read
// runs: together
// gaps: cgroup=WA, polling=WA, rlimit=WA
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

// One run gets the lock; the other sees that it is taken.
int main(void) {
	int fd = open("/etc/ld.so.cache", O_RDONLY);
	if (flock(fd, LOCK_EX | LOCK_NB) != 0) return puts("broke: the other run holds a lock"), 0;
	struct timespec pause = {1, 500000000};
	nanosleep(&pause, 0);
	puts("held");
	return 0;
}
