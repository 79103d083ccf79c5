// verdict: SV
// why: what lies below a mount is not for programs
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mount.h>

int main(void) {
	umount2("/nowhere", MNT_DETACH);
	puts("broke: umount");
	return 0;
}
