// verdict: MLE
// why: data that waits in sockets counts as memory
// limits: memory=32MiB
// gaps: polling=WA, rlimit=WA
#include <fcntl.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void) {
	static char block[16384];
	long held = 0;
	while (held < 96 << 20) {
		int pair[2];
		if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) break;
		fcntl(pair[0], F_SETFL, O_NONBLOCK);
		for (ssize_t n; (n = write(pair[0], block, sizeof block)) > 0;) held += n;
	}
	printf("broke: %ld MiB in sockets\n", held >> 20);
	return 0;
}
