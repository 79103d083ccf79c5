// verdict: AC
// why: a program may ask for a deeper stack, up to its memory limit
// limits: memory=256MiB
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static int deep(int n) {
	char room[4096];
	memset(room, n, sizeof room);
	return n ? deep(n - 1) + (room[n % 4096] != (char)n) : 0;
}

int main(int argc, char **argv) {
	struct rlimit now;
	getrlimit(RLIMIT_STACK, &now);
	if (now.rlim_cur < 512 << 20) {
		now.rlim_cur = 512 << 20;
		if (setrlimit(RLIMIT_STACK, &now)) return puts("broke: not allowed"), 0;
	}
	puts(deep(24000) == 0 ? "held" : "broke"); // 94 MiB
	return 0;
}
