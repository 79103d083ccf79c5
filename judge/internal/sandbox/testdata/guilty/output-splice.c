// verdict: OLE
// why: output counts even if the program gives the same page again and again
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/uio.h>

int main(void) {
	static char block[1 << 16];
	struct iovec part = {block, sizeof block};
	for (;;)
		if (vmsplice(1, &part, 1, 0) < 0) {
			perror("vmsplice");
			return 1;
		}
}
