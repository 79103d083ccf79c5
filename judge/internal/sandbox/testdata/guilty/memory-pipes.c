// verdict: MLE
// why: data that waits in pipes counts as memory
// limits: memory=16MiB
// gaps: polling=WA, rlimit=WA
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
	static char block[65536];
	long held = 0;
	for (int i = 0; i < 600; i++) {
		int p[2];
		if (pipe2(p, O_NONBLOCK)) break;
		fcntl(p[1], F_SETPIPE_SZ, 1 << 20);
		for (ssize_t n; held < 48 << 20 && (n = write(p[1], block, sizeof block)) > 0;) held += n;
	}
	printf("broke: %ld MiB in pipes\n", held >> 20);
	return 0;
}
