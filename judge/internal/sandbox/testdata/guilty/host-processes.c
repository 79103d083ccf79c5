// verdict: AC
// why: /proc shows a program only its own processes, in the listing and by number
// gaps: rlimit=WA
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void) {
	static const char *files[] = {"status", "cmdline", "environ", "maps", "mem", "fd", "root", "cwd", "exe", "ns/mnt", "mountinfo", "stat", "task"};
	DIR *proc = opendir("/proc");
	for (struct dirent *e; proc && (e = readdir(proc));)
		if (isdigit(e->d_name[0]) && atoi(e->d_name) != getpid()) {
			printf("broke: process %s is listed\n", e->d_name);
			return 0;
		}
	for (int pid = 1; pid < 400; pid++) {
		if (pid == getpid()) continue;
		for (unsigned i = 0; i < sizeof files / sizeof *files; i++) {
			char path[64];
			snprintf(path, sizeof path, "/proc/%d/%s", pid, files[i]);
			if (access(path, F_OK) == 0) {
				printf("broke: %s\n", path);
				return 0;
			}
		}
	}
	puts("held");
	return 0;
}
