// verdict: AC
// why: a run cannot leave a message for the next in the attributes, access lists, flags or modes of the temporary folders
// runs: twice
// gaps: rlimit=WA
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

int main(void) {
	if (access("/etc/passwd", F_OK) == 0) return puts("broke: the folders are those of the host, and that is left alone"), 0;
	static const char *folders[] = {"/w", "/tmp", "/dev/shm"};
	static const char *names[] = {"user.note", "trusted.note", "security.note", "system.posix_acl_default"};
	for (int f = 0; f < 3; f++) {
		char note[64];
		for (int n = 0; n < 4; n++)
			if (getxattr(folders[f], names[n], note, sizeof note) > 0) return printf("broke: %s has %s\n", folders[f], names[n]), 0;
		int flags = 0, dir = open(folders[f], O_RDONLY);
		struct stat s;
		if (ioctl(dir, FS_IOC_GETFLAGS, &flags) == 0 && flags & (FS_NODUMP_FL | FS_APPEND_FL | FS_IMMUTABLE_FL))
			return printf("broke: %s has flags %x\n", folders[f], flags), 0;
		if (fstat(dir, &s) || (s.st_mode & 07777) != 01777 || s.st_mtim.tv_sec == 1000000)
			return printf("broke: %s has mode %o and time %ld\n", folders[f], s.st_mode, s.st_mtim.tv_sec), 0;
		for (int n = 0; n < 3; n++) setxattr(folders[f], names[n], "seen", 4, 0);
		// An access list: version 2, and entries for the owner, the group and others.
		static const unsigned char list[] = {2, 0, 0, 0, 1, 0, 7, 0, 255, 255, 255, 255, 4, 0, 7, 0, 255, 255, 255, 255, 32, 0, 0, 0, 255, 255, 255, 255};
		setxattr(folders[f], "system.posix_acl_default", list, sizeof list, 0);
		for (int bit = 1; bit < 1 << 30; bit <<= 1) ioctl(dir, FS_IOC_SETFLAGS, &bit);
		const struct timespec past[2] = {{1000000, 0}, {1000000, 0}};
		futimens(dir, past);
		fchmod(dir, 01775);
	}
	puts("held");
	return 0;
}
