// verdict: AC
// why: a program starts with its three standard files, and nothing else of the host's but libraries is open or mapped
// stdin: "secret\n"
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
	struct stat s;
	for (int fd = 3; fd < 1 << 16; fd++)
		if (fstat(fd, &s) == 0) {
			printf("broke: descriptor %d is open, mode %o\n", fd, s.st_mode);
			return 0;
		}
	if (fstat(0, &s) || S_ISDIR(s.st_mode)) {
		puts("broke: standard input is a folder or missing");
		return 0;
	}
	// Only the program, its libraries and memory may be mapped.
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[4096], self[4096];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	self[n < 0 ? 0 : n] = 0;
	while (maps && fgets(line, sizeof line, maps)) {
		char *file = strchr(line, '/');
		if (!file) continue;
		file[strcspn(file, "\n")] = 0;
		if (strcmp(file, self) && strncmp(file, "/usr/", 5) && strncmp(file, "/lib", 4)) {
			printf("broke: %s is mapped\n", file);
			return 0;
		}
	}
	puts("held");
	return 0;
}
