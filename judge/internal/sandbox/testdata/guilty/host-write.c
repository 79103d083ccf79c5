// verdict: AC
// why: a program can change nothing outside of the temporary folders, not even times and attributes
// gaps: rlimit=WA
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

// If the attack gets through, it does no harm: it opens files but writes nothing to them.
int main(void) {
	static const char *folders[] = {"/", "..", "/usr", "/usr/bin", "/usr/lib", "/usr/local", "/bin", "/lib", "/lib64", "/etc", "/etc/alternatives",
		"/dev", "/proc", "/proc/self", "/proc/self/fd", "/build", "/gocache"};
	static const char *files[] = {"/bin/sh", "/usr/bin/env", "/etc/ld.so.cache", "/etc/passwd", "/proc/self/comm", "/proc/self/oom_score_adj",
		"/proc/self/uid_map", "/proc/self/gid_map", "/proc/self/setgroups", "/proc/self/autogroup", "/proc/self/loginuid"};
	for (unsigned i = 0; i < sizeof folders / sizeof *folders; i++) {
		int fd = open(folders[i], O_TMPFILE | O_RDWR, 0600);
		if (access(folders[i], W_OK) == 0 || fd >= 0) {
			printf("broke: %s is writable\n", folders[i]);
			return 0;
		}
	}
	for (unsigned i = 0; i < sizeof files / sizeof *files; i++)
		if (open(files[i], O_WRONLY) >= 0 || open(files[i], O_RDWR | O_APPEND) >= 0) {
			printf("broke: %s is writable\n", files[i]);
			return 0;
		}
	if (link("/bin/sh", "/tmp/guilty-link") == 0 || link("/bin/sh", "link") == 0) {
		unlink("/tmp/guilty-link");
		puts("broke: a hard link to a file of the system");
		return 0;
	}
	puts("held");
	return 0;
}
