// verdict: AC
// why: a program cannot get huge pages, which are not counted as memory, even if the host reserves some
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void) {
	static const int sizes[] = {0, 21, 30};
	for (int i = 0; i < 3; i++) {
		void *p = mmap(0, 1 << 21, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB | sizes[i] << 26, -1, 0);
		if (p != MAP_FAILED) return puts("broke: a huge page"), 0;
		int fd = memfd_create("huge", MFD_HUGETLB | sizes[i] << 26);
		if (fd >= 0 && ftruncate(fd, 1 << 21) == 0 && mmap(0, 1 << 21, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) != MAP_FAILED)
			return puts("broke: a huge page in a file"), 0;
	}
	puts("held");
	return 0;
}
