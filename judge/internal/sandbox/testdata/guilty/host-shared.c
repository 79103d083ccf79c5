// verdict: AC
// why: nothing that a program can reach, and others use too, can be opened for writing or marked: not by descriptors, mounts or links of its process
// gaps: rlimit=WA
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

static int broke;

static int own(const char *name) {
	static const char *prefixes[] = {"/w", "/tmp", "/dev/shm"};
	for (int i = 0; i < 3; i++) {
		int n = strlen(prefixes[i]);
		if (!strncmp(name, prefixes[i], n) && (name[n] == 0 || name[n] == '/')) return 1;
	}
	return 0;
}

static void try(const char *name) {
	char real[4096] = "";
	struct stat s, after;
	if (readlink(name, real, sizeof real - 1) > 0 && (own(real) || !strncmp(real, "/memfd:", 7))) return; // a copy for this run
	if (own(name)) return;
	if (stat(name, &s) || S_ISFIFO(s.st_mode) || S_ISSOCK(s.st_mode)) return; // its own pipes
	if (S_ISREG(s.st_mode)) {
		int fd = open(name, O_RDWR);
		if (fd >= 0) broke = 1, printf("broke: %s (%s) opens for writing\n", name, real), close(fd);
	}
	if (!utimensat(AT_FDCWD, name, 0, 0)) broke = 1, printf("broke: %s (%s) has times\n", name, real);
	if (!chmod(name, s.st_mode & 07777)) broke = 1, printf("broke: %s (%s) has a mode\n", name, real);
	if (!chown(name, s.st_uid, s.st_gid)) broke = 1, printf("broke: %s (%s) has an owner\n", name, real);
	if (!setxattr(name, "user.note", "x", 1, 0)) broke = 1, printf("broke: %s (%s) has attributes\n", name, real);
	int fd = open(name, O_RDONLY | O_NONBLOCK);
	char byte;
	if (fd >= 0 && S_ISREG(s.st_mode)) pread(fd, &byte, 1, 0);
	if (fd >= 0 && S_ISDIR(s.st_mode)) {
		DIR *d = fdopendir(fd);
		if (d) readdir(d), closedir(d);
	} else if (fd >= 0) {
		close(fd);
	}
	if (!stat(name, &after) && (after.st_atim.tv_sec != s.st_atim.tv_sec || after.st_atim.tv_nsec != s.st_atim.tv_nsec))
		broke = 1, printf("broke: reading %s (%s) leaves a trace\n", name, real);
}

int main(void) {
	char line[4096], name[4096];
	if (access("/etc/passwd", F_OK) == 0) return puts("broke: the files are those of the host, and that is left alone"), 0;
	try("/proc/self/exe");
	try("/proc/self/root");
	DIR *d = opendir("/proc/self/fd");
	for (struct dirent *e; d && (e = readdir(d));) {
		snprintf(name, sizeof name, "/proc/self/fd/%s", e->d_name);
		if (e->d_name[0] != '.' && atoi(e->d_name) != dirfd(d)) try(name);
	}
	FILE *mounts = fopen("/proc/self/mountinfo", "r");
	while (mounts && fgets(line, sizeof line, mounts))
		if (sscanf(line, "%*s %*s %*s %*s %4095s", name) == 1 && strncmp(name, "/proc", 5)) try(name);
	if (!broke) puts("held");
	return 0;
}
