// verdict: SV
// why: the classic way out of a root folder is to change to another
#define _GNU_SOURCE
#include <stdio.h>
#include <unistd.h>

int main(void) {
	chroot("/nowhere");
	puts("broke: chroot");
	return 0;
}
