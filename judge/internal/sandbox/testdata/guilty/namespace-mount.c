// verdict: SV
// why: a mount could cover what is read-only
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mount.h>

int main(void) {
	mount("none", "/nowhere", "tmpfs", 0, 0);
	puts("broke: mount");
	return 0;
}
