// verdict: AC
// why: the next run finds no file that a run left in the temporary folders, whether hidden, locked or strangely named
// runs: twice
// gaps: rlimit=WA
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *folders[] = {"/w", "/tmp", "/dev/shm"};

int main(void) {
	if (access("/etc/passwd", F_OK) == 0) {
		// On the host one file is enough, and the second run removes it.
		if (unlink("/tmp/.guilty-leave") == 0) return puts("broke: a file of the run before"), 0;
		close(open("/tmp/.guilty-leave", O_CREAT, 0600));
		return puts("held"), 0;
	}
	for (int f = 0; f < 3; f++) {
		DIR *dir = opendir(folders[f]);
		for (struct dirent *e; dir && (e = readdir(dir));)
			if (strcmp(e->d_name, ".") && strcmp(e->d_name, "..")) return printf("broke: %s/%s of the run before\n", folders[f], e->d_name), 0;
		if (chdir(folders[f]) || open("new", O_CREAT | O_EXCL | O_WRONLY, 0600) < 0) return printf("broke: %s cannot be used\n", folders[f]), 0;
		static const char *names[] = {".hidden", "...", " ", "new\nline", "\x01\xff\xfe", "-rf", "*", "~", ".probe", "a\\b", "$(true)"};
		for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
			mkdir(names[i], 0700);
			int in = open(names[i], O_DIRECTORY);
			close(openat(in, "secret", O_CREAT | O_WRONLY, 0));
			symlinkat("/proc/self/root", in, "link");
			mkfifoat(in, "fifo", 0);
			mkdirat(in, "closed", 0);
			fchmod(in, 0);
		}
		char longest[256];
		memset(longest, 'x', 255);
		longest[255] = 0;
		mkdir(longest, 0);
		// Nested deeper than the longest path.
		for (int depth = 0; depth < 2000; depth++)
			if (mkdir("deep", 0700) || chdir("deep")) break;
		chmod(".", 0);
	}
	puts("held");
	return 0;
}
