// verdict: SV
// why: an unmount could uncover what lies below a mount
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mount.h>

int main(void) {
	umount2("/nowhere", MNT_DETACH);
	puts("broke: umount");
	return 0;
}
