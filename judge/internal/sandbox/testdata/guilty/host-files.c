// verdict: AC
// why: no path leads to a file of the host: not by name, upwards, through /proc, through links or through open folders
// gaps: rlimit=WA
#define _GNU_SOURCE
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void broke(const char *how) {
	printf("broke: %s\n", how);
	exit(0);
}

static void try(int dir, const char *path) {
	int fd = openat(dir, path, O_RDONLY);
	if (fd >= 0) broke(path);
}

static const char *secrets[] = {
	"etc/passwd", "etc/shadow", "etc/hostname", "etc/machine-id", "root", "home", "var", "run", "opt", "srv",
	"mnt", "media", "boot", "sys", "sys/kernel", "sys/fs/cgroup", "sys/firmware", "work", "old_root", ".env",
};

int main(void) {
	static const char *roots[] = {
		"/", "../", "../../../../../../../", "/proc/self/root/", "/proc/self/root/../../", "/proc/self/cwd/../../",
		"/proc/thread-self/root/../", "/proc/1/root/", "/proc/1/cwd/", "/dev/fd/../../../", "/proc/self/fd/../../../",
		"/proc/self/task/1/root/", "/w/../../", "/usr/../../", "/tmp/../..//", "/dev/shm/../../../",
	};
	char path[4096], link[64];
	for (unsigned r = 0; r < sizeof roots / sizeof *roots; r++)
		for (unsigned s = 0; s < sizeof secrets / sizeof *secrets; s++) {
			snprintf(path, sizeof path, "%s%s", roots[r], secrets[s]);
			try(AT_FDCWD, path);
			// The same path behind a symbolic and a hard link.
			snprintf(link, sizeof link, "link%u-%u", r, s);
			if (symlink(path, link) == 0) try(AT_FDCWD, link);
			unlink(link);
			if (linkat(AT_FDCWD, path, AT_FDCWD, link, AT_SYMLINK_FOLLOW) == 0) broke("a hard link to a file of the host");
		}
	// Upwards from every folder that can be opened.
	static const char *held[] = {"/", ".", "/usr", "/usr/lib", "/bin", "/lib", "/lib64", "/etc/alternatives", "/dev", "/proc", "/build", "/tmp"};
	for (unsigned h = 0; h < sizeof held / sizeof *held; h++) {
		int dir = open(held[h], O_PATH | O_DIRECTORY);
		if (dir < 0) continue;
		for (unsigned s = 0; s < sizeof secrets / sizeof *secrets; s++) {
			snprintf(path, sizeof path, "../../../../../%s", secrets[s]);
			try(dir, path);
		}
		close(dir);
	}
	// /proc may show the host path of a file that was opened outside of the jail.
	ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
	path[n < 0 ? 0 : n] = 0;
	for (char *dir = dirname(path); strcmp(dir, "/") && strcmp(dir, "."); dir = dirname(dir))
		if (strcmp(dir, "/tmp")) try(AT_FDCWD, dir);
	int exe = open("/proc/self/exe", O_PATH);
	try(exe, "..");
	try(exe, "../..");
	try(0, "..");
	// The mount table shows the root of each mount on its file system.
	FILE *table = fopen("/proc/self/mountinfo", "r");
	char line[4096], root[2048], point[2048];
	while (table && fgets(line, sizeof line, table))
		if (sscanf(line, "%*d %*d %*s %2047s %2047s", root, point) == 2 && strcmp(root, "/") != 0 && strcmp(root, point) != 0) {
			snprintf(path, sizeof path, "%s/../../etc/passwd", point);
			try(AT_FDCWD, path);
		}
	puts("held");
	return 0;
}
