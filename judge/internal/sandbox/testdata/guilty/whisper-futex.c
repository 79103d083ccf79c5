// verdict: AC
// why: two runs at the same time cannot wake each other through a page of a file that both map
// runs: together
// gaps: cgroup=WA, polling=WA, rlimit=WA
#include <fcntl.h>
#include <linux/futex.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int main(void) {
	unsigned *page = mmap(0, 4096, PROT_READ, MAP_SHARED, open("/etc/ld.so.cache", O_RDONLY), 0);
	if (page == MAP_FAILED) return puts("held"), 0;
	for (int look = 0; look < 75; look++) {
		if (syscall(SYS_futex, page, FUTEX_WAKE, 1, 0, 0, 0) > 0) return puts("broke: woke the other run"), 0;
		struct timespec pause = {0, look % 2 ? 10000000 : 30000000};
		if (syscall(SYS_futex, page, FUTEX_WAIT, *page, &pause, 0, 0) == 0) return puts("broke: woken by the other run"), 0;
	}
	puts("held");
	return 0;
}
