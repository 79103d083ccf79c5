// verdict: AC
// why: files cannot be locked by range, because those locks take kernel memory that no limit counts
// limits: memory=16MiB
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

// Each file gets only 100 locks, so that the kernel need not search a long list.
int main(void) {
	int made = 0;
	for (int file = 0; file < 2000; file++) {
		char name[32];
		snprintf(name, sizeof name, "f%d", file);
		int fd = open(name, O_CREAT | O_RDWR, 0600);
		unlink(name);
		for (int i = 0; i < 100; i++) {
			struct flock l = {.l_type = F_WRLCK, .l_start = 2 * i, .l_len = 1};
			if (fcntl(fd, F_OFD_SETLK, &l) == 0) made++;
		}
	}
	if (made == 0) return puts("held"), 0;
	printf("broke: %d locks\n", made);
	return 0;
}
