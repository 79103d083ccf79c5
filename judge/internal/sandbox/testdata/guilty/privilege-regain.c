// verdict: AC
// why: a program cannot regain a capability: not by another user id, capset, a setuid file or a new execve as root
#define _GNU_SOURCE
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// powers returns the union of this process's capability sets except the bounding set.
static unsigned long powers(void) {
	char line[256];
	unsigned long all = 0;
	FILE *status = fopen("/proc/self/status", "r");
	while (status && fgets(line, sizeof line, status))
		if (strncmp(line, "Cap", 3) == 0 && strncmp(line, "CapBnd", 6) != 0) all |= strtoul(line + 7, 0, 16);
	return all;
}

int main(int argc, char **argv) {
	if (powers()) return puts(argc > 1 ? "broke: capabilities after an execve" : "broke: capabilities from the start"), 0;
	if (argc > 1) return puts("held"), 0;
	uid_t before = getuid();
	for (int id = 0; id < 70000; id = id < 10 ? id + 1 : id < 1000 ? id + 99 : id + 997)
		if ((uid_t)id != before && (setuid(id) == 0 || setreuid(id, id) == 0 || setresuid(id, id, id) == 0 || setgid(id) == 0 && (gid_t)id != before))
			return printf("broke: became user or group %d\n", id), 0;
	gid_t groups[] = {0, 4, 27};
	if (setgroups(3, groups) == 0) return puts("broke: setgroups"), 0;
	struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct data[2] = {{~0u, ~0u, ~0u}, {~0u, ~0u, ~0u}}, inherit[2] = {{0, 0, ~0u}, {0, 0, ~0u}};
	syscall(SYS_capset, &head, data);
	syscall(SYS_capset, &head, inherit);
	for (int cap = 0; cap < 64; cap++) prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, cap, 0, 0);
	prctl(PR_SET_SECUREBITS, 0);
	prctl(PR_SET_KEEPCAPS, 1);
	if (powers()) return puts("broke: capabilities asked for"), 0;
	// A file of its own with the setuid and setgid bits.
	int self = open("/proc/self/exe", O_RDONLY), copy = open("again", O_CREAT | O_WRONLY, 0755);
	char block[65536];
	for (ssize_t n; (n = read(self, block, sizeof block)) > 0;)
		if (write(copy, block, n) != n) break;
	fchmod(copy, 06755);
	close(copy);
	execl("again", "again", "again", (char *)0);
	puts("broke: what it wrote does not run");
	return 0;
}
