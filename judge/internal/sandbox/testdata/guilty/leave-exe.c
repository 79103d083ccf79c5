// verdict: AC
// why: a program can neither leave a message in the attributes of its executable nor prevent its next start
// runs: twice
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/fs.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

int main(void) {
	int self = open("/proc/self/exe", O_RDONLY), flags = 0;
	uint64_t hint = 0, other = 2;
	struct stat s;
	char note[8];
	if (self < 0 || fstat(self, &s)) return puts("broke: cannot look"), 0;
	if (s.st_mtim.tv_sec == 1000000 || s.st_atim.tv_sec == 1000000) return puts("broke: its times"), 0;
	if (s.st_mode & 07000) return printf("broke: its mode is %o\n", s.st_mode), 0;
	if (fcntl(self, F_GET_RW_HINT, &hint) == 0 && hint) return puts("broke: a hint"), 0;
	if (ioctl(self, FS_IOC_GETFLAGS, &flags) == 0 && flags & FS_NODUMP_FL) return puts("broke: its flags"), 0;
	if (fgetxattr(self, "user.note", note, sizeof note) > 0) return puts("broke: an attribute"), 0;
	const struct timespec past[2] = {{1000000, 0}, {1000000, 0}};
	futimens(self, past);
	fcntl(self, F_SET_RW_HINT, &other);
	flags |= FS_NODUMP_FL;
	ioctl(self, FS_IOC_SETFLAGS, &flags);
	fsetxattr(self, "user.note", "seen", 4, 0);
	fchmod(self, 01000);
	puts("held");
	return 0;
}
