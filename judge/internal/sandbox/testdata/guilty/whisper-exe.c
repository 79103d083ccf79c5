// verdict: AC
// why: a program sees in its executable nothing of what the program beside it does with that
// runs: together
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

// Each looks whether something has changed since it last changed something itself.
int main(void) {
	int exe = open("/proc/self/exe", O_RDONLY);
	struct stat mine, now;
	char byte;
	if (exe < 0 || fstat(exe, &mine)) return puts("broke: cannot look"), 0;
	for (int i = 0; i < 200; i++) {
		usleep(1000);
		if (fstat(exe, &now)) return puts("broke: cannot look"), 0;
		if (now.st_mtim.tv_nsec != mine.st_mtim.tv_nsec || now.st_atim.tv_nsec != mine.st_atim.tv_nsec ||
			now.st_ctim.tv_nsec != mine.st_ctim.tv_nsec || now.st_mode != mine.st_mode)
			return puts("broke: another one changed it"), 0;
		utimensat(AT_FDCWD, "/proc/self/exe", 0, 0);
		pread(exe, &byte, 1, 0);
		fchmod(exe, 0755 + i % 2);
		fstat(exe, &mine);
	}
	puts("held");
	return 0;
}
