// verdict: AC
// why: runs do not share the pages that an account may use for pipes, so that none gets small pipes because of another
// runs: together
// gaps: cgroup:user=WA, polling:user=WA, rlimit=WA
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

// An account has 16384 pages by default, enough for 1024 pipes of 16 pages. An empty
// pipe counts like a full one.
int main(void) {
	struct timespec pause = {0, 20000000};
	int made = 0, p[2];
	for (int look = 0; look < 75; look++) {
		while (made < 900) {
			if (pipe(p)) return puts("held"), 0;
			made++;
			if (fcntl(p[0], F_GETPIPE_SZ) < 65536) return printf("broke: pipe %d holds %d bytes\n", made, fcntl(p[0], F_GETPIPE_SZ)), 0;
		}
		nanosleep(&pause, 0);
	}
	puts("held");
	return 0;
}
