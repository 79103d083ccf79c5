// verdict: AC
// why: a program cannot get at the judge's processes: their descriptors, memory, namespaces, pages
// gaps: rlimit=WA
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void) {
	// The init, its threads, and in rlimit mode the judge.
	for (int i = 0; i < 400; i++) {
		int pid = i ? i : getppid();
		if (pid == getpid()) continue;
		char path[64];
		static const char *files[] = {"fd/0", "mem", "environ", "root", "cwd", "exe", "maps", "map_files", "ns/mnt"};
		for (unsigned f = 0; f < sizeof files / sizeof *files; f++) {
			snprintf(path, sizeof path, "/proc/%d/%s", pid, files[f]);
			if (open(path, O_RDONLY | O_NONBLOCK) >= 0) return printf("broke: opened %s\n", path), 0;
		}
		int process = syscall(SYS_pidfd_open, pid, 0);
		for (int fd = 0; process >= 0 && fd < 32; fd++)
			if (syscall(SYS_pidfd_getfd, process, fd, 0) >= 0) return printf("broke: took descriptor %d of process %d\n", fd, pid), 0;
		close(process);
		if (syscall(SYS_kcmp, getpid(), pid, 1, 0, 0) >= 0) return printf("broke: compared files with process %d\n", pid), 0;
		void *page = (void *)main;
		int status = 0;
		if (syscall(SYS_move_pages, pid, 1, &page, 0, &status, 0) == 0) return printf("broke: saw the pages of process %d\n", pid), 0;
	}
	puts("held");
	return 0;
}
